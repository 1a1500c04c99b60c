/** How connectors are made, what they bring, and what goes wrong with them. */
import t from 'tap'
import { ModelRegistry } from '@fastback/core'
import { isLoopbackConnector, loopbackConnector, type LoopbackConnectorModule } from '@fastback/connector-loopback'
import { AllMethods } from './support/legacy-memory.js'

type Loose = any

async function started (module: Loose, settings = {}): Promise<{ registry: ModelRegistry, Note: Loose }> {
  const registry = new ModelRegistry()
  registry.defineDataSource('db', { connector: loopbackConnector(module), ...settings })
  const Note = registry.defineModel({ name: 'Note', base: 'PersistedModel', properties: { title: 'string' } })
  registry.attach(Note, 'db')
  await registry.start()
  t.teardown(async () => { await registry.stop() })
  return { registry, Note }
}

t.test('what is a connector of LoopBack', async t => {
  t.ok(isLoopbackConnector({ initialize () {} }))
  t.ok(isLoopbackConnector(AllMethods))
  t.notOk(isLoopbackConnector(function sqlConnector () {}))
  t.notOk(isLoopbackConnector(() => {}))
  for (const value of [null, undefined, 'rest', {}]) t.notOk(isLoopbackConnector(value))
})

t.test('a class is a connector', async t => {
  const { Note } = await started(AllMethods)
  const { id } = await Note.create({ title: 'one' })
  t.equal((await Note.findById(id)).title, 'one')
})

t.test('functions that are known late, as those of a service', async t => {
  const { Note } = await started({
    initialize (dataSource: Loose, done: Loose) {
      const connector = dataSource.connector = { name: 'service', connect () {}, DataAccessObject: function () {} } as Loose
      setTimeout(() => {
        connector.DataAccessObject.fetch = (name: string) => `fetched ${name}`
        dataSource.mixin()
        done()
      }, 20)
    }
  })
  t.equal(Note.fetch('it'), 'fetched it')
})

t.test('observers stand around the work of a connector', async t => {
  const { Note } = await started({
    initialize (dataSource: Loose, done: Loose) {
      dataSource.connector = {
        all (this: Loose, _model: string, _filter: object, _options: object, end: Loose) {
          this.notifyObserversAround('execute', {}, (_context: Loose, ready: Loose) => ready(null, []), end)
        }
      }
      done()
    }
  })
  const seen: string[] = []
  const { connector } = Note.dataSource
  for (const moment of ['before execute', 'after execute']) {
    connector.observe(moment, async () => { seen.push(moment) })
  }
  t.strictSame(await Note.find(), [])
  t.strictSame(seen, ['before execute', 'after execute'])
  connector.clearObservers('after execute')
  connector.observe('before execute', (_context: Loose, next: Loose) => next(Object.assign(new Error('no'), { statusCode: 403 })))
  await t.rejects(Note.find(), { statusCode: 403, message: 'no' })
})

t.test('what goes wrong', async t => {
  const of = (initialize: LoopbackConnectorModule['initialize']): LoopbackConnectorModule => ({ initialize })
  t.throws(() => new ModelRegistry().defineDataSource('db', {
    connector: loopbackConnector(of(() => { throw new Error('no address') }))
  }), { code: 'FBK_CONNECTOR_INITIALIZE', message: /"db".*no address/ })
  await t.rejects(started(of((_dataSource, done) => { done() })), { code: 'FBK_CONNECTOR_INITIALIZE' })
  await t.rejects(started(of(dataSource => { dataSource.connector = { connect () {} } }), { connectTimeout: 20 }), {
    code: 'FBK_CONNECTOR_NOT_REACHABLE', message: /no response for 20 ms/
  })
  const { Note } = await started(of((dataSource, done) => {
    dataSource.connector = {
      name: 'odd',
      all (_model: string, _filter: object, _options: object, end: Loose) {
        end(Object.assign(new Error('SELECT secret'), { code: 'X1' }))
      }
    }
    done()
  }))
  await t.rejects(Note.create({ title: 'one' }), { code: 'FBK_CONNECTOR_MISSING_METHOD', message: /"odd".*"create"/ })
  const error = await Note.find().catch((reason: unknown) => reason)
  t.match(error, { code: 'FBK_CONNECTOR_STORE', message: 'The store refused the operation (X1).', cause: { code: 'X1' } })
})
