/** Getters and setters of properties: `Model.setter.x = function (value) { this.$x = … }`. */
import t from 'tap'
import { ModelRegistry } from '@fastback/core'
import { memoryConnector } from '@fastback/connector-memory'
import { sqlConnector } from '@fastback/connector-sql'

type Loose = any

const stores: Record<string, Loose> = {
  memory: { connector: memoryConnector },
  sqlite: { connector: sqlConnector, url: 'sqlite::memory:' }
}

const properties = { title: 'string', slug: 'string', size: 'number' }

async function start (t: Loose, store: Loose): Promise<{ Note: Loose, Draft: Loose, calls: unknown[] }> {
  const registry = new ModelRegistry()
  registry.defineDataSource('db', store)
  const Note: Loose = registry.attach(registry.defineModel({ name: 'Note', properties }), 'db')
  const calls: unknown[] = []
  Note.setter.title = function (this: Loose, value: unknown) {
    calls.push(value)
    if (value === 'bad') throw new Error('no such title')
    this.$title = String(value).trim()
    this.slug = this.$title.toLowerCase()
  }
  const Draft: Loose = registry.attach(registry.defineModel({ name: 'Draft', base: 'Note' }), 'db')
  await registry.start()
  await Note.dataSource.automigrate()
  t.teardown(() => registry.stop())
  return { Note, Draft, calls }
}

for (const [name, store] of Object.entries(stores)) {
  t.test(`${name}: values go through setters before they are stored`, async t => {
    const { Note, Draft } = await start(t, store)
    const note = await Note.create({ title: ' One ', size: 1 })
    t.match(note, { title: 'One', slug: 'one', size: 1 })
    t.match(await Note.findById(note.id), { title: 'One', slug: 'one', size: 1 })
    await note.updateAttributes({ title: ' Two' })
    t.match(await Note.findById(note.id), { title: 'Two', slug: 'two', size: 1 })
    note.title = 'Three '
    t.equal(note.title, 'Three', 'also by assignment')
    await note.save()
    t.match(await Note.findById(note.id), { title: 'Three', slug: 'three', size: 1 })
    await Note.upsertWithWhere({ size: 1 }, { title: ' Four' })
    t.match(await Note.findById(note.id), { title: 'Four', size: 1 })
    await Note.updateAll({ size: 1 }, { title: ' Five' })
    t.match(await Note.findById(note.id), { title: 'Five' })
    t.match(await Note.replaceById(note.id, { title: ' Six' }), { title: 'Six' })
    t.match(await Draft.create({ title: ' Own ' }), { title: 'Own' }, 'those of the base model, too')
    t.same(Object.keys((await Note.findOne()).toJSON()).sort(), ['id', 'slug', 'title'])
  })

  t.test(`${name}: rows that are read do not go through setters, and errors of setters are told`, async t => {
    const { Note, calls } = await start(t, store)
    const { id } = await Note.create({ title: ' One ' })
    const set = calls.length
    const found = await Note.findById(id)
    t.equal(calls.length, set)
    t.equal(new Note({ title: ' as it is ' }, { persisted: true }).title, ' as it is ')
    await t.rejects(Note.create({ title: 'bad' }), { message: 'no such title' })
    await t.rejects(found.updateAttributes({ title: 'bad' }), { message: 'no such title' })
    const told = await new Promise<Loose>(resolve => { Note.create({ title: 'bad' }, resolve) })
    t.equal(told.message, 'no such title')
    t.equal(await Note.count(), 1)
  })

  t.test(`${name}: getters show a value, and what is kept stays`, async t => {
    const { Note, Draft } = await start(t, store)
    Draft.getter.title = function (this: Loose) { return `${String(this.$title)}!` }
    const draft = await Draft.create({ title: 'a' })
    t.equal(draft.title, 'a!')
    t.match(draft.__data, { title: 'a' })
    t.match((await Draft.find()).map((each: Loose) => each.toJSON()), [{ title: 'a!' }])
    t.equal(JSON.parse(Draft.compiled.stringify({ id: 1, title: 'a' }, false)).title, 'a!', 'also where rows are shown')
    t.match(await Note.create({ title: 'b' }), { title: 'b' }, 'the base model has none')
    draft.__data.title = ' c '
    t.equal(draft.$title, ' c ')
    delete Draft.getter.title
    t.equal((await Draft.findOne()).title, 'a')
  })
}
