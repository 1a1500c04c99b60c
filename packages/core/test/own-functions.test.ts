/** Functions that an application puts in the place of a model's: those of the framework call them, as in LoopBack. */
import t, { type Test } from 'tap'
import { ModelRegistry } from '@fastback/core'
import { memoryConnector } from '@fastback/connector-memory'

type Loose = any

interface Library {
  readonly Author: Loose
  readonly Book: Loose
  readonly Shelf: Loose
  readonly Link: Loose
}

/** Two books of one author, the second of them gone; both on one shelf, and both linked to one tag. */
async function library (): Promise<Library> {
  const registry = new ModelRegistry()
  const db = registry.defineDataSource('db', { connector: memoryConnector })
  const Author = db.createModel('Author', { name: 'string' }, {
    relations: { books: { type: 'hasMany', model: 'Book' }, first: { type: 'hasOne', model: 'Book' } }
  }) as Loose
  const Book = db.createModel('Book', { title: 'string', gone: 'boolean' }, {
    relations: { author: { type: 'belongsTo', model: 'Author' } }, scopes: { every: { where: {} } }
  }) as Loose
  const Shelf = db.createModel('Shelf', { name: 'string' }, {
    relations: {
      books: { type: 'referencesMany', model: 'Book' },
      linked: { type: 'hasMany', model: 'Book', through: 'Link', foreignKey: 'shelfId', keyThrough: 'bookId' }
    }
  }) as Loose
  const Link = db.createModel('Link', { shelfId: 'number', bookId: 'number' }) as Loose
  await Author.create({ name: 'a' })
  await Book.create([
    { title: 'here', gone: false, authorId: 1 },
    { title: 'there', gone: true, authorId: 1 },
    { title: 'other', gone: false, authorId: 2 }
  ])
  await Shelf.create({ name: 's', bookIds: [2, 1] })
  await Link.create([{ shelfId: 1, bookId: 1 }, { shelfId: 1, bookId: 2 }])
  return { Author, Book, Shelf, Link }
}

/** Rows that are gone are nobody's, by the two functions that all reads come to. */
function hideGone (Book: Loose): void {
  const { find, count } = Book
  Book.find = function (filter: Loose, options: object, done: Loose) {
    return find.call(this, { ...filter, where: { and: [filter?.where ?? {}, { gone: false }] } }, options, done)
  }
  Book.count = function (where: object, options: object, done: Loose) {
    return count.call(this, { and: [where ?? {}, { gone: false }] }, options, done)
  }
}

const titles = (rows: Loose[]): string[] => rows.map(({ title }) => title)

t.test('reads of a model come to its own find and count', async t => {
  const { Book } = await library()
  hideGone(Book)
  t.equal((await Book.findById(1)).title, 'here')
  t.equal(await Book.findById(2), null)
  t.equal(await Book.findOne({ where: { title: 'there' } }), null)
  t.same(titles(await Book.findByIds([3, 2, 1])), ['other', 'here'])
  t.same([await Book.exists(1), await Book.exists(2)], [true, false])
  t.same([await Book.findById('x'), await Book.exists('x')], [null, false], 'what is no id is no question')
  Book.count = (...args: Loose[]): void => { args.at(-1)(null, 42) }
  t.equal(await Book.exists(1), false, 'of one id there is one row, as LoopBack has it')
  t.same(titles(await Book.all({ where: {} })), ['here', 'there', 'other'], 'another name is another function')
  const [first] = await Book.all({ where: { title: 'here' } })
  Book.find = async () => []
  await t.rejects(first.reload(), { statusCode: 404 } as Loose)
})

t.test('relations and includes come to those of the related model', async t => {
  const { Author, Book, Shelf } = await library()
  hideGone(Book)
  const author = await Author.findById(1)
  t.same(titles(await author.books({})), ['here'])
  t.same(titles(await author.books.find({ where: { title: 'there' } })), [])
  t.equal(await author.books.count(), 1)
  t.same([await author.books.exists(1), await author.books.exists(2)], [true, false])
  await t.rejects(author.books.findById(2), { statusCode: 404 } as Loose)
  t.equal((await author.first.get()).title, 'here')
  const shelf = await Shelf.findById(1)
  t.same(titles(await shelf.books.find()), ['here'])
  t.same(titles(await shelf.linked.find()), ['here'])
  t.equal(await shelf.linked.count(), 1)
  await t.rejects(shelf.books.findById(2), { statusCode: 404 } as Loose)
  await t.rejects(shelf.linked.findById(2), { statusCode: 404 } as Loose)
  const include = { include: ['books', 'first'] }
  t.match((await Author.find(include))[0].toJSON(), { books: [{ title: 'here' }], first: { title: 'here' } })
  t.equal((await Author.find(include))[0].toJSON().books.length, 1)
  t.same(titles((await Shelf.find({ include: 'books' }))[0].toJSON().books), ['here'])
  t.same(titles((await Shelf.find({ include: 'linked' }))[0].toJSON().linked), ['here'])
  t.same(titles(await Book.every({})), ['here', 'other'], 'and scopes to those of theirs')
})

