/** Random models' rows and filters with includes, for `including.test.ts`. */
import fc from 'fast-check'
import type { ModelDefinitionInput } from '@fastback/core'

/** Keys are numbers, texts, or whole numbers in columns of other types; one model keeps what is undeclared. */
export const definitions: ModelDefinitionInput[] = [
  {
    name: 'Author',
    strict: true,
    hidden: ['secret'],
    protected: ['mail'],
    properties: { name: 'string', secret: 'string', mail: 'string', born: 'date', loose: { type: 'number', postgresql: { dataType: 'double precision' } } },
    relations: {
      books: { type: 'hasMany', model: 'Book', foreignKey: 'authorId' },
      profile: { type: 'hasOne', model: 'Profile', foreignKey: 'authorId' },
      mentor: { type: 'belongsTo', model: 'Author', foreignKey: 'mentorId' },
      pupils: { type: 'hasMany', model: 'Author', foreignKey: 'mentorId' },
      namesakes: { type: 'hasMany', model: 'Profile', foreignKey: 'title', primaryKey: 'name' },
      nearly: { type: 'belongsTo', model: 'Author', foreignKey: 'loose' },
      near: { type: 'hasMany', model: 'Author', foreignKey: 'loose' },
      level: { type: 'hasMany', model: 'Author', foreignKey: 'loose', primaryKey: 'loose' }
    }
  },
  {
    name: 'Book',
    properties: { title: 'string', stars: 'number', sold: 'boolean', tags: ['string'], at: 'date', shelfCode: 'string' },
    relations: {
      author: { type: 'belongsTo', model: 'Author', foreignKey: 'authorId' },
      shelf: { type: 'belongsTo', model: 'Shelf', foreignKey: 'shelfCode' }
    }
  },
  { name: 'Profile', strict: true, properties: { title: { type: 'string', index: true }, spot: 'geopoint' } },
  {
    name: 'Shelf',
    strict: true,
    idInjection: false,
    properties: { code: { type: 'string', id: true, generated: false }, room: 'number' },
    relations: { books: { type: 'hasMany', model: 'Book', foreignKey: 'shelfCode' } }
  }
]

const maybe = <T>(values: readonly T[]): fc.Arbitrary<T | undefined> =>
  fc.option(fc.constantFrom(...values), { nil: undefined })
const names = ['a', 'A', 'é 😀', '"q"\\', 'a,b', '\n\u2028', '', ' 3 ', '\0', '\u0001x']
const dates = [
  '2020-01-01T00:00:00.000Z', '0000-02-03T04:05:06.007Z', '+012345-01-01T00:00:00.120Z',
  '-000005-01-01T00:00:00.000Z', '0001-01-01T00:00:00.000Z'
]
const ids = [1, 2, 3, 4, 5, 99]

const authors = fc.record({
  name: maybe(names), secret: maybe(names), mail: maybe(names), born: maybe(dates), mentorId: maybe([...ids, null]),
  loose: maybe([1, 2, 2.5, -1, 1e300, 2 ** 53])
}, { requiredKeys: [] })
const books = fc.record({
  title: maybe(names), stars: maybe([0, 1, 2.5, null, -1e21, 1e-7]), sold: maybe([true, false]),
  tags: maybe([['a'], [], ['b', '"']]), at: maybe(dates), authorId: maybe([...ids, null]), shelfCode: maybe([...names, null]), note: maybe(['free', { a: 1 }])
}, { requiredKeys: [] })
const profiles = fc.record(
  { title: maybe(names), authorId: maybe(ids), spot: maybe([{ lat: 1, lng: 2.5 }]) }, { requiredKeys: [] })

const many = <T>(of: fc.Arbitrary<T>, least: number): fc.Arbitrary<T[]> =>
  fc.array(of, { minLength: least, maxLength: 12 })

interface Choices {
  readonly where: readonly object[]
  readonly order: readonly string[]
  readonly fields: readonly object[]
  readonly relations: Readonly<Record<string, string>>
}

const choices: Readonly<Record<string, Choices>> = {
  Author: {
    where: [
      { name: 'a' }, { id: { gt: 1 } }, { born: { lt: '2000-01-01' } }, { or: [{ name: 'a' }, { mentorId: 2 }] },
      { name: { like: '%a%' } }
    ],
    order: ['name', 'born DESC', 'id DESC'],
    fields: [['name'], ['id', 'mail', 'mentorId'], { name: false }],
    relations: {
      books: 'Book', profile: 'Profile', namesakes: 'Profile',
      mentor: 'Author', pupils: 'Author', nearly: 'Author', near: 'Author', level: 'Author'
    }
  },
  Book: {
    where: [
      { stars: { gte: 1 } }, { title: { inq: ['a', 'b', '"q"\\'] } }, { tags: 'a' }, { note: 'free' }, { sold: true },
      { title: { regexp: 'a|q' } }, { at: { gt: '0001-01-01' } }
    ],
    order: ['stars DESC', 'title', 'note'],
    fields: [['title', 'stars'], ['note'], { authorId: false }],
    relations: { author: 'Author', shelf: 'Shelf' }
  },
  Profile: {
    where: [{ title: 'a' }, { title: { neq: null } }], order: ['title DESC'], fields: [['title']], relations: {}
  },
  Shelf: {
    where: [{ room: { gt: 1 } }], order: ['room', 'code DESC'], fields: [['room']], relations: { books: 'Book' }
  }
}

/** A filter of a model, with includes and their scopes down to a depth. */
function filterOf (model: string, depth: number): fc.Arbitrary<object> {
  const { relations, ...chosen } = choices[model] as Choices
  return fc.record({
    where: maybe(chosen.where),
    order: maybe(chosen.order),
    fields: maybe(chosen.fields),
    limit: maybe([1, 2, 5, 20, 100]),
    skip: maybe([0, 1, 3]),
    include: depth === 0 ? fc.constant(undefined) : includeOf(Object.entries(relations), depth)
  }).map(filter => Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)))
}

function includeOf (relations: ReadonlyArray<[string, string]>, depth: number): fc.Arbitrary<unknown[] | undefined> {
  if (relations.length === 0) return fc.constant(undefined)
  return fc.subarray([...relations], { minLength: 1, maxLength: Math.min(3, relations.length) }).chain(some =>
    fc.tuple(...some.map(([relation, target]) => fc.oneof(
      { weight: 3, arbitrary: fc.constant<unknown>(relation) },
      { weight: 2, arbitrary: filterOf(target, depth - 1).map((scope): unknown => ({ relation, scope })) }
    ))))
}

export const stored = fc.record({
  authors: many(authors, 3),
  books: many(books, 4),
  profiles: many(profiles, 1),
  codes: fc.uniqueArray(fc.constantFrom(...names), { maxLength: 5 })
})

export const filters = fc.constantFrom('Author', 'Book', 'Shelf').chain(model =>
  filterOf(model, 2).map(filter => ({ model, filter: { limit: 20, ...filter } })))
