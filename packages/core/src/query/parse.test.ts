import t from 'tap'
import { RequestError } from '../errors.js'
import { ModelRegistry } from '../registry.js'
import { defaultQueryLimits } from './limits.js'
import { parseFilter, parseWhere, type ParseOptions } from './parse.js'

const registry = new ModelRegistry()
registry.defineModel({
  name: 'Address',
  base: 'Model',
  hidden: ['lock'],
  properties: { city: 'string', zip: 'number', lock: 'string' }
})
registry.defineModel({
  name: 'Note',
  hidden: ['secret'],
  protected: ['draft'],
  properties: {
    title: 'string',
    rank: 'number',
    big: 'long',
    done: 'boolean',
    at: 'date',
    labels: ['string'],
    dims: { type: { w: 'number', box: { depth: 'number' } } },
    meta: 'object',
    extra: 'any',
    spot: 'geopoint',
    data: 'buffer',
    home: 'Address',
    secret: 'string',
    draft: 'string'
  }
})
registry.defineModel({ name: 'Closed', strict: true, properties: { name: 'string' }, hidden: ['key'] as string[] })
registry.defineModel({ name: 'Extended', allowExtendedOperators: true, properties: { rank: 'number', name: 'string' } })
registry.defineModel({ name: 'Careful', normalizeUndefinedInQuery: 'throw', properties: { name: 'string' } })
registry.defineModel({ name: 'Nullifying', normalizeUndefinedInQuery: 'nullify', properties: { name: 'string' } })
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
/** What is said of a condition that is refused. */
const refused = (condition: unknown, options = outside) => refusal(() => where(condition, options))
const json = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

t.test('nothing is everything', async t => {
  for (const filter of [
    undefined,
    null,
    {},
    { where: null, order: '', fields: [], include: null, limit: 0 }
  ]) {
    t.match(parseFilter(Note, filter, outside), { where: undefined, order: [], limit: undefined, skip: 0, include: [] })
    t.equal(parseFilter(Note, filter, outside).select, Note.selectVisible)
  }
  t.equal(parseFilter(Note, undefined, inside).select, Note.selectAll)
  t.equal(parseFilter(Note, undefined, related).select, Note.selectIncluded)
  t.equal(where({}), undefined)
  t.match(
    refusal(() => parseFilter(Note, 'x', outside)),
    { statusCode: 400, message: 'The query filter "x" is not an object' }
  )
  t.match(refusal(() => parseFilter(Note, [], outside)), { statusCode: 400 })
})

t.test('plain values are equalities in the type of the property', async t => {
  t.match(where({ title: 'x' }), {
    kind: 'compare',
    op: 'eq',
    value: 'x',
    path: { property: 'title', path: [], declared: true, type: { kind: 'string' } }
  })
  t.match(where({ rank: '12' }), { value: 12 })
  t.match(where({ title: 12 }), { value: '12' })
  t.match(where({ done: 'false' }), { value: false })
  t.same((where({ at: '2020-01-01T00:00:00.000Z' }) as unknown as { value: unknown }).value, new Date('2020-01-01'))
  t.match(where({ big: '9007199254740993' }), { value: 9007199254740993n })
  t.match(where({ labels: 'a' }), { value: 'a' })
  t.match(where({ labels: ['a', 1] }), { value: ['a', '1'] })
  t.match(where({ rank: null }), { op: 'eq', value: null })
  t.match(where({ meta: { a: { b: [1] } } }), { op: 'eq', value: { a: { b: [1] } } })
  t.match(where({ extra: [1, 'a'] }), { value: [1, 'a'] })
  t.match(where({ spot: '1,2' }), { value: { lat: 1, lng: 2 } })
  t.match(where({ unknown: 'x' }), { path: { property: 'unknown', declared: false, type: { kind: 'any' } } })
  t.same(
    json(where({ title: 'x', rank: 1 })),
    json({ kind: 'and', conditions: [where({ title: 'x' }), where({ rank: 1 })] })
  )
})

