/** Searches: how they are read, what they mean in memory, and who may search what. */
import { memoryConnector } from '@fastback/connector-memory'
import { ModelRegistry, type ModelDefinitionInput } from '@fastback/core'
import { defaultQueryLimits, parseFilter, whereJson, filterJson } from '@fastback/core/connector'
import t from 'tap'

type Loose = any

const note = {
  name: 'Note',
  hidden: ['secret'],
  properties: { title: 'string', body: 'string', secret: 'string', stars: 'number', at: 'date' },
  indexes: { search: { text: ['title', 'body'] } },
  relations: { shelf: { type: 'belongsTo', model: 'Shelf', foreignKey: 'shelfId' } }
}
const definitions: Loose[] = [
  note,
  {
    name: 'Shelf',
    properties: { name: 'string' },
    relations: { notes: { type: 'hasMany', model: 'Note', foreignKey: 'shelfId' } }
  }
]

async function open (models: readonly Loose[] = definitions): Promise<Loose> {
  const registry = new ModelRegistry()
  const db = registry.defineDataSource('db', { connector: memoryConnector })
  for (const model of models) registry.attach(registry.defineModel(model as ModelDefinitionInput), db)
  await registry.start()
  t.teardown(() => registry.stop())
  return registry.models
}

const codeOf = (run: () => unknown): string | undefined => {
  try {
    run()
  } catch (error) {
    return (error as Loose).code
  }
}

t.test('what is read', async t => {
  const { Note, Shelf } = await open()
  const outside = { external: true, limits: defaultQueryLimits }
  const terms = ($search: unknown): unknown =>
    (parseFilter(Note.compiled, { where: { $search } }, outside).where as Loose).terms
  const words = (...words: string[]): object => ({ words, excluded: false })
  t.same(terms('Fast  FOOD'), [words('fast'), words('food')])
  t.same(terms('"Exact words" -not -"not these"'), [
    words('exact', 'words'), { words: ['not'], excluded: true }, { words: ['not', 'these'], excluded: true }
  ])
  t.same(terms('e-mail foo.bar'), [words('e', 'mail'), words('foo', 'bar')], 'what is written together stands together')
  t.same(terms('"open quote'), [words('open', 'quote')])
  t.same(terms('a"b c"d'), [words('a'), words('b', 'c'), words('d')])
  t.same(terms('fast & | ! () * : " - \\'), [words('fast')], 'signs are no words')
  t.same(terms('ΟΔΟΣ É Straße'), [words('οδοσ'), words('é'), words('straße')])

  const refused = (filter: object, model = Note): string | undefined =>
    codeOf(() => parseFilter(model.compiled, filter, outside))
  for (const [why, filter, code] of [
    ['no text', { where: { $search: 7 } }, 'INVALID_SEARCH'],
    ['an object', { where: { $search: { $ne: '' } } }, 'INVALID_SEARCH'],
    ['no word', { where: { $search: '' } }, 'INVALID_SEARCH'],
    ['only signs', { where: { $search: '%_*' } }, 'INVALID_SEARCH'],
    ['only exclusions', { where: { $search: '-fast -"a b"' } }, 'INVALID_SEARCH'],
    ['two', { where: { and: [{ $search: 'a' }, { $search: 'b' }] } }, 'INVALID_SEARCH'],
    ['within or', { where: { or: [{ $search: 'a' }, { stars: 1 }] } }, 'INVALID_SEARCH'],
    ['within nor', { where: { nor: [{ $search: 'a' }] } }, 'INVALID_SEARCH'],
    ['within and within or', { where: { or: [{ and: [{ $search: 'a' }] }] } }, 'INVALID_SEARCH'],
    ['$rank alone', { order: '$rank' }, 'INVALID_SEARCH'],
    ['$rank sideways', { where: { $search: 'a' }, order: '$rank UP' }, undefined],
    ['too long', { where: { $search: 'a'.repeat(501) } }, 'QUERY_LIMIT_EXCEEDED'],
    ['too many words', { where: { $search: 'a '.repeat(21) } }, 'QUERY_LIMIT_EXCEEDED'],
    ['too many words in a phrase', { where: { $search: `"${'a '.repeat(21)}"` } }, 'QUERY_LIMIT_EXCEEDED'],
    ['of a property', { where: { title: { $search: 'a' } } }, 'OPERATOR_NOT_ALLOWED_IN_QUERY']
  ] as const) {
    if (code === undefined) t.throws(() => parseFilter(Note.compiled, filter, outside), /invalid direction/, why)
    else t.equal(refused(filter), code, why)
  }
  t.equal(refused({ where: { $search: 'a' } }, Shelf), 'INVALID_SEARCH', 'a model without a text index')
  const { Shelf: earlier } = await open([note, { ...definitions[1], unknownFilterKeys: 'ignore' }])
  for (const filter of [{ where: { $search: 'a' } }, { order: '$rank' }, { order: '$rank up' }]) {
    t.equal(refused(filter, earlier), 'OPERATOR_NOT_ALLOWED_IN_QUERY', 'where filters are read as LoopBack reads them')
  }
  t.equal(refused({ where: { and: [{ $search: 'a'.repeat(500) }, { stars: 1 }] }, order: ['stars', '$rank'] }), undefined)

  const related = (where: object): string | undefined => refused({ where }, Shelf)
  t.equal(related({ notes: { some: { $search: 'a' } } }), undefined)
  t.equal(related({ notes: { none: { $search: 'a' } } }), 'INVALID_SEARCH')
  t.equal(related({ notes: { every: { $search: 'a' } } }), 'INVALID_SEARCH')
  t.equal(related({ or: [{ notes: { some: { $search: 'a' } } }] }), 'INVALID_SEARCH')
})

