/** Functions of the in-process API that LoopBack's documentation names, with a callback and for a promise. */
import t from 'tap'
import { ModelRegistry } from '@fastback/core'
import { sharedMethodsOf } from '@fastback/core/remote'
import { memoryConnector } from '@fastback/connector-memory'
import { sqlConnector } from '@fastback/connector-sql'

type Loose = any

const stores: Record<string, Loose> = {
  memory: { connector: memoryConnector },
  sqlite: { connector: sqlConnector, url: 'sqlite::memory:' }
}

const called = async (run: (callback: (...args: unknown[]) => void) => unknown): Promise<unknown> =>
  await new Promise((resolve, reject) => {
    const returned = run((error, result) => {
      if (error instanceof Error) reject(error)
      else resolve(result)
    })
    if (returned !== undefined) reject(new Error('a call with a callback returns nothing'))
  })

for (const [name, store] of Object.entries(stores)) {
  t.test(`${name}: include, what an instance says of its model, remote operations of a data source`, async t => {
    const registry = new ModelRegistry()
    const db = registry.defineDataSource('db', store)
    registry.defineModels([
      { name: 'Author', properties: { name: 'string' }, relations: { books: { type: 'hasMany', model: 'Book' } } },
      {
        name: 'Book',
        properties: { title: 'string', pages: ['number'] },
        relations: { author: { type: 'belongsTo', model: 'Author' } }
      }
    ].map(input => ({ input: input as never })))
    const { Author, Book } = registry.models as Loose
    for (const Model of [Author, Book]) registry.attach(Model, 'db')
    await registry.start()
    t.teardown(() => registry.stop())
    const ann = await Author.create({ name: 'Ann' })
    await ann.books.create([{ title: 'a' }, { title: 'b' }])

    for (const include of [
      (...args: unknown[]) => Book.include(...args),
      (...args: unknown[]) => called(callback => Book.include(...args, callback))
    ]) {
      const books = await Book.find({ order: 'id' })
      t.equal(await include(books, 'author'), books)
      t.strictSame(books.map((book: Loose) => book.toJSON().author.name), ['Ann', 'Ann'])
      t.equal(books[0].author().name, 'Ann', 'loaded')
      const one = await Book.findById(1)
      t.equal(await include(one, { author: 'books' }, {}), one)
      t.equal(one.toJSON().author.books.length, 2)
      t.strictSame(await include([], 'author'), [])
      t.equal(await include(one, []), one)
      await t.rejects(include(one, 'publisher'), { code: 'INVALID_INCLUDE' })
    }

    t.strictSame((await Author.create(Array(2))).map(({ id }: Loose) => id), [2, 3])
    const [of] = await Book.create([{ author: ann }])
    const given = [new Book({ author: ann }), await Book.create({ author: ann }), of]
    for (const book of given) {
      t.equal(book.authorId, ann.id, 'an instance is as good as its key')
      t.equal(book.author(), ann, 'and is at hand')
    }
    t.equal((await Book.findById(given[1].id)).authorId, ann.id)

    t.equal(ann.getIdName(), 'id')
    t.equal(new Book({}).getPropertyType('title'), 'String')
    t.equal(new Book({}).getPropertyType('pages'), 'Array')
    t.equal(new Book({}).getPropertyType('none'), null)
    const done: string[] = []
    ann.trigger('save', function (this: Loose, next: (after: () => void) => void) {
      next(() => { done.push(this.name) })
    })
    t.strictSame(done, ['Ann'])
    t.ok('name' in new Author() && 'id' in new Author() && !('pages' in new Author()), 'declared properties are there')
    t.strictSame([Object.keys(new Author({})), JSON.stringify(new Author({}))], [[], '{}'], '… and not listed')
    const Poet = registry.defineModel({ name: 'Poet', base: 'Author', properties: { verse: 'string' } }) as Loose
    t.ok('verse' in new Poet() && 'name' in new Poet() && !('verse' in ann))
    const named = new Poet({ name: 'x', save: 'y', toJSON: 1 })
    t.strictSame([named.name, named.save], ['x', 'y'])

    const names = (Model: Loose): string[] => sharedMethodsOf(Model).map(({ fullName }) => fullName)
    db.disableRemote('find')
    t.notOk(names(Author).includes('find') || names(Book).includes('find'))
    registry.attach(Poet, 'db')
    t.notOk(names(Poet).includes('find'), 'of later models, too')
    db.enableRemote('find')
    t.ok(names(Author).includes('find') && names(Poet).includes('find'))
    Author.disableRemoteMethodByName('count')
    db.enableRemote('count')
    t.notOk(names(Author).includes('count'), 'what a model says for itself stays')
  })
}

t.test('a merge policy says how settings of a model and of its base become one', async t => {
  const registry = new ModelRegistry()
  const allow = { principalType: 'ROLE', principalId: '$everyone', permission: 'ALLOW' }
  const deny = { ...allow, permission: 'DENY' }
  const Base = registry.defineModel({
    name: 'Base',
    properties: { a: 'string', b: 'string' },
    hidden: ['a'],
    acls: [allow],
    indexes: { a: { keys: { a: 1 } } },
    mine: { x: { y: 1 }, z: 1 },
    list: [1]
  } as never) as Loose
  const extended = (name: string, configureModelMerge: unknown): Loose => Base.extend(name, {}, {
    ...(configureModelMerge === undefined ? {} : { configureModelMerge }),
    hidden: ['b'],
    acls: [deny],
    indexes: { b: { keys: { b: 1 } } },
    mine: { x: { w: 2 } },
    list: [2]
  })
  const told = ({ settings: { hidden, acls, indexes, mine, list }, definition }: Loose): unknown => ({
    hidden, rules: acls.length, indexes: Object.keys(indexes), mine, list, effective: definition.settings.acls.length
  })
  t.strictSame(told(extended('Usual', undefined)), {
    hidden: ['a', 'b'], rules: 2, indexes: ['a', 'b'], mine: { x: { y: 1, w: 2 }, z: 1 }, list: [1, 2], effective: 2
  })
  t.strictSame(told(extended('Recommended', true)), {
    hidden: ['a', 'b'], rules: 2, indexes: ['a', 'b'], mine: { x: { w: 2 } }, list: [2], effective: 2
  })
  const own = { acls: { replace: true }, hidden: { replace: true }, mine: { patch: true } }
  t.strictSame(told(extended('Own', own)), {
    hidden: ['b'], rules: 1, indexes: ['a', 'b'], mine: { x: { w: 2 }, z: 1 }, list: [1, 2], effective: 1
  })
  t.ok(extended('Hiding', own).compiled.hidden.has('b') && !extended('Open', own).compiled.hidden.has('a'))
  Base.getMergePolicy = () => ({ mine: {} })
  t.strictSame(extended('Asked', undefined).settings.mine, { x: { y: 1, w: 2 }, z: 1 }, 'what the base says')
})