t.test(
  'a value that cannot be of the type matches nothing, and is refused where that would match everything',
  async t => {
    for (const value of ['abc', [1], '']) t.same(where({ rank: value }), { kind: 'or', conditions: [] })
    t.same(where({ rank: { gt: 'abc' } }), { kind: 'or', conditions: [] })
    t.same(where({ rank: { between: [1, 'abc'] } }), { kind: 'or', conditions: [] })
    t.match(where({ rank: { inq: ['abc', 1] } }), { kind: 'in', values: [1] })
    t.same(where({ rank: { inq: ['abc'] } }), { kind: 'or', conditions: [] })
    for (const condition of [
      { rank: { neq: 'abc' } },
      { rank: { nin: ['abc'] } },
      { nor: [{ rank: 'abc' }] },
      { nor: [{ rank: { gt: 'x' } }] }
    ]) {
      t.match(refused(condition), { statusCode: 400 })
    }
    t.same(json(where({ nor: [{ nor: [{ rank: 'abc' }] }] })), {
      kind: 'nor',
      conditions: [{ kind: 'nor', conditions: [{ kind: 'or', conditions: [] }] }]
    })
    t.match(refused({ at: 'no date' }), { statusCode: 400 })
    t.match(refused({ at: { gt: '2020-02-30' } }), { statusCode: 400 })
  }
)

t.test('operators', async t => {
  t.match(
    where({ rank: { gt: 1, lt: 5 } }),
    {
      kind: 'and',
      conditions: [
        { op: 'gt', value: 1 },
        { op: 'lt', value: 5 }
      ]
    },
    'all of them apply'
  )
  t.match(where({ rank: { between: { 0: '1', 1: 2 } } }), { kind: 'between', from: 1, to: 2 })
  t.match(where({ rank: { nin: { 0: 1 } } }), { kind: 'in', op: 'nin', values: [1] })
  t.same(where({ rank: { nin: [] } }), { kind: 'and', conditions: [] })
  t.same(where({ rank: { inq: [] } }), { kind: 'or', conditions: [] })
  t.match(where({ title: { inq: [null, 'a'] } }), { values: [null, 'a'] })
  t.match(where({ rank: { eq: 1 } }), { op: 'eq', value: 1 })
  t.same(where({ rank: { gt: null } }), { kind: 'or', conditions: [] })
  t.match(where({ title: { exists: 'false' } }), { kind: 'exists', exists: false })
  t.match(where({ title: { like: 'a%' } }), { kind: 'like', negated: false, ignoreCase: false, pattern: 'a%' })
  t.match(where({ title: { nilike: 'a%' } }), { negated: true, ignoreCase: true })
  t.match(where({ title: { like: 'a%', options: 'i' } }), { ignoreCase: true })
  t.match(where({ labels: { like: 'a%' } }), { kind: 'like' })
  t.match(where({ title: { regexp: '^x' } }), { kind: 'regexp', source: '^x', ignoreCase: false, multiline: false })
  t.match(where({ title: { regexp: '/^x/im' } }), { source: '^x', ignoreCase: true, multiline: true })
  t.match(where({ title: { options: 'i', regexp: 'x' } }), { kind: 'regexp', ignoreCase: true })
  t.match(where({ title: /x/i }, inside), { kind: 'regexp', source: 'x', ignoreCase: true })
  t.match(where({ title: { like: /x/ } }, inside), { kind: 'regexp' })
  t.match(where({ title: { nlike: /x/ } }, inside), { kind: 'nor', conditions: [{ kind: 'regexp' }] })
  t.match(where({ spot: { near: '1,2' } }), { kind: 'near', lat: 1, lng: 2 })
  t.match(where({ spot: { near: { lat: '1', lng: 2 }, maxDistance: '1000', unit: 'meters' } }), { maxDistance: 1000 })
  t.equal(
    Math.round((where({ spot: { near: [1, 2], maxDistance: 1 } }) as unknown as { maxDistance: number }).maxDistance),
    1609,
    'miles'
  )
  t.match(where({ and: { 0: { rank: 1 }, 1: { rank: 2 } } }), { kind: 'and', conditions: [{ value: 1 }, { value: 2 }] })
  t.same(where({ or: [] }), { kind: 'or', conditions: [] })
  t.match(where({ or: [{}, { rank: 1 }] }), { kind: 'or', conditions: [{ kind: 'and', conditions: [] }, { value: 1 }] })
})

