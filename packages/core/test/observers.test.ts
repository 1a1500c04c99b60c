/** Observers beyond `observe`: taken back, told by the application, and replaced as a whole. */
import t from 'tap'
import { ModelRegistry } from '@fastback/core'
import { memoryConnector } from '@fastback/connector-memory'
import { sqlConnector } from '@fastback/connector-sql'

type Loose = any

async function start (dataSource: Loose): Promise<{ Base: Loose, Note: Loose, warned: unknown[] }> {
  const warned: unknown[] = []
  const log = { warn: (_: object, text: string) => { warned.push(text) }, info () {}, debug () {} }
  const registry = new ModelRegistry({ log })
  registry.defineDataSource('db', dataSource)
  registry.defineModels([
    { input: { name: 'Base', properties: { title: 'string', stars: 'number' } } },
    { input: { name: 'Note', base: 'Base', forceId: false } }
  ])
  registry.attach('Note', 'db')
  await registry.start()
  t.teardown(() => registry.stop())
  const { Base, Note } = registry.models as Loose
  return { Base, Note, warned }
}

const stores: Array<[string, Loose]> = [
  ['memory', { connector: memoryConnector }],
  ['sqlite', { connector: sqlConnector, url: 'sqlite::memory:', migrate: 'update' }]
]

t.test('observers of names of the application\'s own', async t => {
  const { Base, Note, warned } = await start({ connector: memoryConnector })
  const heard: string[] = []
  Base.observe('printed', (_: Loose, next: () => void) => { heard.push('base'); next() })
  Note.observe('printed', async () => { heard.push('own') })
  Note.observe('filed', () => { heard.push('filed') })
  t.match(await Note.notifyObserversOf(['printed', 'filed'], { printer: 'hall' }), { printer: 'hall' })
  t.strictSame(heard, ['base', 'own', 'filed'])
  heard.length = 0
  await Base.notifyObserversOf('printed', {})
  t.strictSame(heard, ['base'])
  Note.observe('failing', async () => { throw new Error('no paper') })
  await t.rejects(Note.notifyObserversOf('failing', {}), { message: 'no paper' })
  await new Promise<void>(resolve => Note.notifyObserversOf('failing', {}, (error: Error) => {
    t.equal(error.message, 'no paper')
    resolve()
  }))
  t.strictSame(warned, [])
  Note.observe('before saving', () => {})
  t.match(warned, [/"before saving" is no operation hook. Did you mean "before save"/])
})

t.test('notifyObserversAround', async t => {
  const { Note } = await start({ connector: memoryConnector })
  const around = (work: Loose): Promise<unknown[]> => new Promise(resolve => {
    Note.notifyObserversAround('print', { id: 1 }, work, (...answer: unknown[]) => { resolve(answer) })
  })
  const work = ({ id }: Loose, done: Loose): void => { done(null, `page ${String(id)}`) }
  t.strictSame(await around(work), [null, 'page 1'])
  const change = (context: Loose): void => { context.results = ['changed'] }
  Note.observe('after print', change)
  t.strictSame(await around(work), [null, 'changed'])
  Note.removeObserver('after print', change)
  t.strictSame(await around((done: Loose) => { done(null, 'short') }), [null, 'short'])
  t.match(await around((done: Loose) => { done(new Error('jam')) }), [{ message: 'jam' }])
  Note.observe('before print', () => { throw new Error('off') })
  t.match(await around(work), [{ message: 'off' }])
})

for (const [name, dataSource] of stores) {
  t.test(`removed and cleared: ${name}`, async t => {
    const { Base, Note } = await start(dataSource)
    const stamp = (context: Loose): void => { context.instance.stars = 5 }
    Note.observe('before save', stamp)
    t.equal((await Note.create({})).stars, 5)
    Note.removeObserver('before save', stamp)
    Note.removeObserver('before save', stamp)
    t.equal((await Note.create({})).stars, undefined)
    Base.observe('before save', stamp)
    Note.observe('before save', (context: Loose) => { context.instance.title = 'own' })
    Note.clearObservers('before save')
    t.match(await Note.create({}), { stars: 5, title: undefined }, 'those of bases stay')
  })

  t.test(`what stands in the place of notifyObserversOf hears every hook: ${name}`, async t => {
    const { Note } = await start(dataSource)
    const heard: string[] = []
    const before = Note.notifyObserversOf
    Note.observe('before save', (context: Loose) => { context.instance.stars = 1 })
    Note.notifyObserversOf = function (hook: string, context: Loose, callback: Loose) {
      heard.push(hook)
      return before.call(this, hook, context, callback)
    }
    t.equal((await Note.create({ title: 'a' })).stars, 1)
    await Note.find()
    t.strictSame(heard, ['before save', 'persist', 'loaded', 'after save', 'access', 'loaded'])
    Note.notifyObserversOf = before
    await Note.find()
    t.equal(heard.length, 6)
  })

  t.test(`what hooks see and change: ${name}`, async t => {
    const { Note } = await start(dataSource)
    const note = await Note.create({ id: 1, title: 'a', stars: 1 })
    await Note.create({ id: 2, title: 'b', stars: 2 })
    const seen: unknown[] = []
    const persist = ({ currentInstance }: Loose): void => { seen.push(currentInstance.title) }
    Note.observe('persist', persist)
    await note.updateAttributes({ title: 'patched' })
    await note.replaceAttributes({ title: 'replaced', stars: 1 })
    t.strictSame(seen, ['patched', 'replaced'], 'persist: the instance with the change in it')
    Note.removeObserver('persist', persist)
    const options: unknown[] = []
    const listen = (context: Loose): void => { options.push(context.options) }
    Note.observe('before save', listen)
    await note.save()
    t.strictSame(options, [{ throws: false, validate: true }])
    Note.removeObserver('before save', listen)
    const elsewhere = (context: Loose): void => { context.where = { id: 2 } }
    Note.observe('before save', elsewhere)
    await Note.updateAll({ id: 1 }, { stars: 9 })
    Note.clearObservers('before save')
    t.strictSame((await Note.find({ order: 'id' })).map(({ stars }: Loose) => stars), [1, 9])
    Note.observe('before delete', elsewhere)
    t.strictSame(await Note.destroyAll({ id: 1 }), { count: 1 })
    t.strictSame((await Note.find()).map(({ id }: Loose) => id), [1])
  })

  t.test(`what loaded adds is left out where fields did not ask for it: ${name}`, async t => {
    const { Note } = await start(dataSource)
    await Note.create({ id: 1, title: 'a', stars: 3 })
    Note.observe('loaded', (context: Loose) => { context.data.stars = 7; context.data.shown = true })
    t.strictSame((await Note.find({ fields: ['title'] })).map((each: Loose) => each.toJSON()), [{ title: 'a' }])
    t.match((await Note.find())[0], { title: 'a', stars: 7, shown: true })
  })
}

