/**
 * What settings, filters and includes do, item by item as code of LoopBack 3 leans on them (headings 5, 7 and 8 beside
 * `api-surface.test.ts`): a row is an item, what is called, and the result.
 */
import t from 'tap'
import loopback from '@fastback/loopback'
import { each, plain, refused, type Loose, type Row } from './rows.js'

const app = loopback({ localRegistry: true, loadBuiltinModels: true })
const db = app.dataSource('db', { connector: 'memory' })
t.teardown(async () => { await app.fastify.close() })

let made = 0
/** A model of its own with these properties and settings. */
function define (properties: Loose, settings: Loose = {}, name = `Made${++made}`): Loose {
  const Model = app.registry.createModel(name, properties, settings)
  app.model(Model, { dataSource: db })
  return Model as unknown as Loose
}
const build = (Model: Loose, data: Loose): Loose => new (Model as unknown as new (data: Loose) => Loose)(data)

t.test('5. Model settings', async t => {
  const text = { title: String }
  await each(t, [
    ['5. strict: false keeps unknown properties', () => build(define(text, { strict: false }), { x: 1 }).toObject().x, 1],
    ['5. strict: true drops them', () => build(define(text, { strict: true }), { x: 1 }).toObject().x, null],
    ['5. strict: "filter" drops them', () => build(define(text, { strict: 'filter' }), { x: 1 }).toObject().x, null],
    ['5. strict: "validate" refuses them', async () =>
      await refused(() => define(text, { strict: 'validate' }).create({ x: 1 })), { x: ['unknown-property'] }],
    ['5. strict: "throw" throws', async () => {
      const Model = define(text, { strict: 'throw' })
      return await refused(async () => await Model.create({ x: 1 })) !== 'not refused'
    }, true],
    ['5. forceId: true refuses ids of clients', async () =>
      await refused(() => define(text, { forceId: true }).create({ id: 7 })), { id: ['absence'] }],
    ['5. forceId: false takes them', async () => (await define(text, { forceId: false }).create({ id: 7 })).id, 7],
    ['5. idInjection: false makes no id', () =>
      define({ code: { type: String, id: true } }, { idInjection: false }).definition.properties.id, null],
    ['5. automaticValidation: false', async () =>
      (await define({ title: { type: String, required: true } }, { automaticValidation: false }).create({})).id, 1],
    ['5. persistUndefinedAsNull', async () =>
      (await define(text, { persistUndefinedAsNull: true }).create({})).toObject().title, null],
    ['5. hidden', async () => (await define(text, { hidden: ['title'] }).create({ title: 'x' })).toJSON().title, null],
    ['5. hiddenProperties', async () =>
      (await define(text, { hiddenProperties: ['title'] }).create({ title: 'x' })).toJSON().title, null],
    ['5. protected shows alone', async () =>
      (await define(text, { protected: ['title'] }).create({ title: 'x' })).toJSON().title, 'x'],
    ['5. maxDepthOfQuery', async () =>
      await refused(() => define(text, { maxDepthOfQuery: 2 }).find({ where: { and: [{ and: [{ title: 'x' }] }] } })) !==
        'not refused', true],
    ['5. scope', async () => {
      const Model = define(text, { scope: { where: { title: 'a' } }, attributes: false })
      await Model.create([{ title: 'a' }, { title: 'b' }])
      return await Model.count()
    }, 1],
    ['5. scopes', async () => {
      const Model = define(text, { scopes: { as: { where: { title: 'a' } } } })
      await Model.create([{ title: 'a' }, { title: 'b' }])
      return (await Model.as()).length
    }, 1],
    ['5. plural', () => define(text, { plural: 'manyOfThem' }).pluralModelName, 'manyOfThem'],
    ['5. http.path', () => define(text, { http: { path: 'there' } }).sharedClass.http.path.replace(/^\//, ''), 'there'],
    ['5. methods', () => define(text, { methods: { hello: { returns: { arg: 'a', type: 'string' } } } })
      .sharedClass.findMethodByName('hello')?.name, 'hello'],
    ['5. default value', () => build(define({ title: { type: String, default: 'd' } }), {}).title, 'd'],
    ['5. default function', () => build(define({ title: { type: String, default: () => 'f' } }), {}).title, 'f'],
    ...['guid', 'uuid', 'uuidv4', 'now', 'shortid'].map((defaultFn): Row => [`5. defaultFn: ${defaultFn}`, () =>
      build(define({ title: { type: defaultFn === 'now' ? Date : String, defaultFn } }), {}).title !== undefined, true]),
    ['5. getters', () => {
      const Model = define(text)
      Model.getter.title = function (this: Loose) { return `<${this.__data.title}>` }
      return build(Model, { title: 'x' }).title
    }, '<x>'],
    ['5. setters', () => {
      const Model = define(text)
      Model.setter.title = function (this: Loose, value: string) { this.$title = value.toUpperCase() }
      const row = build(Model, {})
      row.title = 'x'
      return row.__data.title
    }, 'X'],
    ['5. unique through validatesUniquenessOf', async () => {
      const Model = define(text)
      Model.validatesUniquenessOf('title')
      await Model.create({ title: 'x' })
      return await refused(async () => await Model.create({ title: 'x' }))
    }, { title: ['uniqueness'] }],
    ['5. connector blocks', () =>
      define({ title: { type: String, memory: { columnName: 'TITLE' } } }).definition.columnName('memory', 'title'), 'TITLE']
  ])
})

t.test('7. Filters', async t => {
  const Thing = define({ name: String, n: Number, ok: Boolean, at: Date, place: 'geopoint', tags: ['string'], more: Object })
  await Thing.create([
    { name: 'ann', n: 1, ok: true, at: '2020-01-01', place: '0,0', tags: ['x', 'y'], more: { deep: { a: 1 } } },
    { name: 'Bob', n: 2, ok: false, at: '2021-01-01', place: '0,1', tags: [], more: { deep: { a: 2 } } },
    { name: 'cid', n: 3, at: null, place: '50,50' }
  ])
  /** Names that a condition finds. */
  const names = (where: Loose) => async (): Promise<unknown> =>
    (await Thing.find({ where, order: 'id' })).map(({ name }: Loose) => name)
  const filtered = (filter: Loose) => async (): Promise<unknown> => await Thing.find(filter)

  await each(t, [
    ['7. equality', names({ name: 'ann' }), ['ann']],
    ['7. null', names({ at: null }), ['cid']],
    ['7. dates', names({ at: new Date('2021-01-01') }), ['Bob']],
    ['7. an item of a list', names({ tags: 'y' }), ['ann']],
    ['7. nested paths', names({ 'more.deep.a': 2 }), ['Bob']],
    ['7. and, or nested', names({ or: [{ n: 3 }, { and: [{ ok: true }, { n: 1 }] }] }), ['ann', 'cid']],
    ['7. gt', names({ n: { gt: 2 } }), ['cid']],
    ['7. gte', names({ n: { gte: 2 } }), ['Bob', 'cid']],
    ['7. lt', names({ n: { lt: 2 } }), ['ann']],
    ['7. lte', names({ n: { lte: 2 } }), ['ann', 'Bob']],
    ['7. between', names({ n: { between: [2, 3] } }), ['Bob', 'cid']],
    ['7. inq', names({ n: { inq: [1, 3] } }), ['ann', 'cid']],
    ['7. nin', names({ n: { nin: [1, 3] } }), ['Bob']],
    ['7. neq', names({ n: { neq: 1 } }), ['Bob', 'cid']],
    ['7. like', names({ name: { like: 'a%' } }), ['ann']],
    ['7. nlike', names({ name: { nlike: 'a%' } }), ['Bob', 'cid']],
    ['7. ilike', names({ name: { ilike: 'b%' } }), ['Bob']],
    ['7. nilike', names({ name: { nilike: 'b%' } }), ['ann', 'cid']],
    ['7. regexp, a text', names({ name: { regexp: '^a' } }), ['ann']],
    ['7. regexp, a text with flags', names({ name: { regexp: '/^b/i' } }), ['Bob']],
    ['7. regexp, a RegExp', names({ name: { regexp: /^b/i } }), ['Bob']],
    ['7. a RegExp alone', names({ name: /^c/ }), ['cid']],
    ['7. near with maxDistance and unit', async () =>
      (await Thing.find({ where: { place: { near: '0,0', maxDistance: 200, unit: 'kilometers' } } }))
        .map(({ name }: Loose) => name), ['ann', 'Bob']],
    ['7. near with minDistance', async () =>
      (await Thing.find({ where: { place: { near: '0,0', minDistance: 50, maxDistance: 200, unit: 'kilometers' } } }))
        .map(({ name }: Loose) => name), ['Bob']],
    ['7. unknown operators are refused', async () => await refused(filtered({ where: { name: { $gt: 'a' } } })) !==
      'not refused', true],
    ['7. coercion of numbers', names({ n: '2' }), ['Bob']],
    ['7. coercion of booleans', names({ ok: 'true' }), ['ann']],
    ['7. coercion of dates', names({ at: '2020-01-01' }), ['ann']],
    ['7. coercion of lists', names({ n: { inq: ['1'] } }), ['ann']],
    ['7. order, a text', async () => (await Thing.find({ order: 'n DESC' }))[0].name, 'cid'],
    ['7. order, a list', async () => (await Thing.find({ order: ['ok DESC', 'n ASC'] })).length, 3],
    ['7. limit and skip', async () => (await Thing.find({ order: 'n', limit: 1, skip: 1 }))[0].name, 'Bob'],
    ['7. offset', async () => (await Thing.find({ order: 'n', limit: 1, offset: 2 }))[0].name, 'cid'],
    ['7. fields, a list', filtered({ where: { n: 1 }, fields: ['name', 'n'] }), [{ name: 'ann', n: 1 }]],
    ['7. fields, included', filtered({ where: { n: 1 }, fields: { name: true } }), [{ name: 'ann' }]],
    ['7. fields, excluded', async () => Object.hasOwn(
      plain((await Thing.find({ where: { n: 1 }, fields: { name: false } }))[0]) as object, 'name'), false],
    ['7. undefined is left out of a condition', names({ n: undefined }), ['ann', 'Bob', 'cid']]
  ])
})

t.test('8. Include', async t => {
  define({ name: String }, { relations: { books: { type: 'hasMany', model: 'Book', foreignKey: 'writerId' } } }, 'Writer')
  define({ title: String }, {
    relations: {
      writer: { type: 'belongsTo', model: 'Writer' },
      cover: { type: 'hasOne', model: 'Cover' },
      labels: { type: 'hasAndBelongsToMany', model: 'Label' },
      readers: { type: 'hasMany', model: 'Reader', through: 'Loan' },
      like: { type: 'referencesMany', model: 'Label' },
      seal: { type: 'embedsOne', model: 'Seal' },
      notes: { type: 'embedsMany', model: 'Remark' },
      pictures: { type: 'hasMany', model: 'Picture', polymorphic: 'of' }
    }
  }, 'Book')
  define({ text: String }, {}, 'Cover')
  define({ text: String }, {}, 'Label')
  define({ text: String }, {}, 'Seal')
  define({ text: String }, {}, 'Remark')
  define({ name: String }, {}, 'Reader')
  define({}, {
    relations: { book: { type: 'belongsTo', model: 'Book' }, reader: { type: 'belongsTo', model: 'Reader' } }
  }, 'Loan')
  define({ text: String }, { relations: { of: { type: 'belongsTo', polymorphic: true } } }, 'Picture')
  const { Writer, Book } = app.models as unknown as Record<'Writer' | 'Book', Loose>
  const writer = await Writer.create({ name: 'w' })
  const book = await writer.books.create({ title: 'one' })
  await writer.books.create({ title: 'two' })
  await book.cover.create({ text: 'c' })
  await book.labels.create({ text: 'l' })
  await book.readers.create({ name: 'r' })
  await book.seal.create({ text: 's' })
  await book.notes.create({ text: 'n' })
  await book.pictures.create({ text: 'p' })
  /** What the first book has below a name. */
  const included = (name: string) => async (): Promise<unknown> => {
    const value = (plain(await Book.findById(book.id, { include: name })) as Loose)[name]
    return Array.isArray(value) ? value.map(({ text, name }: Loose) => text ?? name) : value?.text ?? value?.name
  }

  await each(t, [
    ['8. a text, belongsTo', included('writer'), 'w'],
    ['8. hasOne', included('cover'), 'c'],
    ['8. hasAndBelongsToMany', included('labels'), ['l']],
    ['8. through', included('readers'), ['r']],
    ['8. polymorphic', included('pictures'), ['p']],
    ['8. embedsOne', async () => ((await Book.findById(book.id)).toJSON() as Loose)._seal?.text, 's'],
    ['8. embedsMany', async () => ((await Book.findById(book.id)).toJSON() as Loose).remarks?.[0]?.text, 'n'],
    ['8. a list', async () =>
      Object.keys((plain(await Book.findById(book.id, { include: ['writer', 'cover'] })) as Loose))
        .filter(name => ['writer', 'cover'].includes(name)), ['writer', 'cover']],
    ['8. a nested object', async () =>
      (plain(await Writer.findOne({ include: { books: 'cover' } })) as Loose).books[0].cover.text, 'c'],
    ['8. relation with scope', async () => (plain(await Writer.findOne({
      include: { relation: 'books', scope: { where: { title: 'two' }, fields: ['title'], order: 'title', limit: 1 } }
    })) as Loose).books, [{ title: 'two', writerId: 1 }]],
    ['8. a scope that includes', async () => (plain(await Writer.findOne({
      include: { relation: 'books', scope: { order: 'title', include: 'cover' } }
    })) as Loose).books[0].cover.text, 'c'],
    ['8. a limit for each parent', async () => {
      await (await Writer.create({ name: 'v' })).books.create({ title: 'three' })
      const all = plain(await Writer.find({ include: { relation: 'books', scope: { limit: 1 } } })) as Loose[]
      return all.map(({ books }) => books.length)
    }, [1, 1]],
    ['8. one query for all parents', async () => {
      const { connector } = db as unknown as { connector: Loose }
      const find = connector.find
      let times = 0
      connector.find = (...args: unknown[]) => { times++; return find.apply(connector, args) }
      await Writer.find({ include: 'books' })
      delete connector.find
      return times
    }, 2],
    ['8. what is included stands in toJSON', async () =>
      (await Book.findById(book.id, { include: 'writer' })).toJSON().writer.name, 'w']
  ])
})
