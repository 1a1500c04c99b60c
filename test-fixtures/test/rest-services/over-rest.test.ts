import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { folder } from './folder.js'

async function upstream (t: Test, listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

t.test('methods of a service are described with their arguments, and open to rules and hooks (SC-M4, SC-M7)', async t => {
  const up = await upstream(t, (req, res) => {
    res.setHeader('content-type', 'application/json')
    res.end(JSON.stringify({ url: req.url, secret: 'x' }))
  })
  const template = { url: `${up}/{city}`, query: { days: '{days=2:number}', now: '{!now:boolean}' }, headers: { auth: 's3cret' } }
  const base = await folder(t, {
    operations: [
      { template, functions: { byCity: ['city', 'days', 'now'], closed: ['city'] } },
      { template: { ...template, fullResponse: true }, functions: { full: ['city', { name: 'days', source: 'header' }, 'now'] } }
    ]
  }, `module.exports = Forecast => {
    Forecast.disableRemoteMethodByName('closed')
    Forecast.afterRemote('byCity', async ctx => { delete ctx.result.secret })
  }`)
  const document = await (await fetch(`${base}/explorer/swagger.json`)).json() as any
  const { get } = document.paths['/Forecasts/byCity/{city}'] ?? document.paths['/api/Forecasts/byCity/{city}']
  t.match(get.parameters.map(({ name, in: place, required }: any) => [name, place, required === true]), [
    ['city', 'path', true], ['days', 'query', false], ['now', 'query', true]
  ])
  t.equal(get.parameters.length, 3, 'what the connector needs of the call is not among them')
  t.equal((await fetch(`${base}/api/Forecasts/closed/Oslo`)).status, 404)
  t.strictSame(await (await fetch(`${base}/api/Forecasts/byCity/Oslo?now=true`)).json(), { url: '/Oslo?days=2&now=true' })
  t.equal((await fetch(`${base}/api/Forecasts/byCity/Oslo`)).status, 400)
  t.equal((await fetch(`${base}/api/Forecasts/invoke`)).status, 404, 'SC-M6')
  const full = await (await fetch(`${base}/api/Forecasts/full/Oslo?now=1`, { headers: { days: '5' } })).text()
  t.match(JSON.parse(full), { statusCode: 200, body: { url: '/Oslo?days=5&now=true' } })
  t.notMatch(full, 's3cret', 'what was sent stays here (SC-T9)')
})

t.test('a stream is sent on as it comes, with its type (SC-T14)', async t => {
  const up = await upstream(t, (req, res) => {
    if (req.url === '/none') return res.writeHead(404).end('no such picture')
    res.writeHead(200, { 'content-type': 'image/png' })
    res.write('one ')
    setTimeout(() => { res.end('two') }, 20)
  })
  const base = await folder(t, {
    maxResponseSize: 20,
    operations: [{ stream: true, template: { url: `${up}/{name}` }, functions: { picture: ['name'] } }]
  })
  const answer = await fetch(`${base}/api/Forecasts/picture/a`)
  t.equal(answer.headers.get('content-type'), 'image/png')
  t.equal(await answer.text(), 'one two')
  const none = await fetch(`${base}/api/Forecasts/picture/none`)
  t.equal(none.status, 404)
  t.match(await none.json(), { error: { message: 'no such picture' } })
})

t.test('a caller who goes away ends a GET, and nothing else (LI-4)', async t => {
  const ended: string[] = []
  const up = await upstream(t, (req, res) => {
    const timer = setTimeout(() => { res.end('{}') }, 400)
    res.on('close', () => {
      clearTimeout(timer)
      ended.push(`${String(req.method)} ${res.writableFinished ? 'answered' : 'given up'}`)
    })
  })
  const base = await folder(t, {
    operations: [
      { template: { url: up }, functions: { read: [] } },
      { template: { method: 'POST', url: up }, functions: { write: [] } }
    ]
  })
  for (const [method, name] of [['GET', 'read'], ['POST', 'write']] as const) {
    const signal = AbortSignal.timeout(100)
    await t.rejects(fetch(`${base}/api/Forecasts/${name}`, { method, signal }))
  }
  await pause(600)
  t.strictSame(ended, ['GET given up', 'POST answered'])
})

t.test('while the breaker is open, callers are told when to come again (LI-3)', async t => {
  const up = await upstream(t, (req, res) => { res.writeHead(500).end('with words of its own') })
  const base = await folder(t, {
    breaker: { failures: 2, open: 5000 }, operations: [{ template: { url: up }, functions: { read: [] } }]
  })
  const read = () => fetch(`${base}/api/Forecasts/read`)
  const first = await read()
  t.strictSame([first.status, await first.json()], [500, { error: { statusCode: 500, message: 'Internal Server Error' } }])
  await read()
  const refused = await read()
  t.strictSame([refused.status, refused.headers.get('retry-after')], [503, '5'])
})
