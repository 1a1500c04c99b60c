import t from 'tap'
import { cpuTime } from '../../test/helpers/cpu-time.js'
import fc from 'fast-check'
import { RequestError } from '../errors.js'
import { ModelRegistry } from '../registry.js'
import { defaultQueryLimits, largestPage } from './limits.js'
import { parseFields, parseFilter, parseWhere, type ParseOptions } from './parse.js'

const registry = new ModelRegistry()
registry.defineModel({
  name: 'Note',
  hidden: ['secret'],
  protected: ['draft'],
  properties: {
    title: 'string',
    rank: 'number',
    done: 'boolean',
    meta: 'object',
    extra: 'any',
    secret: 'string',
    draft: 'string'
  }
})
registry.defineModel({
  name: 'Book',
  properties: { title: 'string' },
  relations: {
    author: { type: 'belongsTo', model: 'Author' },
    notes: { type: 'hasMany', model: 'Note', foreignKey: 'bookId' },
    closed: { type: 'hasMany', model: 'Note', foreignKey: 'otherId', options: { disableInclude: true } },
    subject: { type: 'belongsTo', polymorphic: true }
  }
})
registry.defineModel({
  name: 'Author',
  properties: { name: 'string' },
  hidden: ['pin'] as string[],
  relations: {
    books: { type: 'hasMany', model: 'Book', foreignKey: 'authorId' },
    me: { type: 'belongsTo', model: 'Author' }
  }
})
registry.defineModel({ name: 'Closed', strict: true, properties: { name: 'string' }, hidden: ['key'] as string[] })
registry.defineModel({ name: 'Capped', maxLimit: 50, properties: { name: 'string' } })
const model = (name: string) => registry.getModel(name).compiled
const Note = model('Note')

const outside: ParseOptions = { external: true, limits: defaultQueryLimits }
const inside: ParseOptions = { external: false, limits: defaultQueryLimits }
const related: ParseOptions = { external: true, protectedHidden: true, limits: defaultQueryLimits }

const refusal = (run: () => unknown): RequestError | undefined => {
  try {
    run()
  } catch (error) {
    if (error instanceof RequestError) return error
    throw error
  }
}
const where = (condition: unknown, options = outside) => parseWhere(Note, condition, options)

t.test('order', async t => {
  const order = (value: unknown) =>
    parseFilter(Note, { order: value }, outside).order
      .map(term => `${'path' in term ? term.path.property : '$rank'} ${term.descending}`)
  t.same(order('rank'), ['rank false'])
  t.same(order('rank DESC, title asc,done'), ['rank true', 'title false', 'done false'])
  t.same(order(['rank  desc', 'title']), ['rank true', 'title false'])
  t.same(order(' rank '), ['rank false'])
  t.same(order(['', 'rank,,']), ['rank false'])
  const refusedOrder = (value: unknown) => refusal(() => order(value))
  t.match(refusedOrder('n FOO'), { statusCode: 400, message: 'The order "n FOO" has invalid direction' })
  t.match(refusedOrder({ rank: 'ASC' }), { statusCode: 400, message: 'The order {"rank":"ASC"} is not valid' })
  t.match(refusedOrder(5), { statusCode: 400 })
  t.match(refusedOrder('rank ASC extra'), { statusCode: 400 })
  t.match(refusedOrder('secret FOO'), { code: 'HIDDEN_PROPERTY_IN_QUERY' })
  t.match(refusedOrder(Array(21).fill('rank')), { code: 'QUERY_LIMIT_EXCEEDED' })
})

