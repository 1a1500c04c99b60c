import t from 'tap'
import { paramsFault } from './check-message.js'

t.test('wrong parameters are the fault of the client', async t => {
  const request = (method: string, params?: object): object => ({ jsonrpc: '2.0', id: 1, method, ...(params === undefined ? {} : { params }) })
  t.match(paramsFault(request('tools/call', { name: 1 })), { id: 1, error: { code: -32602, message: /params\.name/ } })
  t.match(paramsFault(request('tools/call', { name: 'x', task: { ttl: 1 } })), { error: { message: /no tasks/ } })
  t.match(paramsFault(request('resources/read')), { error: { code: -32602 } })
  t.equal(paramsFault(request('tools/call', { name: 'x' })), undefined)
  t.equal(paramsFault(request('tools/list')), undefined)
  t.equal(paramsFault(request('unknown', { x: 1 })), undefined, 'others judge of methods')
  t.equal(paramsFault({ jsonrpc: '2.0', method: 'notifications/initialized' }), undefined)
})
