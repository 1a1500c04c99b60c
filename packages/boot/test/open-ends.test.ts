/** What a folder leaves open is said once, at the start. */
import { Writable } from 'node:stream'
import { pino } from 'pino'
import t, { type Test } from 'tap'
import { createServer } from '../src/index.js'

type Files = Readonly<Record<string, unknown>>

/** What a folder warns of. Its models: one with rows, one without a data source. */
async function warnings (
  t: Test, files: Files, models: Files, boot: Readonly<Record<string, string>> = {}
): Promise<string[]> {
  const text = (value: unknown): string => JSON.stringify(value)
  const dir = t.testdir({
    'package.json': '{ "type": "module" }',
    server: {
      'config.json': text({ host: '127.0.0.1', port: 0 }),
      'datasources.json': text({ db: { connector: 'memory' } }),
      'model-config.json': text({ _meta: { sources: ['./models'] }, ...models }),
      models: {
        'note.json': text({ name: 'Note', strict: true, properties: { title: 'string' } }),
        'ping.json': text({ name: 'Ping', base: 'Model' })
      },
      boot,
      ...Object.fromEntries(Object.entries(files).map(([name, value]) => [name, text(value)]))
    }
  })
  const said: string[] = []
  const stream = new Writable({
    write (chunk, _encoding, done) {
      said.push((JSON.parse(String(chunk)) as { msg: string }).msg)
      done()
    }
  })
  const { fastify, stop } = await createServer(dir, { log: pino({ level: 'warn' }, stream) })
  await fastify.ready()
  await stop()
  // Every folder without access control is told of it.
  return said.filter(line => !line.includes('enableAuth'))
}

const stored = { Note: { dataSource: 'db', public: true }, Ping: { dataSource: null, public: false } }

t.test('public models, and nothing mounts REST', async t => {
  const none = { 'middleware.json': { initial: {}, routes: {} } }
  t.strictSame(await warnings(t, none, stored), [
    'server/middleware.json: nothing mounts REST, so that every request for a public model (Note) is answered with ' +
    '404: put "fastback#rest": { "paths": ["/api"] } into the phase "routes"'
  ])
  t.strictSame(await warnings(t, none, { Note: { dataSource: 'db', public: false }, Ping: { dataSource: null, public: false } }), [])
  const rest = { 'middleware.json': { routes: { 'loopback#rest': { paths: ['/api'] } } } }
  t.strictSame(await warnings(t, rest, stored), [])
  const own = { 'middleware.json': { routes: { 'fastback#rest': { paths: ['/api'] } }, 'final:after': { 'fastback#errors': {} } } }
  t.strictSame(await warnings(t, own, stored), [], 'by its name here as well')
  t.strictSame(await warnings(t, {}, stored), [], 'without middleware.json REST is there')
  const mount = { 'rest.js': 'export default app => { app.use(app.get("restApiRoot"), app.loopback.rest()) }' }
  t.strictSame(await warnings(t, none, stored, mount), [], 'a boot script mounts it')
})

t.test('public models without a data source', async t => {
  t.strictSame(
    await warnings(t, {}, { Note: { dataSource: null, public: true }, Ping: { dataSource: null, public: true } }),
    [
      'server/model-config.json: the model "Note" is public and has no data source, so that its operations fail: name ' +
      'one under "dataSource", or say "public": false',
      'server/model-config.json: the model "Ping" is public and has neither a data source nor remote methods, so that ' +
      'there is nothing to call'
    ]
  )
  const method = { 'ping.js': 'export default app => { app.models.Ping.remoteMethod("ping", { http: { verb: "get" } }) }' }
  t.strictSame(
    await warnings(t, {}, { Note: stored.Note, Ping: { dataSource: null, public: true } }, method), [],
    'a boot script gives it a method'
  )
})

t.test('SY-04: tracked changes, and model files that nothing names', async t => {
  const tracked = { Note: { dataSource: 'db', options: { trackChanges: true } } }
  t.strictSame(await warnings(t, {}, tracked), [
    'server/models/ping.json: the model "Ping" is not loaded, because server/model-config.json does not name it',
    'The model "Note" tracks changes, and its id is no string with "defaultFn": "guid" or "uuid": ' +
      'clients cannot make rows of their own offline'
  ])
})