t.test('what is no condition is refused', async t => {
  const messages: ReadonlyArray<readonly [unknown, string | RegExp]> = [
    ['x', 'The where clause "x" is not an object'],
    [[], 'The where clause [] is not an object'],
    [5, 'The where clause 5 is not an object'],
    [{ and: [null] }, 'The where clause null is not an object'],
    [{ and: ['x'] }, 'The where clause "x" is not an object'],
    [{ or: 'x' }, /or operator has invalid clauses "x"/],
    [{ and: { length: 1 } }, /invalid clauses/],
    [{ and: {} }, /invalid clauses/],
    [{ rank: { between: [1] } }, /Expected precisely 2 values, received 1/],
    [{ rank: { between: 1 } }, /not an array/],
    [{ rank: { inq: 'a' } }, /not an array/],
    [{ rank: { inq: { length: 2, 0: 1 } } }, /not an array/],
    [{ title: { like: 5 } }, 'The title property has invalid clause {"like":5}: Expected a string or RegExp'],
    [{ title: { regexp: {} } }, /Expected a string or RegExp/],
    [{ title: { regexp: '(' } }, /missing closing/],
    [{ title: { regexp: '(?=a)' } }, /invalid or unsupported/],
    [{ title: { regexp: '/a/x' } }, /unknown flags/],
    [{ title: { regexp: 'a', options: 'x' } }, /options/],
    [{ rank: { like: '1%' } }, /needs text/],
    [{ at: { regexp: '1' } }, /needs text/],
    [{ title: { options: 'i' } }, /unknown operator "options"/],
    [{ rank: { gt: 1, foo: 2 } }, /unknown operator "foo"/],
    [{ rank: { gt: 1, options: 'i' } }, /unknown operator "options"/],
    [{ rank: { gt: 1, unit: 'feet' } }, /unknown operator "unit"/],
    [{ title: { foo: 1 } }, /unknown operator "foo"/],
    [{ rank: {} }, /no operator/],
    [{ title: { exists: 'perhaps' } }, /true or false/],
    [{ meta: { gt: {} } }, /have no order/],
    [{ spot: { near: 'here' } }, /near expects/],
    [{ spot: { near: '91,0' } }, /near expects/],
    [{ spot: { near: '1,2', unit: 'parsecs' } }, /unit must be/],
    [{ spot: { near: '1,2', maxDistance: -1 } }, /must be a number/],
    [{ rank: { near: '1,2' } }, /near needs a geopoint/],
    [{ 'title.length': 1 }, /no members/],
    [{ 'title..x': 1 }, /without a name/],
    [{ '': 1 }, /without a name/],
    [{ 'spot.height': 1 }, /no members/]
  ]
  for (const [condition, message] of messages) {
    const error = refused(condition)
    t.equal(error?.statusCode, 400, JSON.stringify(condition))
    t.match(error?.message, message, JSON.stringify(condition))
  }
})

t.test('extended operators', async t => {
  t.match(refused({ rank: { $gt: 1 } }), {
    code: 'OPERATOR_NOT_ALLOWED_IN_QUERY',
    details: { operators: ['$gt'], where: { $gt: 1 } }
  })
  for (const condition of [
    { $where: 'x' },
    { $or: [] },
    { extra: { a: { $gt: 1 } } },
    { extra: [{ $gt: 1 }] },
    { meta: { $ne: null } },
    { rank: { gt: 1, $lt: 2 } }
  ]) {
    t.match(refused(condition), { statusCode: 400, code: 'OPERATOR_NOT_ALLOWED_IN_QUERY' }, JSON.stringify(condition))
  }
  t.match(
    parseWhere(model('Extended'), { $or: [{ rank: { $gt: 1 } }, { name: { $regex: 'x', $options: 'i' } }] }, outside),
    {
      kind: 'or',
      conditions: [
        { op: 'gt', value: 1 },
        { kind: 'regexp', ignoreCase: true }
      ]
    }
  )
  t.match(
    refusal(() => parseWhere(model('Extended'), { rank: { $where: 'x' } }, outside)),
    { code: 'OPERATOR_NOT_ALLOWED_IN_QUERY' }
  )
})

t.test('paths', async t => {
  t.match(where({ 'dims.box.depth': '4' }), {
    value: 4,
    path: { property: 'dims', path: ['box', 'depth'], type: { kind: 'number' }, declared: true }
  })
  t.match(where({ 'dims.other': '4' }), { value: '4', path: { type: { kind: 'any' } } })
  t.match(where({ 'meta.a.b': 1 }), { path: { path: ['a', 'b'], type: { kind: 'any' } } })
  t.match(where({ 'home.zip': '12' }), { value: 12 })
  t.match(where({ 'labels.0': 5 }), { value: '5', path: { path: ['0'] } })
  t.match(where({ 'spot.lat': '1' }), { value: 1 })
  t.match(where({ 'free.form': 1 }), { path: { property: 'free', path: ['form'], declared: false } })
  t.match(refused({ [`meta${'.a'.repeat(10)}`]: 1 }), { code: 'QUERY_LIMIT_EXCEEDED' })
  t.match(
    refusal(() => parseWhere(model('Closed'), { other: 1 }, outside)),
    { statusCode: 400, code: 'UNKNOWN_PROPERTY_IN_QUERY' }
  )
  t.match(
    refusal(() => parseFilter(model('Closed'), { order: 'other' }, inside)),
    { code: 'UNKNOWN_PROPERTY_IN_QUERY' }
  )
})

