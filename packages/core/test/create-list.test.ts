/** Lists that code creates: whole by default, row by row where an application wants LoopBack's way. */
import t, { type Test } from 'tap'
import { ModelRegistry, type HookContext } from '@fastback/core'
import { asRemote, createList } from '@fastback/core/remote'
import { memoryConnector } from '@fastback/connector-memory'
import { sqlConnector } from '@fastback/connector-sql'

type Loose = any

async function start (t: Test, store: Loose, settings: object): Promise<Loose> {
  const registry = new ModelRegistry({ settings: settings as Loose })
  registry.defineDataSource('db', store)
  registry.defineModels([
    {
      input: {
        name: 'Note',
        forceId: false,
        properties: { title: { type: 'string', required: true }, authorId: 'number' }
      }
    },
    { input: { name: 'Author', relations: { notes: { type: 'hasMany', model: 'Note', foreignKey: 'authorId' } } } }
  ])
  registry.attach('Note', 'db')
  registry.attach('Author', 'db')
  await registry.start()
  t.teardown(() => registry.stop())
  return registry.models
}

for (const [name, store] of Object.entries({
  memory: { connector: memoryConnector }, SQLite: { connector: sqlConnector, url: 'sqlite::memory:' }
})) {
  t.test(`${name}: all rows or none`, async t => {
    const { Note } = await start(t, store, {})
    await t.rejects(Note.create([{ title: 'a' }, {}]), { name: 'ValidationError', statusCode: 422 })
    t.equal(await Note.count(), 0)
    await Note.create([{ title: 'a' }, {}], { atomic: false }).catch(() => {})
    t.equal(await Note.count(), 1, 'unless the call says otherwise')
  })

  t.test(`${name}: the good rows, and errors by position`, async t => {
    const { Note, Author } = await start(t, store, { atomicCreate: false })
    await Note.create({ id: 7, title: 'there' })
    const list = [{ title: 'a' }, {}, { id: 7, title: 'taken' }, { title: 'b' }]
    const errors = await Note.create(list).then(() => t.fail('no error'), (error: unknown) => error)
    t.ok(Array.isArray(errors))
    t.strictSame(Object.keys(errors), ['1', '2'])
    t.match(errors[1], { name: 'ValidationError', statusCode: 422 })
    t.ok(errors[2] instanceof Error)
    t.strictSame((await Note.find({ order: 'title' })).map((each: Loose) => each.title), ['a', 'b', 'there'])
    await new Promise<void>(resolve => {
      Note.create([{ title: 'c' }, {}], (given: Loose, rows: Loose) => {
        t.match(given, { 1: { statusCode: 422 } })
        t.match(rows, [{ title: 'c' }, {}])
        t.equal(rows[0].isNewRecord(), false)
        t.equal(rows[1].isNewRecord(), true)
        resolve()
      })
    })
    const author = await Author.create({})
    await t.rejects(author.notes.create([{}, { title: 'of the author' }]))
    t.equal(await author.notes.count(), 1, 'lists of a relation, too')
    await t.rejects(Note.create([{ title: 'd' }, {}], { atomic: true }), { statusCode: 422 } as never)
    await t.rejects(async () => await createList(Note.compiled, [{ title: 'd' }, {}], asRemote({})), { statusCode: 422 } as never)
    t.equal(await Note.count({ title: 'd' }), 0, 'what is asked for whole, and what clients send, stays whole')
    t.equal((await Note.create([{ title: 'e' }, { title: 'f' }])).length, 2)
  })

  t.test(`${name}: hooks of rows that are stored, none after a refusal`, async t => {
    const { Note } = await start(t, store, { atomicCreate: false })
    const seen: string[] = []
    for (const hook of ['before save', 'persist', 'loaded', 'after save']) {
      Note.observe(hook, async ({ instance, currentInstance, data }: HookContext) => {
        const title = String((instance ?? currentInstance ?? data)?.title)
        seen.push(`${hook} ${title}`)
        if (hook === 'before save' && title === 'b') throw new Error('not this one')
      })
    }
    const errors = await Note.create([{ title: 'a' }, { title: 'b' }, {}]).catch((error: unknown) => error)
    t.match(errors, { 1: { message: 'not this one' }, 2: { statusCode: 422 } })
    t.strictSame(seen, [
      'before save a', 'before save b', 'before save undefined', 'persist a', 'loaded a', 'after save a'
    ])
  })
}