t.test('limit, skip, offset', async t => {
  const page = (filter: object) => { const { limit, skip } = parseFilter(Note, filter, outside); return [limit, skip] }
  t.same(page({ limit: 2, skip: 3 }), [2, 3])
  t.same(page({ limit: '2', offset: '3' }), [2, 3])
  t.same(page({ skip: 6 }), [100, 6])
  t.same(page({ limit: 0 }), [undefined, 0])
  t.same(page({ limit: 0, skip: 2 }), [undefined, 2])
  t.same(page({ limit: 1, offset: 0 }), [1, 0])
  t.same(page({ limit: largestPage }), [largestPage, 0])
  for (const limit of [-1, 1.5, 'abc', NaN, Infinity, '1.5', '-1', [5], {}, true, largestPage + 1, '1e3', '0x10']) {
    t.match(
      refusal(() => page({ limit })),
      { statusCode: 400, message: `The limit parameter ${JSON.stringify(limit)} is not valid` }
    )
    t.match(
      refusal(() => page({ skip: limit })),
      { statusCode: 400, message: `The offset/skip parameter ${JSON.stringify(limit)} is not valid` }
    )
  }
  t.match(refusal(() => page({ limit: 10, offset: -1 })), { message: 'The offset/skip parameter -1 is not valid' })
})

t.test('the largest page of a model', async t => {
  const Capped = model('Capped')
  t.equal(parseFilter(Capped, { limit: 50 }, outside).limit, 50)
  for (const filter of [
    { limit: 51 },
    {},
    undefined,
    { limit: 0 },
    { where: { name: 'x' } },
    { where: { or: [{ id: 1 }] } },
    { where: { id: { neq: 1 } } }
  ]) {
    t.match(
      refusal(() => parseFilter(Capped, filter, outside)),
      { statusCode: 400, message: /at most 50/, details: { limit: 50 } }
    )
  }
  t.match(parseFilter(Capped, { where: { id: 1 } }, outside), { limit: undefined }, 'an id is one row')
  t.match(parseFilter(Capped, { where: { and: [{ name: 'x' }, { id: { inq: [1, 2] } }] } }, outside), {
    limit: undefined
  })
  t.match(parseFilter(Capped, {}, inside), { limit: undefined }, 'code may read everything')
  t.match(parseFilter(Capped, {}, related), { limit: undefined }, 'included rows are bounded by their parents')
  t.match(
    refusal(() => parseFilter(Note, { limit: 11 }, { ...outside, limits: { ...defaultQueryLimits, maxLimit: 10 } })),
    { statusCode: 400 }
  )
})

t.test('fields', async t => {
  const fields = (value: unknown, options = outside) => parseFields(Note, value, options)
  t.same(fields(['title', 'id']), { names: ['title', 'id'], extra: 'none' }, 'in the order of the definition')
  t.same(fields('title').names, ['title'])
  t.same(fields({ title: true, rank: 1 }).names, ['title', 'rank'])
  t.same(fields({ title: 'true', rank: 'false' }).names, ['title'])
  t.same(fields({ title: false, secret: false }).names, Note.selectVisible.names.filter(name => name !== 'title'))
  t.same(fields(['title', 'other']), { names: ['title'], extra: ['other'] })
  t.same(fields(['title', 'secret']), { names: ['title'], extra: 'none' }, 'hidden ones are left out')
  for (const value of [['secret'], 'secret', { secret: true, title: false }]) {
    t.same(fields(value), { names: [], extra: 'none' }, JSON.stringify(value))
  }
  for (const value of ['Secret', '"secret"', 'Note.secret']) {
    t.same(fields([value]), { names: [], extra: [value] }, 'another spelling is another name')
  }
  t.same(fields(['draft'], related).names, [])
  t.same(fields(['draft']).names, ['draft'])
  t.same(fields(['secret'], inside).names, ['secret'])
  t.same(parseFields(model('Closed'), ['name', 'other'], outside), { names: ['name'], extra: 'none' })
  for (const value of [[], {}, null, '']) t.equal(fields(value), Note.selectVisible)
  for (const value of [5, true, [5], [['title']], [{ title: true }]]) {
    t.match(
      refusal(() => fields(value)),
      { statusCode: 400 }
    )
  }
  t.match(refusal(() => fields(Array(201).fill('a'))), { code: 'QUERY_LIMIT_EXCEEDED' })
})

