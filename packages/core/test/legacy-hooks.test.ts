/**
 * Hooks that are functions of the class, as LoopBack 3 has them (api-surface.md, heading 11). What each operation tells
 * is compared with LoopBack in `packages/loopback/test/api-surface-settings.test.ts`.
 */
import t, { type Test } from 'tap'
import { ModelRegistry } from '@fastback/core'
import { memoryConnector } from '@fastback/connector-memory'
import { sqlConnector } from '@fastback/connector-sql'

type Loose = any

const stores = {
  memory: { connector: memoryConnector },
  SQLite: { connector: sqlConnector, url: 'sqlite::memory:' }
}

async function start (t: Test, dataSource: Loose): Promise<Loose> {
  const registry = new ModelRegistry()
  registry.defineDataSource('db', dataSource)
  registry.defineModels([
    { input: { name: 'Base', properties: { name: 'string', size: 'number' } } },
    { input: { name: 'Note', base: 'Base' } }
  ])
  registry.attach('Note', 'db')
  await registry.start()
  t.teardown(() => registry.stop())
  return registry.models
}

for (const [name, dataSource] of Object.entries(stores)) {
  t.test(name, async t => {
    t.test('functions may call back, or give a promise', async t => {
      const { Note } = await start(t, dataSource)
      Note.beforeSave = (next: () => void) => { setTimeout(next, 1) }
      Note.beforeCreate = async function (this: Loose) { this.size = await Promise.resolve(3) }
      t.equal((await Note.create({ name: 'a' })).size, 3)
    })

    t.test('other names, and functions of a base', async t => {
      const { Base, Note } = await start(t, dataSource)
      const seen: string[] = []
      Base.preCreate = () => { seen.push('preCreate') }
      Base.beforeValidation = () => { seen.push('beforeValidation') }
      Note.postCreate = () => { seen.push('postCreate') }
      t.equal(Note.preCreate, Base.preCreate)
      await Note.create({ name: 'a' })
      t.strictSame(seen, ['beforeValidation', 'preCreate', 'postCreate'])
    })

    t.test('a function can be taken back', async t => {
      const { Note } = await start(t, dataSource)
      Note.beforeCreate = () => { throw new Error('no') }
      await t.rejects(Note.create({ name: 'a' }), { message: 'no' })
      Note.beforeCreate = undefined
      t.equal((await Note.create({ name: 'a' })).name, 'a')
    })

    t.test('they stand around observers of operation hooks', async t => {
      const { Note } = await start(t, dataSource)
      const seen: string[] = []
      for (const each of ['beforeValidate', 'afterValidate', 'beforeCreate', 'afterCreate']) {
        Note[each] = () => { seen.push(each) }
      }
      for (const hook of ['before save', 'persist', 'after save']) Note.observe(hook, () => { seen.push(hook) })
      await Note.create({ name: 'a' })
      t.strictSame(seen, [
        'before save',
        'beforeValidate', 'afterValidate', 'beforeCreate', 'persist', 'afterCreate', 'after save'
      ])
    })

    t.test('lists show what afterInitialize made of their rows', async t => {
      const { Note } = await start(t, dataSource)
      await Note.create([{ name: 'a' }, { name: 'b' }])
      Note.afterInitialize = function (this: Loose) { this.size = 1 }
      t.strictSame((await Note.find()).map(({ size }: Loose) => size), [1, 1])
      t.equal(new Note({}).size, 1)
    })
  })
}

t.test('an error after the write takes it back, where the store has transactions', async t => {
  const { Note } = await start(t, stores.SQLite)
  Note.afterSave = (next: (error: Error) => void) => { next(new Error('no')) }
  await t.rejects(Note.create({ name: 'a' }), { message: 'no' })
  t.equal(await Note.count(), 0)
})

t.test('afterInitialize runs once for each instance that is made', async t => {
  const { Note } = await start(t, stores.memory)
  let runs = 0
  Note.afterInitialize = function (this: Loose) {
    runs++
    if (this.name !== undefined) this.name += '!'
  }
  const ran = async (work: () => Promise<unknown>): Promise<number> => {
    runs = 0
    await work()
    return runs
  }
  let note: Loose
  t.equal(await ran(async () => { note = await Note.create({ name: 'a' }) }), 1)
  t.equal(note.name, 'a!', 'what it sets is stored')
  t.equal(await ran(async () => { await new Note({ name: 'b' }).save() }), 1)
  t.equal(await ran(() => note.updateAttributes({ size: 1 })), 0)
  t.equal(await ran(() => Note.create([{ name: 'c' }, { name: 'd' }])), 2)
  t.equal(await ran(async () => { t.equal((await Note.findById(1)).name, 'a!!') }), 1)
})

t.test('a before hook may answer in place of the operation', async t => {
  const { Note } = await start(t, stores.memory)
  const note = await Note.create({ name: 'a' })
  Note.beforeSave = (next: Loose) => { next(null, 'not today') }
  t.equal(await note.save(), 'not today')
  t.equal(await note.updateAttributes({ name: 'b' }), 'not today')
  t.equal(await Note.replaceById(1, { name: 'b' }), 'not today')
  t.equal(await Note.create({ name: 'b' }), 'not today')
  t.equal((await Note.findById(1)).name, 'a')
  Note.beforeSave = null
  Note.beforeCreate = (next: Loose, { name }: Loose) => { if (name === 'x') next(null, { id: 'x' }); else next() }
  t.match(await Note.create([{ name: 'x' }, { name: 'y' }], { atomic: false }), [{ id: 'x' }, { id: 2, name: 'y' }])
  t.equal(await Note.count(), 2)
})