for (const [name, dataSource] of stores) {
  t.test(`observers of a connector: ${name}`, async t => {
    const { Note } = await start(dataSource)
    const { connector } = Note.dataSource
    const request = ({ sql, command }: Loose): string => command ?? sql.split(' ')[0]
    const seen: string[] = []
    const before = ({ req }: Loose, next: Loose): void => {
      seen.push(`before ${request(req)} ${Array.isArray(req.params)}`)
      next()
    }
    const after = async ({ req, res, results }: Loose): Promise<void> => {
      await new Promise(resolve => { setImmediate(resolve) })
      seen.push(`after ${request(req)} ${res !== undefined && res === results[0]}`)
    }
    await Note.create({ id: 1, title: 'a', stars: 1 })
    const unobserved = connector.create
    connector.observe('before execute', before)
    connector.observe('after execute', after)
    await Note.create({ id: 2, title: 'b', stars: 2 })
    await Note.count({ stars: 2 })
    const [create, count] = name === 'memory' ? ['create', 'count'] : ['INSERT', 'SELECT']
    t.strictSame(seen, [
      `before ${create} true`, `after ${create} true`, `before ${count} true`, `after ${count} true`
    ])
    // Operations that are several statements stay whole while observers take their time.
    const found = await Promise.all(Array.from({ length: 8 }, async () => {
      const [{ id }] = await Note.findOrCreate({ where: { title: 'once' } }, { title: 'once', stars: 3 })
      return id
    }))
    t.equal(new Set(found).size, 1)
    t.equal(await Note.count({ title: 'once' }), 1)
    connector.removeObserver('before execute', before)
    connector.clearObservers('after execute')
    t.equal(connector.create, unobserved)
    seen.length = 0
    await Note.find()
    t.strictSame(seen, [], 'those that were taken back')

    const refuse = (_: Loose, next: Loose): void => { next(Object.assign(new Error('not now'), { statusCode: 503 })) }
    connector.observe('before execute', refuse)
    await t.rejects(Note.find(), { message: 'not now', statusCode: 503 })
    connector.clearObservers('before execute')
    t.equal((await Note.find()).length, 3)
    t.strictSame(await connector.notifyObserversOf('mine', { x: 1 }), { x: 1 })
    await t.rejects(async () => {
      connector.observe('mine', () => { throw new Error('no') })
      await connector.notifyObserversOf(['mine'], {})
    }, { message: 'no' })
  })
}

t.test('observers of statements change them, and are told of those in a transaction', async t => {
  const { Note } = await start((stores[1] as [string, Loose])[1])
  const { dataSource } = Note
  const { connector } = dataSource
  await Note.create([{ id: 1, title: 'a' }, { id: 2, title: 'b' }])
  const statements: string[] = []
  connector.observe('before execute', ({ req }: Loose, next: Loose) => {
    statements.push(req.sql)
    if (req.sql === 'SELECT 1 AS n') req.sql = 'SELECT 2 AS n'
    if (req.params.includes('a')) req.params = ['b']
    next()
  })
  t.same(await connector.execute('SELECT 1 AS n'), [{ n: 2 }])
  t.same(await connector.execute('SELECT id FROM Note WHERE title = ?', ['a']), [{ id: 2 }])
  connector.observe('after execute', (context: Loose, next: Loose) => {
    if (context.req.sql.includes('AS n')) context.results = [[{ n: 3 }]]
    next()
  })
  t.same(await connector.execute('SELECT 1 AS n'), [{ n: 3 }])
  statements.length = 0
  const transaction = await dataSource.beginTransaction()
  await Note.create({ id: 3, title: 'c' }, { transaction })
  await transaction.rollback()
  t.match(statements, [/^INSERT/])
  t.equal(await Note.findById(3), null)
  connector.observe('before execute', (context: Loose) => { context.end(null, [{ n: 9 }]) })
  t.same(await connector.execute('SELECT 1 AS n'), [{ n: 9 }], 'one that ends it')
})