t.test('equal selections are one object, of a bounded number', async t => {
  const select = (value: unknown) => parseFields(Note, value, outside)
  t.equal(select(['title', 'rank']), select({ rank: true, title: true }))
  t.equal(select(['rank', 'title']), select(['title', 'rank', 'title']))
  t.equal(select(['x', 'title']), select(['title', 'x']))
  t.not(select(['title']), select(['rank']))
  const early = select(['title'])
  for (let i = 0; i < 1000; i++) select([`extra${i}`])
  t.not(select(['title']), early, 'the oldest are forgotten')
  t.same(select(['title']), early)
})

t.test('include', async t => {
  const include = (value: unknown, options = outside) =>
    parseFilter(model('Book'), { include: value }, options).include.map(({ includePath, ...node }) => node)
  const plain = (value: unknown) =>
    include(value).map(({ relation, scope }) => (scope === undefined ? relation : { [relation]: scope }))
  t.same(include('author'), [{ relation: 'author', scope: undefined, external: true }])
  t.same(include('author', inside), [{ relation: 'author', scope: undefined, external: false }])
  t.same(plain(['author', 'notes']), ['author', 'notes'])
  t.same(plain('author, notes'), ['author', 'notes'])
  t.same(plain({ author: 'books' }), [{ author: { include: 'books' } }])
  t.same(plain({ author: ['books', 'me'], notes: true }), [{ author: { include: ['books', 'me'] } }, 'notes'])
  t.same(plain({ relation: 'author', scope: { fields: ['name'], include: 'books' } }), [
    { author: { fields: ['name'], include: 'books' } }
  ])
  t.same(plain([{ rel: 'author' }, [{ relation: 'notes', scope: null }]]), ['author', 'notes'])
  t.same(plain(['author', 'author', { author: 'books' }, { author: 'me' }, { author: 'me' }]),
    [{ author: { include: ['books', 'me', 'me'] } }], 'equal ones are folded')
  t.same(
    plain([
      { relation: 'notes', scope: { limit: 1 } },
      { relation: 'notes', scope: { limit: 2 } }
    ]),
    [{ notes: { limit: 2 } }]
  )
  t.same(plain(['closed', 'author']), ['author'], 'disableInclude is left out')
  t.same(plain({ relation: 'subject', scope: { where: { anything: 1 } } }), [{ subject: { where: { anything: 1 } } }],
    'of several models: judged when they are known')
  const refusedInclude = (value: unknown, options = outside) => refusal(() => include(value, options))
  for (const value of [
    'none',
    ['author', 'none'],
    { none: 'x' },
    { relation: 'none' },
    5,
    true,
    [5],
    [['none']],
    { author: 5 },
    { author: 'none' },
    { relation: 'author', scope: 5 },
    { author: { books: { author: 'none' } } }
  ]) {
    t.match(refusedInclude(value), { statusCode: 400, code: 'INVALID_INCLUDE' }, JSON.stringify(value))
  }
  for (const scope of [
    { where: { secret: 1 } },
    { where: { draft: 1 } },
    { order: 'secret' },
    { where: { or: [{ Secret: 1 }] } }
  ]) {
    t.match(refusedInclude({ relation: 'notes', scope }), { code: 'HIDDEN_PROPERTY_IN_QUERY' }, JSON.stringify(scope))
  }
  t.match(
    refusedInclude({
      author: { relation: 'books', scope: { include: { relation: 'author', scope: { where: { pin: 1 } } } } }
    }),
    { code: 'HIDDEN_PROPERTY_IN_QUERY' },
    'at any depth'
  )
  t.match(refusedInclude({ relation: 'notes', scope: { limit: -1 } }), { statusCode: 400 })
  t.same(include({ relation: 'notes', scope: { where: { secret: 1 } } }, inside).length, 1)
  let deep: unknown = 'me'
  for (let i = 0; i < 8; i++) deep = { me: deep }
  t.match(
    refusal(() => parseFilter(model('Author'), { include: deep }, outside)),
    { code: 'QUERY_LIMIT_EXCEEDED', message: /8 levels/ }
  )
  t.match(refusedInclude(Array(51).fill('author')), { code: 'QUERY_LIMIT_EXCEEDED', message: /50 relations/ })
})

