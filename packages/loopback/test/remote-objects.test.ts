/**
 * Values and answers of the drop-in's `RemoteObjects`: those of `strong-remoting` 3.17, whose answers to the same
 * requests stand here. What it does with each type is in the tests of `@fastback/rest`.
 */
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
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

t.test('points are of the class that the application has itself', async t => {
  const script = `
    const http = require('http')
    const RemoteObjects = require(${JSON.stringify(fileURLToPath(new URL('../cjs/remoting.cjs', import.meta.url)))})
    let Own = Object
    try { Own = require('loopback-datatype-geopoint') } catch {}
    const remotes = RemoteObjects.create()
    const seen = []
    const take = value => { seen.push([value.constructor === Own, value.lat]) }
    remotes.exports.places = {
      one: Object.assign((at, done) => { take(at); done() }, { shared: true, accepts: { arg: 'at', type: 'geopoint' } }),
      all: Object.assign((at, done) => { at.forEach(take); done() }, { shared: true, accepts: { arg: 'at', type: ['geopoint'] } })
    }
    const server = http.createServer(remotes.handler('rest')).listen(0, '127.0.0.1', async () => {
      const base = 'http://127.0.0.1:' + server.address().port + '/places/'
      const post = (path, body) => fetch(base + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
      await post('one', { at: { lat: 1, lng: 2 } })
      await post('all', { at: [{ lat: 3, lng: 4 }] })
      seen.push((await post('one', { at: { lat: 'x' } })).status)
      console.log(JSON.stringify(seen))
      process.exit()
    })
  `
  const run = (packages: NonNullable<Parameters<Test['testdir']>[0]>): unknown => {
    const dir = t.testdir({ 'package.json': '{}', 'index.js': script, node_modules: packages })
    return JSON.parse(execFileSync(process.execPath, [`${dir}/index.js`], { encoding: 'utf8', env: { ...process.env, NODE_PATH: '' } }))
  }
  const own = { 'index.js': 'module.exports = class Point { constructor ({ lat, lng }) { this.lat = lat; this.lng = lng } }' }
  t.strictSame(run({ 'loopback-datatype-geopoint': own }), [[true, 1], [true, 3], 400])
  t.strictSame(run({}), [[false, 1], [false, 3], 400])
})