t.test('as JSON again', async t => {
  const { Note } = await open()
  const filter = { where: { stars: 1, $search: 'fast -"a b"' }, order: ['$rank DESC', 'title ASC'], limit: 3 }
  const query = parseFilter(Note.compiled, filter, { external: false, limits: defaultQueryLimits })
  t.same(filterJson(query, Note.compiled), filter)
  t.same(whereJson(query.where as Loose), filter.where)
})

t.test('what it means', async t => {
  const { Note, Shelf } = await open()
  const [shelf, other] = await Shelf.create([{ name: 'a' }, { name: 'b' }])
  await Note.create([
    { title: 'Fast food', body: 'fast', shelfId: shelf.id, secret: 'pearl' },
    { title: 'Breakfast', body: 'slow food', shelfId: shelf.id },
    { title: 'fast', body: 'food', shelfId: other.id },
    { title: 'Café', body: null }
  ])
  const titles = async (filter: object): Promise<string[]> =>
    (await Note.find(filter)).map(({ title }: Loose) => title)
  const found = ($search: string): Promise<string[]> => titles({ where: { $search }, order: 'id' })
  t.same(await found('fast'), ['Fast food', 'fast'], 'whole words')
  t.same(await found('FOOD fast'), ['Fast food', 'fast'], 'all of them, in whatever property')
  t.same(await found('"fast food"'), ['Fast food'], 'a phrase stands in one property')
  t.same(await found('food -fast'), ['Breakfast'])
  t.same(await found('food -"slow food"'), ['Fast food', 'fast'])
  t.same(await found('cafe'), [], 'accents count')
  t.same(await found('CAFÉ'), ['Café'])
  t.same(await found('pearl'), [], 'other properties are not searched')
  await Note.create({ title: 'fast fast fast' })
  t.same(await titles({ where: { $search: 'fast' }, order: '$rank' }), ['fast fast fast', 'Fast food', 'fast'])
  t.same(await titles({ where: { $search: 'fast' }, order: '$rank ASC' }), ['fast', 'Fast food', 'fast fast fast'])
  t.equal(await Note.count({ $search: 'fast' }), 3)
  const shelves = await Shelf.find({ where: { notes: { some: { $search: 'slow' } } } })
  t.same(shelves.map(({ name }: Loose) => name), ['a'])
  const [first] = await Shelf.find({
    include: { relation: 'notes', scope: { where: { $search: 'food' }, order: ['$rank', 'title'] } }
  })
  t.same(first.toJSON().notes.map(({ title }: Loose) => title), ['Breakfast', 'Fast food'])
})

t.test('definitions that are refused', async t => {
  const refused = (more: object, message: RegExp): void => {
    t.test(String(message), async t => {
      await t.rejects(
        open([{ ...note, relations: {}, ...more }]).then(({ Note }) => Note.compiled),
        { code: 'FBK_CORE_INVALID_DEFINITION', message }
      )
    })
  }
  const index = (index: object): object => ({ indexes: { search: index } })
  refused({ indexes: { a: { text: ['title'] }, b: { text: ['body'] } } }, /indexes\.b: is a second text index beside "a"/)
  refused(index({ text: [] }), /must name a property/)
  refused(index({ text: ['title', 'title'] }), /each property in "text" once/)
  refused(index({ text: ['title', 'headline'] }), /names "headline" in "text", which is no property/)
  refused(index({ text: ['stars'] }), /which holds no text/)
  refused(index({ text: ['at'] }), /which holds no text/)
  refused(index({ text: ['title', 'secret'] }), /which callers may not see/)
  refused({ protected: ['body'] }, /names "body" in "text", which callers may not see/)
  refused(index({ text: ['title'], language: 'klingon' }), /must have a "language" that is one of simple/)
  refused(index({ text: ['title'], unique: true }), /has no "unique"/)
})

t.test('an index on a property that is called text', async t => {
  const { Memo } = await open([{ name: 'Memo', properties: { text: 'string' }, indexes: { byText: { text: 1 } } }])
  t.equal(Memo.compiled.textIndex, undefined)
  t.equal(Memo.compiled.indexes.length, 1)
})