t.test('limits name themselves (S-23)', async t => {
  const many = (n: number, value: unknown): unknown[] => Array(n).fill(value) as unknown[]
  const refusedFilter = (filter: object) => refusal(() => parseFilter(Note, filter, outside))
  t.match(refusedFilter({ where: { or: many(501, {}) } }), {
    code: 'QUERY_LIMIT_EXCEEDED',
    message: /500 and\/or branches/
  })
  t.match(refusedFilter({ where: { and: [{ or: many(300, {}) }, { or: many(300, {}) }] } }), {
    code: 'QUERY_LIMIT_EXCEEDED'
  })
  t.match(refusedFilter({ where: { rank: { inq: many(5001, 1) } } }), { message: /5000 inq values/ })
  t.match(refusedFilter({ where: { title: { like: 'a'.repeat(257) } } }), { message: /256/ })
  t.match(refusedFilter({ where: { title: { regexp: 'a'.repeat(257) } } }), { message: /256/ })
  t.match(refusedFilter({ where: { title: { regexp: 'a{1000}'.repeat(10) } } }), { message: /too large/ })
  t.match(refusedFilter({ where: Object.fromEntries(Array.from({ length: 1001 }, (_, i) => [`p${i}`, 1])) }), {
    message: /1000 keys/
  })
  let deep: object = { rank: 1 }
  for (let i = 0; i < 6; i++) deep = { and: [deep] }
  t.match(refusedFilter({ where: deep }), {
    code: 'QUERY_OBJECT_TOO_DEEP',
    message: 'The query object exceeds maximum depth 12'
  })
  t.match(refusal(() => parseFilter(Note, { where: deep }, inside)), { code: 'QUERY_OBJECT_TOO_DEEP' })
  const circle: Record<string, unknown> = {}
  circle.and = [circle]
  t.match(refusal(() => where(circle, inside)), { code: 'QUERY_OBJECT_IS_CIRCULAR' })
  t.equal(
    (where({ or: many(501, {}) }, inside) as unknown as { conditions: unknown[] }).conditions.length,
    501,
    'code is not bound by numbers'
  )
})

// Property: whatever comes in, the response is a query or a RequestError of the 400s, and never one that matches what a
// hidden property decides.
const anyFilter = fc.oneof(
  fc.anything({ maxDepth: 5 }),
  fc.record({
    where: fc.object({
      key: fc.constantFrom('title', 'rank', 'and', 'or', 'nor', 'gt', 'inq', 'like', 'regexp', 'near', 'secret',
        '__proto__', '0', 'length', 'meta.a', '$gt', 'extra'), maxDepth: 5
    }),
    order: fc.anything({ maxDepth: 2 }),
    limit: fc.anything({ maxDepth: 1 }),
    fields: fc.anything({ maxDepth: 2 }),
    include: fc.anything({ maxDepth: 3 })
  }, { requiredKeys: [] })
)

t.test('hostile input gives a query or a 400', async t => {
  fc.assert(fc.property(anyFilter, filter => {
    const error = refusal(() => parseFilter(Note, filter, outside))
    return error === undefined || error.statusCode === 400
  }), { numRuns: 2000 })
  t.pass('2,000 filters')
})

t.test('hostile input takes linear time', async t => {
  const texts = [
    '{"where":' + '{"and":['.repeat(5000) + '{}' + ']}'.repeat(5000) + '}',
    '{"include":' + '{"a":'.repeat(4000) + '1' + '}'.repeat(4000) + '}'
  ]
  const shapes = [
    ...texts.map(text => JSON.parse(text) as object),
    { order: 'a,'.repeat(100_000) },
    { order: ','.repeat(500_000) },
    { where: { ['.'.repeat(100_000)]: 1 } },
    { fields: Array(200_000).fill('a') }
  ]
  const took = cpuTime(() => {
    for (const shape of shapes) refusal(() => parseFilter(Note, shape, outside))
  })
  t.ok(took < 3000, `${took} ms of the processor`)
})