t.test('what they are called with says all that the relation demands', async t => {
  const { Author, Book } = await library()
  const asked: unknown[] = []
  const { find } = Book
  Book.find = async function (filter: object, options: object) {
    asked.push([structuredClone(filter), options])
    return await find.call(this, filter, options)
  }
  const options = { mine: true }
  const author = await Author.findById(1)
  await author.books.find({ where: { gone: false }, limit: 5 }, options)
  await Book.findById(1, { fields: ['title'] }, options)
  await Author.find({ include: { relation: 'books', scope: { fields: ['title'], limit: 1 } } }, options)
  t.same(asked, [
    [{ where: { and: [{ gone: false }, { authorId: 1 }] }, limit: 5 }, options],
    [{ where: { id: 1 }, fields: ['title'], limit: 1 }, options],
    [{ where: { authorId: { inq: [1] } }, fields: ['title', 'authorId'], limit: 1 }, options]
  ])
})

t.test('a findOne or findById of its own comes before its find', async t => {
  const { Author, Book, Shelf } = await library()
  const called: string[] = []
  for (const name of ['find', 'findOne', 'findById']) {
    const { [name]: before } = Book
    Book[name] = async function (...args: unknown[]) {
      called.push(name)
      return await before.apply(this, args.filter(each => typeof each !== 'function'))
    }
  }
  const calls = async (run: () => Promise<unknown>): Promise<string[]> => {
    called.length = 0
    await run()
    return [...called]
  }
  t.same(await calls(() => Book.findById(1)), ['findById', 'findOne', 'find'])
  const author = await Author.findById(1)
  t.same(await calls(() => author.books.findById(1)), ['findOne', 'find'])
  const shelf = await Shelf.findById(1)
  t.same(await calls(() => shelf.linked.findById(1)), ['findById', 'findOne', 'find'])
  t.same(await calls(() => Book.sharedCtor(1)), ['findById', 'findOne', 'find'])
})

t.test('writes by a relation come to those of the related model', async t => {
  const { Author, Book } = await library()
  const { updateAll } = Book
  const mark = async (where: object) => await updateAll.call(Book, where, { gone: true })
  Book.destroyAll = Book.remove = mark
  Book.prototype.destroy = async function () { return await mark({ id: this.id }) }
  const { create } = Book
  Book.create = async (data: object, options: object) => await create.call(Book, { ...data, gone: false }, options)
  const author = await Author.findById(1)
  t.match(await author.books.create({ title: 'new' }), { gone: false, authorId: 1 })
  await author.books.destroy(1)
  t.match(await Book.findById(1), { gone: true })
  await author.books.destroyAll({ title: 'new' })
  t.match(await Book.find({ where: { title: 'new' } }), [{ gone: true }])
  await Book.destroyById(3)
  t.match(await Book.findById(3), { gone: true })
  await Book.destroyById('x')
  t.equal(await Book.count(), 4)
})

t.test('what a find of its own may give', async t => {
  const give = async (t: Test, find: Loose): Promise<unknown> => {
    const { Book } = await library()
    Book.find = find
    return await Book.findOne()
  }
  t.equal(await give(t, async () => null), null)
  t.same(await give(t, async () => [{ own: true }]), { own: true })
  t.same(await give(t, (_: unknown, __: unknown, done: Loose) => { done(null, [{ own: 1 }]) }), { own: 1 })
  t.same(await give(t, async (_: unknown, __: unknown, done: Loose) => { setImmediate(done, null, [{ own: 2 }]) }), {
    own: 2
  })
  await t.rejects(give(t, async () => ({ rows: [] })), { message: 'Book.find gave no list.' })
  await t.rejects(give(t, () => { throw new Error('not now') }), { message: 'not now' })
})
