/** What a strict model does not have: refused where callers send it, shown and not stored where code sets it. */
import t, { type Test } from 'tap'
import { ModelRegistry, type HookContext } from '@fastback/core'
import { memoryConnector } from '@fastback/connector-memory'
import { sqlConnector } from '@fastback/connector-sql'

type Loose = any

const stores = {
  memory: { connector: memoryConnector },
  SQLite: { connector: sqlConnector, url: 'sqlite::memory:' }
}

async function start (t: Test, store: Loose, strict: unknown): Promise<{ Note: Loose }> {
  const registry = new ModelRegistry()
  registry.defineDataSource('db', store)
  registry.defineModels([{ input: { name: 'Note', strict, properties: { title: 'string' } } as Loose }])
  registry.attach('Note', 'db')
  await registry.start()
  t.teardown(() => registry.stop())
  const { Note } = registry.models as Loose
  return { Note }
}

const json = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

for (const [name, store] of Object.entries(stores)) {
  for (const strict of [true, 'filter'] as const) {
    t.test(`${name}, strict: ${strict}: what hooks set beyond the model is shown and not stored`, async t => {
      const { Note } = await start(t, store, strict)
      Note.observe('before save', async ({ instance }: HookContext) => { if (instance) instance.slug = 'one' })
      Note.observe('after save', async ({ instance }: HookContext) => { if (instance) instance.seen = true })
      const made = await Note.create({ title: 'One' })
      t.strictSame(json(made), { title: 'One', id: 1, slug: 'one', seen: true })
      t.strictSame(json(await Note.findById(1)), { title: 'One', id: 1 }, 'the row is stored without it')
      t.strictSame(made.toObject(), { title: 'One', id: 1 }, 'an object of the schema alone')
      t.strictSame(made.toObject(false), { title: 'One', id: 1, slug: 'one', seen: true })
      made.title = 'Two'
      t.strictSame(json(await made.save()), { title: 'Two', id: 1, slug: 'one', seen: true })
      t.strictSame(json(await Note.replaceById(1, { title: 'Three' })), {
        title: 'Three', id: 1, slug: 'one', seen: true
      })
      t.strictSame(json(await made.updateAttributes({ title: 'Four' })), {
        title: 'Four', id: 1, slug: 'one', seen: true
      })
      const [found] = await Note.findOrCreate({ where: { title: 'Five' } }, { title: 'Five' })
      t.strictSame(json(found), { title: 'Five', id: 2, seen: true })
      t.strictSame(json(await Note.find()), [{ title: 'Four', id: 1 }, { title: 'Five', id: 2 }])
    })
  }

  t.test(`${name}: what callers send beyond a strict model is refused, wherever it has been since`, async t => {
    const { Note } = await start(t, store, true)
    const refused = { statusCode: 422, details: { codes: { stars: ['unknown-property'] } } } as never
    const note = new Note({ title: 'x', stars: 3 })
    t.equal(note.stars, undefined, 'it is no data')
    t.equal(note.isValid(), false)
    t.match(note.errors, { stars: ['is not defined in the model'] })
    await t.rejects(note.save(), refused)
    await t.rejects(Note.create({ title: 'x', stars: 3 }), refused)
    let seen: unknown = 'nothing'
    Note.observe('before save', async ({ instance, data }: HookContext) => {
      seen = instance?.stars
      if (data !== undefined) data.stars = 4
    })
    await t.rejects(Note.create({ title: 'x', stars: 3 }), refused, 'a hook does not change that')
    t.equal(seen, undefined)
    const made = await Note.create({ title: 'x' })
    await t.rejects(made.updateAttributes({ title: 'y' }), refused, 'changes are what callers say, whoever wrote them')
    t.equal(await Note.count(), 1)
  })

  t.test(`${name}: reads of a strict model show what is declared`, async t => {
    const { Note } = await start(t, store, true)
    await Note.create([{ title: 'a' }, { title: 'b' }])
    Note.observe('loaded', async ({ data }: HookContext) => { (data as Loose).seen = true })
    t.strictSame(json(await Note.find()), [{ title: 'a', id: 1 }, { title: 'b', id: 2 }])
    const note = await Note.findById(1)
    note.mark = 1
    t.strictSame(json(note), { title: 'a', id: 1, mark: 1 })
    await note.save()
    t.strictSame(json(await Note.findById(1)), { title: 'a', id: 1 })
  })
}
