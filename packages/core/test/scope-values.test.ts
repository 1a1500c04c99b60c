/** What default scopes set on rows, the order of properties, and what relations tell of themselves. */
import t from 'tap'
import { ModelRegistry } from '@fastback/core'
import { memoryConnector } from '@fastback/connector-memory'
import { sqlConnector } from '@fastback/connector-sql'

type Loose = any

const stores: Array<[string, Loose]> = [
  ['memory', { connector: memoryConnector }],
  ['sqlite', { connector: sqlConnector, url: 'sqlite::memory:', migrate: 'update' }]
]

async function start (dataSource: Loose, models: object[]): Promise<Loose> {
  const registry = new ModelRegistry()
  registry.defineDataSource('db', dataSource)
  registry.defineModels(models.map(input => ({ input: input as { name: string } })))
  for (const { name } of models as Array<{ name: string }>) registry.attach(name, 'db')
  await registry.start()
  t.teardown(() => registry.stop())
  return registry.models
}

const properties = { title: 'string', kind: 'string', stars: 'number' }

for (const [name, dataSource] of stores) {
  t.test(`rows of a default scope are in it: ${name}`, async t => {
    const { Tool, Thing, Free } = await start(dataSource, [
      { name: 'Tool', forceId: false, properties, scope: { where: { and: [{ kind: 'tool' }], stars: { gt: -1 } } } },
      { name: 'Thing', properties, attributes: { kind: 'thing' }, scope: { where: { kind: 'thing' } } },
      { name: 'Free', properties, attributes: false, scope: { where: { kind: 'free' } } }
    ])
    const tool = await Tool.create({ title: 'saw', stars: 1 })
    t.match(await Tool.findById(tool.id), { title: 'saw', kind: 'tool' })
    await Tool.create([{ title: 'a', stars: 1, kind: 'other' }, { title: 'b', stars: 1 }])
    await Tool.upsert({ id: 9, title: 'c', stars: 1, kind: 'other' })
    await Tool.updateAll({ title: 'a' }, { kind: 'other', stars: 2 })
    await tool.updateAttributes({ kind: 'other' })
    await Tool.replaceById(9, { title: 'd', stars: 1 })
    t.equal(await Tool.count(), 4)
    t.equal(tool.kind, 'tool')
    t.equal((await Thing.create({ kind: 'other' })).kind, 'thing')
    t.equal((await Free.create({ kind: 'other' })).kind, 'other')
    t.equal(await Free.count(), 0)
  })

  t.test(`properties in the order of the definition: ${name}`, async t => {
    const { Book, Novel } = await start(dataSource, [
      { name: 'Author', properties: { name: 'string' } },
      {
        name: 'Book',
        properties: { title: 'string', text: 'string' },
        relations: { author: { type: 'belongsTo', model: 'Author' } }
      },
      { name: 'Novel', base: 'Book', properties: { era: 'string', text: 'string' } }
    ])
    const order = async (Model: Loose, data: object): Promise<void> => {
      const created = await Model.create(data)
      const found = await Model.findById(created.id)
      for (const each of [created, found]) {
        const whole = Object.keys(JSON.parse(JSON.stringify(each)) as object)
        t.strictSame(whole, Object.keys(Model.definition.properties).filter(key => whole.includes(key)))
      }
    }
    t.strictSame(Object.keys(Book.definition.properties), ['title', 'text', 'id', 'authorId'])
    t.strictSame(Object.keys(Novel.definition.properties), ['era', 'text', 'title', 'id', 'authorId'])
    await order(Book, { authorId: 1, text: 'x', title: 'y' })
    await order(Novel, { authorId: 1, text: 'x', title: 'y', era: 'z' })
  })
}

t.test('relations tell of themselves, and take methods', async t => {
  const { Author, Book } = await start({ connector: memoryConnector }, [
    { name: 'Author', properties: { name: 'string' } },
    { name: 'Book', properties: { title: 'string' } }
  ])
  const books = Author.hasMany(Book, { as: 'books', foreignKey: 'authorId' })
  Book.belongsTo(Author, { as: 'author', foreignKey: 'authorId' })
  t.strictSame(books.toJSON(), {
    name: 'books',
    type: 'hasMany',
    modelFrom: 'Author',
    keyFrom: 'id',
    modelTo: 'Book',
    keyTo: 'authorId',
    multiple: true
  })
  t.strictSame(Author.prototype.books, { _targetClass: 'Book' })
  const titles = function (this: Loose, callback: Loose): void {
    this.fetch((error: unknown, found: Loose[]) => callback(error, found.map(({ title }) => title)))
  }
  books.defineMethod('titles', Object.assign(titles, { shared: true }))
  t.equal(Author.prototype.__titles__books.shared, true)
  const author = await Author.create({ name: 'Ann' })
  await author.books.create({ title: 'one' })
  await new Promise<void>(resolve => author.books.titles((_: unknown, found: string[]) => {
    t.strictSame(found, ['one'])
    resolve()
  }))
  t.equal(await author.books.find(), author.books(), 'what find loaded is at hand')
  const [book] = await Book.find({ include: 'author' })
  t.equal(book.__cachedRelations.author.constructor, Author)
  const [nobodys] = await Book.find({ where: { id: (await Book.create({})).id }, include: 'author' })
  t.strictSame(nobodys.__cachedRelations, { author: null }, 'that there is none is known as well')
})

t.test('toObject has all declared properties, toJSON those that have a value', async t => {
  const { Note } = await start({ connector: memoryConnector }, [{ name: 'Note', properties, hidden: ['kind'] }])
  const note = new Note({ title: 'a', more: 1 })
  t.strictSame(note.toObject(), { title: 'a', kind: undefined, stars: undefined, id: undefined, more: 1 })
  t.strictSame(Object.keys(note.toObject(true)), ['title', 'kind', 'stars', 'id', 'more'], 'an open model has all')
  t.strictSame(Object.keys(note.toObject(true, true)), ['title', 'stars', 'id', 'more'])
  t.strictSame(note.toJSON(), { title: 'a', more: 1 })
})
