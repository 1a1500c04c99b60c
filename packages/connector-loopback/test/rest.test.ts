/** loopback-connector-rest, against a service on this machine: rows, and functions for the models attached to it. */
import { createRequire } from 'node:module'
import t from 'tap'
import { ModelRegistry } from '@fastback/core'
import { sharedMethodsOf } from '@fastback/core/remote'
import { loopbackConnector, type LoopbackConnectorModule } from '@fastback/connector-loopback'
import { connectorSuite } from '@fastback/connector-tests'
import { context } from './support/context.js'
import { restServer } from './support/rest-server.js'

type Loose = any

const rest = createRequire(import.meta.url)('loopback-connector-rest') as LoopbackConnectorModule

t.test('rows of a service that knows no filters', async t => {
  const server = await restServer(t)
  await connectorSuite(t, {
    name: 'rest',
    make: () => loopbackConnector(rest)({ connector: 'rest', baseURL: server.url }, context),
    empty: () => { server.clear() },
    lacks: ['unique', 'compound ids'],
    skip: {
      'automigrate empties the tables of the models named, and only those': 'a service has no tables',
      'writes by a list of a thousand ids are those of these rows': 'a list of so many is too long for an address'
    }
  })
})

t.test('functions of the data source', async t => {
  const server = await restServer(t)
  const registry = new ModelRegistry()
  const dataSource = registry.defineDataSource('echo', {
    connector: loopbackConnector(rest),
    operations: [{
      template: { method: 'GET', url: `${server.url}/echo`, query: { text: '{text}' } },
      functions: { echo: ['text'] }
    }]
  })
  const Echo = registry.defineModel({ name: 'Echo', base: 'Model' }) as Loose
  registry.attach(Echo, 'echo')
  await registry.start()
  t.teardown(async () => { await registry.stop() })

  t.strictSame(await Echo.echo('one'), { said: 'one' })
  const called = await new Promise<Loose>(resolve => { Echo.echo('two', (_error: unknown, body: unknown) => { resolve(body) }) })
  t.strictSame(called, { said: 'two' })
  t.strictSame(await (dataSource as Loose).echo('three'), { said: 'three' }, 'and of the data source itself')
  t.match(sharedMethodsOf(Echo).find(({ name }) => name === 'echo'), { http: [{ verb: 'get', path: '/echo' }] })
})

t.test('what cannot be reached, or made', async t => {
  const registry = new ModelRegistry()
  registry.defineDataSource('away', { connector: loopbackConnector(rest), baseURL: 'http://127.0.0.1:1' })
  const Row = registry.defineModel({ name: 'Row', base: 'PersistedModel' }) as Loose
  registry.attach(Row, 'away')
  await registry.start()
  t.teardown(async () => { await registry.stop() })
  await t.rejects(Row.find(), { statusCode: 503, code: 'DATABASE_UNAVAILABLE' })
  t.throws(() => registry.defineDataSource('bad', { connector: loopbackConnector(rest), operations: [{}] }), {
    code: 'FBK_CONNECTOR_INITIALIZE',
    message: /"bad".*template is missing/
  })
})