t.test('an unknown property is told with the one that is near, but not with a hidden one', async t => {
  const registry = new ModelRegistry({})
  const properties = { title: 'string', secret: 'string' }
  const { compiled } = registry.defineModel({ name: 'Veiled', strict: true, properties, hidden: ['secret'] })
  const said = (name: string, options: ParseOptions) => refusal(() => parseWhere(compiled, { [name]: 1 }, options))?.message ?? ''
  t.match(said('titel', outside), /of "Veiled"\. Did you mean "title"\?$/)
  t.match(said('secre', outside), /of "Veiled"\.$/)
  t.match(said('secre', inside), /Did you mean "secret"\?$/)
  t.match(said('titel'.repeat(100), outside), /of "Veiled"\.$/, 'a long name is compared with none')
})

t.test('hidden properties cannot be asked about from outside (S-11)', async t => {
  const spellings = [
    'secret',
    'Secret',
    'SECRET',
    ' secret',
    'secret ',
    '"secret"',
    '`secret`',
    "'secret'",
    '[secret]',
    'Note.secret',
    'note.secret',
    '"Note"."secret"',
    'secret.length',
    'secret.0',
    's\u200Becret',
    'ｓecret'
  ]
  for (const name of spellings) {
    for (const condition of [
      { [name]: 'x' },
      { [name]: { neq: null } },
      { and: [{ or: [{ nor: { 0: { [name]: 1 } } }] }] },
      { title: 'a', [name]: { like: '%' } }
    ]) {
      t.match(refused(condition), { statusCode: 400, code: 'HIDDEN_PROPERTY_IN_QUERY' }, JSON.stringify(condition))
    }
    if (!/\s/.test(name)) {
      t.match(
        refusal(() => parseFilter(Note, { order: [`title, ${name} DESC`] }, outside)),
        { code: 'HIDDEN_PROPERTY_IN_QUERY' },
        name
      )
    }
  }
  t.match(refused({ 'home.lock': 1 }), { code: 'HIDDEN_PROPERTY_IN_QUERY' }, 'of a nested model')
  t.match(
    refusal(() => parseWhere(model('Closed'), { KEY: 1 }, outside)),
    { code: 'HIDDEN_PROPERTY_IN_QUERY' },
    'a name that is hidden and not declared'
  )
  t.match(where({ secret: 'x' }, inside), { value: 'x' })
  t.match(where({ draft: 'x' }), { value: 'x' }, 'protected properties may be used')
  t.match(refused({ draft: 'x' }, related), { code: 'HIDDEN_PROPERTY_IN_QUERY' }, 'but not in the scope of an include')
  t.match(where({ secrets: 1 }), { path: { declared: false } }, 'another name is another name')
})

t.test('names that reach a prototype are refused', async t => {
  for (const text of ['{"__proto__":{"a":1}}', '{"constructor":1}', '{"meta":{"__proto__":1}}', '{"meta.__proto__":1}',
    '{"extra":[{"prototype":1}]}', '{"a.constructor.name":"x"}']) {
    t.match(refusal(() => where(JSON.parse(text))), { statusCode: 400 }, text)
  }
  t.match(refusal(() => parseFilter(Note, { order: '__proto__' }, outside)), { statusCode: 400 })
  t.match(refusal(() => parseFilter(Note, JSON.parse('{"include":{"__proto__":"x"}}'), outside)), { statusCode: 400 })
})

t.test('undefined occurs in code only', async t => {
  t.equal(where({ title: undefined }, inside), undefined)
  t.match(parseWhere(model('Nullifying'), { name: undefined }, inside), { op: 'eq', value: null })
  t.match(refusal(() => parseWhere(model('Careful'), { name: undefined }, inside)), { statusCode: 400 })
  t.match(where({ title: undefined }), { op: 'eq', value: null }, 'never "all rows" for a caller from outside')
})
