/**
 * Values and answers of the drop-in's `RemoteObjects`: those of `strong-remoting` 3.17, whose answers to the same
 * requests stand here. What it does with each type is in the tests of `@fastback/rest`.
 */
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import RemoteObjects from '@fastback/loopback/remoting'

type Options = ConstructorParameters<typeof RemoteObjects>[0]

async function serve (t: Test, options: Options, change: (remotes: RemoteObjects) => void = () => {}): Promise<string> {
  const remotes = RemoteObjects.create({ errorHandler: { log: false }, ...options })
  const echo = (value: unknown, done: (error: null, ...values: unknown[]) => void): void => {
    done(null, typeof value, value)
  }
  remotes.exports.echo = {
    date: Object.assign(echo.bind(null), {
      shared: true,
      accepts: { arg: 'at', type: 'date' },
      returns: [{ arg: 'type' }, { arg: 'value' }],
      http: { verb: 'get' }
    }),
    form: Object.assign(echo.bind(null), {
      shared: true,
      accepts: { arg: 'n', type: 'number', required: true, http: { source: 'form' } },
      returns: [{ arg: 'type' }, { arg: 'value' }]
    })
  }
  change(remotes)
  const server = http.createServer(remotes.handler('rest')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => { server.closeAllConnections(); server.close() })
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/echo`
}

const status = async (url: string, init?: RequestInit): Promise<number> => (await fetch(url, init)).status
const form = (body: string): RequestInit =>
  ({ method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body })

t.test('values are taken as strong-remoting takes them, unless the rules of models are asked for', async t => {
  const url = await serve(t, {})
  t.match(await (await fetch(`${url}/date?at=0`)).json(), { type: 'object', value: { $data: '1970-01-01T00:00:00.000Z' } })
  t.match(await (await fetch(`${url}/date?at=`)).json(), { type: 'undefined' })
  t.match(await (await fetch(`${url}/date`, { headers: { at: '2020-01-01' } })).json(), { type: 'object' })
  t.equal(await status(`${url}/form`, form('n=x')), 400)
  t.equal(await status(`${url}/form`, form('n=')), 400)
  const strict = await serve(t, { rest: { coercion: 'strict' } })
  t.equal(await status(`${strict}/date?at=0`), 400)
  t.equal(await status(`${strict}/form`, form('n=x')), 422)
})

t.test('other options of REST change nothing of it, also those that come later', async t => {
  const url = await serve(t, {}, remotes => { Object.assign(remotes.options, { rest: { xml: true } }) })
  t.equal(await status(`${url}/date?at=0`), 200)
  const remotes = new RemoteObjects()
  t.strictSame(remotes.types.getConverter('date').fromSloppyValue({}, '5'), { value: new Date(5) })
  t.match(remotes.types.getConverter('string').fromTypedValue({}, null), { error: { statusCode: 400 } })
})
