/**
 * An error of a hook that comes after the write takes the write back, where the store has transactions; hooks need not
 * know of them.
 */
import t, { type Test } from 'tap'
import { setTimeout as wait } from 'node:timers/promises'
import { ModelRegistry, type Change, type HookContext } from '@fastback/core'
import { changeFeedOf } from '@fastback/core/remote'
import { memoryConnector } from '@fastback/connector-memory'
import { sqlConnector } from '@fastback/connector-sql'

type Loose = any

async function start (t: Test, url: string, settings: object = {}): Promise<Loose> {
  const registry = new ModelRegistry()
  registry.defineDataSource('db', { connector: sqlConnector, url, transactionTimeout: 2000 })
  registry.defineDataSource('other', { connector: memoryConnector })
  registry.defineModels([
    { input: { name: 'Note', forceId: false, properties: { title: 'string', size: 'number' }, ...settings } },
    { input: { name: 'Log', properties: { line: 'string' } } },
    { input: { name: 'Away', properties: { line: 'string' } } }
  ])
  registry.attach('Note', 'db')
  registry.attach('Log', 'db')
  registry.attach('Away', 'other')
  await registry.start()
  t.teardown(() => registry.stop())
  return registry.models
}

for (const [name, urlOf] of [
  ['in memory', () => 'sqlite::memory:'],
  ['in a file', (t: Test) => `sqlite:${t.testdir({})}/rows.sqlite`]
] as const) {
  t.test(`SQLite ${name}: nothing is left half-written`, async t => {
    const { Note, Log, Away } = await start(t, urlOf(t))
    let failing = false
    const write = async (context: HookContext): Promise<void> => {
      // As applications do it: without passing the options on, and reading what was just written.
      await Log.create({ line: 'a' })
      await Away.create({ line: 'b' })
      await wait(2)
      await Note.count()
      if (failing) throw Object.assign(new Error('refused'), { statusCode: 409, where: context.where })
    }
    Note.observe('after save', write)
    Note.observe('after delete', write)
    await Note.create([
      { id: 1, title: 'one', size: 1 },
      { id: 2, title: 'two', size: 2 }
    ])
    const before = await Note.find()
    const logged = await Log.count()
    failing = true
    const one = await Note.findById(1)
    const attempts: Array<[what: string, () => Promise<unknown>]> = [
      ['create', () => Note.create({ title: 'x' })],
      ['create many', () => Note.create([{ title: 'x' }, { title: 'y' }])],
      ['updateAttributes', () => one.updateAttributes({ size: 9 })],
      ['replaceById', () => Note.replaceById(1, { title: 'x' })],
      ['updateAll', () => Note.updateAll({}, { size: 9 })],
      [
        'save',
        async () => {
          const two = await Note.findById(2)
          two.size = 9
          await two.save()
        }
      ],
      ['updateOrCreate', () => Note.updateOrCreate({ id: 2, size: 9 })],
      ['updateOrCreate of a new row', () => Note.updateOrCreate({ id: 9, size: 9 })],
      ['replaceOrCreate', () => Note.replaceOrCreate({ id: 2, size: 9 })],
      ['upsertWithWhere', () => Note.upsertWithWhere({ title: 'one' }, { size: 9 })],
      ['findOrCreate', () => Note.findOrCreate({ where: { title: 'none' } }, { title: 'none' })],
      ['destroyById', () => Note.destroyById(1)],
      ['destroyAll', () => Note.destroyAll()],
      [
        'destroy',
        async () => {
          await (await Note.findById(2)).destroy()
        }
      ]
    ]
    for (const [what, attempt] of attempts) {
      await t.rejects(attempt(), { message: 'refused', statusCode: 409 }, what)
      t.strictSame(await Note.find(), before, `${what}: the rows are as they were`)
      t.equal(await Log.count(), logged, `${what}: what hooks wrote is gone, too`)
    }
    failing = false
    const made = await Promise.all(Array.from({ length: 20 }, async (_, i) => await Note.create({ title: `p${i}` })))
    t.equal(new Set(made.map(({ id }: Loose) => id)).size, 20, 'many at once')
    t.equal(await Log.count(), logged + 20)
    await Promise.all([
      ...made.map(async (note: Loose) => await note.updateAttributes({ size: 3 })),
      ...made.map(async () => await Note.find())
    ])
    t.equal(await Note.count({ size: 3 }), 20)
  })

  t.test(`SQLite ${name}: transactions of hooks, work that nobody waits for`, async t => {
    const { Note, Log } = await start(t, urlOf(t))
    let hook: (context: HookContext) => unknown = () => {}
    Note.observe('after save', async (context: HookContext) => {
      await hook(context)
    })
    hook = async () => {
      await Log.transaction(async (options: Loose) => await Log.create({ line: 'within' }, options))
    }
    await Note.create({ title: 'a' })
    t.equal(await Log.count(), 1, 'a transaction within is part of the whole')
    hook = async () => {
      const transaction = await Log.beginTransaction()
      await Log.create({ line: 'x' }, { transaction })
      await transaction.rollback()
    }
    await t.rejects(Note.create({ title: 'b' }), /rolled back/)
    t.equal(await Note.count(), 1)
    t.equal(await Log.count(), 1)
    let later: Promise<unknown> | undefined
    hook = () => {
      later = wait(20).then(async () => await Log.create({ line: 'late' }))
    }
    await Note.create({ title: 'c' })
    await later
    t.equal(await Log.count({ line: 'late' }), 1, 'what comes after the end is outside')
    hook = async () => {
      throw new Error('no')
    }
    await t.rejects(
      Note.transaction(async (options: Loose) => {
        await Note.create({ title: 'mine' }, options).catch(() => {})
        t.equal(await Note.count({ title: 'mine' }, options), 1, "the transaction of the caller is the caller's")
        throw new Error('undo')
      }),
      /undo/
    )
    t.equal(await Note.count(), 2)
  })
}

t.test('change streams tell of nothing that was rolled back', async t => {
  const { Note } = await start(t, 'sqlite::memory:')
  const told: unknown[] = []
  const feed = changeFeedOf(Note.state)
  const stop = feed.listen(() => {
    const change = feed.after(feed.sequence - 1) as Change | undefined
    told.push([change?.type, change?.target])
  })
  await Note.create({ id: 1 })
  let fail = true
  Note.observe('after save', async () => { if (fail) throw new Error('no') })
  await t.rejects(Note.create({ id: 2 }))
  fail = false
  await Note.create({ id: 3 })
  t.strictSame(told, [['create', 1], ['create', 3]])
  for (const [id, end] of [[4, 'rollback'], [5, 'commit']] as const) {
    const transaction = await Note.beginTransaction({})
    await Note.create({ id }, { transaction })
    t.equal(told.length, 2, 'nothing before the end of a transaction of the caller')
    await transaction[end]()
  }
  t.strictSame(told.slice(2), [['create', 5]])
  stop()
})

t.test('a model may want it as in LoopBack', async t => {
  const { Note } = await start(t, 'sqlite::memory:', { hooksInTransaction: false })
  Note.observe('after save', async () => { throw new Error('no') })
  await t.rejects(Note.create({ id: 1 }), /no/)
  t.equal(await Note.count(), 1)
})

t.test('an error of a loaded hook counts as well', async t => {
  const { Note } = await start(t, 'sqlite::memory:')
  Note.observe('loaded', async () => { throw new Error('no') })
  await t.rejects(Note.create({ id: 1 }), /no/)
  t.equal(await Note.count(), 0)
})
