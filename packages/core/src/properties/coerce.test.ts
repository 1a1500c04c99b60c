import { inspect, isDeepStrictEqual } from 'node:util'
import t from 'tap'
import fc from 'fast-check'
import { fakeModel, type Models } from '../../test/helpers/fake-model.js'
import type { CoercionViolation } from './row-model.js'
import { coerceQueryValue, unmatchable } from './coerce-query-value.js'
import { coerceValue } from './coerce.js'
import { resolveType } from './resolve-type.js'
import type { Row } from './types.js'

const type = (written: unknown): ReturnType<typeof resolveType> => resolveType(written, { model: 'M', property: 'p' })

/** The converted value, or the codes and paths of the violations. */
function convert (written: unknown, value: unknown): unknown {
  const violations: CoercionViolation[] = []
  const result = coerceValue(type(written), value, '.p', violation => violations.push(violation))
  return violations.length === 0 ? result : violations.map(({ code, path, inProcess }) => `${inProcess?.code ?? code} ${inProcess?.path ?? path}`)
}
const wrong = ['type .p']

t.test('single values', async t => {
  class ObjectID { toString (): string { return 'abc' } }
  const cases: Array<[unknown, unknown, unknown]> = [
    ['string', 'x', 'x'],
    ['string', 5, '5'],
    ['string', true, 'true'],
    ['string', 5n, '5'],
    ['string', new Date(0), '1970-01-01T00:00:00.000Z'],
    ['string', new ObjectID(), 'abc'],
    ['string', {}, wrong],
    ['string', ['x'], wrong],
    ['string', { toString: 'x' }, wrong],
    ['string', null, null],
    ['string', undefined, undefined],
    ['string', Buffer.from('x'), wrong],
    ['string', new Date(NaN), wrong],
    ['number', '12', 12],
    ['number', ' 1e3 ', 1000],
    ['number', true, 1],
    ['number', new Date(5), 5],
    ['number', 7n, 7],
    ['number', 9007199254740993n, 9007199254740993n],
    ['number', 'abc', wrong],
    ['number', '', wrong],
    ['number', NaN, wrong],
    ['number', Infinity, wrong],
    ['number', '1e400', wrong],
    ['number', {}, wrong],
    ['number', [1], wrong],
    ['number', '9007199254740993', 9007199254740993n],
    ['number', '1'.repeat(1001), wrong],
    ['long', '1'.repeat(1001), wrong],
    ['integer', '12', 12],
    ['integer', 1.5, wrong],
    ['long', '9007199254740993', 9007199254740993n],
    ['long', '1.5', wrong],
    ['boolean', 'true', true],
    ['boolean', '1', true],
    ['boolean', 'false', false],
    ['boolean', '0', false],
    ['boolean', '', false],
    ['boolean', 'yes', true],
    ['boolean', 1, true],
    ['boolean', 0, false],
    ['boolean', 0n, false],
    ['boolean', NaN, wrong],
    ['boolean', {}, wrong],
    ['boolean', [], wrong],
    ['date', '2020-02-29', new Date('2020-02-29')],
    ['date', 0, new Date(0)],
    ['date', 'Jan 5, 2020 UTC', new Date('2020-01-05')],
    ['date', '0004-02-29', new Date('0004-02-29')],
    ['date', '2019-02-29', ['date .p']],
    ['date', '2020-04-31T00:00:00Z', ['date .p']],
    ['date', 'x', ['date .p']],
    ['date', '', ['date .p']],
    ['date', new Date(NaN), ['date .p']],
    ['date', {}, ['date .p']],
    ['date', true, ['date .p']],
    ['date', 1e300, ['date .p']],
    ['buffer', 'hé', Buffer.from('hé')],
    ['buffer', { type: 'Buffer', data: [1, 2] }, Buffer.from([1, 2])],
    ['buffer', { $type: 'base64', $data: 'aGk=' }, Buffer.from('hi')],
    ['buffer', [1, 2], Buffer.from([1, 2])],
    ['buffer', new Uint8Array([3]), Buffer.from([3])],
    ['buffer', [256], wrong],
    ['buffer', { type: 'Buffer', data: ['x'] }, wrong],
    ['buffer', { $type: 'base64', $data: '***' }, wrong],
    ['buffer', { length: 5 }, wrong],
    ['buffer', 5, wrong],
    ['geopoint', '1.5, -2.5', { lat: 1.5, lng: -2.5 }],
    ['geopoint', [1, 2], { lat: 1, lng: 2 }],
    ['geopoint', { lat: '1', lng: 2 }, { lat: 1, lng: 2 }],
    ['geopoint', '[1,2]', { lat: 1, lng: 2 }],
    ['geopoint', '{"lat":1,"lng":2}', { lat: 1, lng: 2 }],
    ['geopoint', '1', wrong],
    ['geopoint', [1], wrong],
    ['geopoint', [1, 2, 3], wrong],
    ['geopoint', { lat: 91, lng: 0 }, wrong],
    ['geopoint', { lat: 0, lng: -181 }, wrong],
    ['geopoint', { lat: null, lng: 0 }, wrong],
    ['geopoint', '[', wrong],
    ['geopoint', ',', wrong],
    ['geopoint', { lat: true, lng: 0 }, wrong],
    ['geopoint', 5, wrong],
    ['any', 'word', 'word'],
    ['any', '12', '12'],
    ['any', [1, { a: new Date(0) }], [1, { a: new Date(0) }]],
    ['object', { a: 1 }, { a: 1 }],
    ['object', '{"a":1}', { a: 1 }],
    ['object', '[1]', wrong],
    ['object', 'x', wrong],
    ['object', [1], wrong],
    ['object', 5, wrong],
    ['object', new Date(0), wrong],
    ['object', { a: undefined, f () {}, s: Symbol('x'), n: 5n }, { n: 5 }],
    ['array', [1, 'two', { three: 3 }, undefined], [1, 'two', { three: 3 }, null]],
    ['array', '[1]', [1]],
    ['array', 'x', ['type .p']],
    ['array', { length: 1 }, ['type .p']],
    [['number'], ['1', 2, null], [1, 2, null]],
    [['number'], ['a', 1, 'b'], ['type .p[0]', 'type .p[2]']],
    [['date'], ['x'], ['date .p[0]']],
    [[['string']], [[1], ['a']], [['1'], ['a']]],
    [
      { w: 'number', box: { depth: 'number' } },
      { more: 1, box: { depth: '5' }, w: '1' },
      { w: 1, box: { depth: 5 }, more: 1 }
    ],
    [{ w: 'number', 'zip-code': 'number' }, { w: 'x', 'zip-code': {} }, ['type .p.w', "type .p['zip-code']"]],
    [{ toString: 'string' }, {}, {}],
    ['Missing', { a: 1 }, { a: 1 }],
    ['Missing', 5, wrong]
  ]
  for (const [written, value, expected] of cases) {
    t.strictSame(convert(written, value), expected, `${inspect(written)} from ${inspect(value)}`)
  }
  t.strictSame(
    Object.keys(convert({ w: 'number', h: 'number' }, { x: 1, h: 1, w: 1 }) as object),
    ['w', 'h', 'x'],
    'declared members come first'
  )
  t.equal(convert('number', -0), -0)
})

t.test('violations carry what error details need', async t => {
  const violations: CoercionViolation[] = []
  coerceValue(type('number'), 'abc', '.price', violation => violations.push(violation))
  coerceValue(type('date'), 'abc', '.at', violation => violations.push(violation))
  coerceValue(type('Missing'), 'abc', '.nested', violation => violations.push(violation))
  t.strictSame(violations, [
    {
      path: '.price',
      code: 'type',
      info: { type: 'number' },
      message: 'must be a number',
      inProcess: { code: 'type', message: 'is not a number' }
    },
    {
      path: '.at',
      code: 'format',
      info: { format: 'date-time' },
      message: 'must be a date and time, as in 2024-12-31T12:00:00Z',
      inProcess: { code: 'date', message: 'is not a valid date' }
    },
    {
      path: '.nested',
      code: 'type',
      info: { type: 'object' },
      message: 'must be an object',
      inProcess: { code: 'type', message: 'is not an object' }
    }
  ])
})

t.test('nothing is nested too deeply, cycles neither', async t => {
  const nest = (levels: number): unknown => levels === 0 ? 1 : { a: nest(levels - 1) }
  t.strictSame(convert('object', nest(32)), nest(32))
  t.strictSame(convert('object', nest(33)), ['maxDepth .p'])
  t.strictSame(convert('any', nest(33)), ['maxDepth .p'])
  t.strictSame(convert('array', [nest(33)]), ['maxDepth .p'])
  t.strictSame(convert(['any'], [[[nest(33)]]]), ['maxDepth .p'])
  t.strictSame(convert({ inner: 'object' }, { inner: nest(40) }), ['maxDepth .p'])
  const cyclic: Row = {}
  cyclic.self = cyclic
  t.strictSame(convert('any', cyclic), ['maxDepth .p'])
  t.strictSame(convert('object', cyclic), ['maxDepth .p'])
})

t.test('rows', async t => {
  const models: Models = new Map()
  const note = fakeModel(models, 'Note', {
    title: 'string',
    n: 'number',
    at: 'date',
    nested: 'Address',
    list: ['Address'],
    toString: 'string',
    id: { type: 'number', id: true, generated: true }
  })
  fakeModel(models, 'Address', { city: { type: 'string', default: 'Oslo' }, floor: 'number' }, { unknown: 'refuse' })
  const violations: CoercionViolation[] = []
  const coerce = (data: Row, model = note): Row => {
    violations.length = 0
    return model.coerce(data, violation => violations.push(violation))
  }

  t.strictSame(
    Object.entries(coerce({ extra: { a: [1] }, n: '5', title: 7, at: undefined, method () {}, [Symbol('s')]: 1 })),
    [
      ['title', '7'],
      ['n', 5],
      ['extra', { a: [1] }]
    ]
  )
  t.equal(violations.length, 0)

  const row = coerce({ n: 'abc', nested: { floor: 'x', attic: 1 }, list: [{ floor: '2' }, 5] })
  t.strictSame(
    violations.map(({ path, code }) => `${path} ${code}`),
    ['.n type', '.nested.floor type', '.nested additionalProperties', '.list[1] type']
  )
  t.equal(row.n, 'abc', 'stays for a later look')
  t.strictSame(coerce({ nested: '{"floor":"3"}', list: [{ floor: '2' }, null] }), {
    nested: { floor: 3, city: 'Oslo' },
    list: [{ floor: 2, city: 'Oslo' }, null]
  })

  coerce({ 'a.b': 1 })
  t.match(violations, [{ path: '[\'a.b\']', code: 'name' }])
  t.equal(coerce({ constructor: 1, then: 2, hasOwnProperty: 3 }).constructor, 1)

  const dropping = fakeModel(models, 'Dropping', { a: 'number' }, { unknown: 'drop' })
  t.strictSame(coerce({ a: 1, b: 2 }, dropping), { a: 1 })
  t.equal(violations.length, 0)
  const refusing = fakeModel(models, 'Refusing', { a: 'number' }, { unknown: 'refuse' })
  t.strictSame(coerce({ a: 1, b: 2, c: 3 }, refusing), { a: 1 })
  t.strictSame(violations[0], {
    path: '',
    code: 'additionalProperties',
    message: '"b" is not a known property',
    info: { additionalProperty: 'b' },
    inProcess: { path: '.b', code: 'unknown-property', message: 'is not defined in the model' }
  })
  t.equal(violations.length, 2)

  const tree = fakeModel(models, 'Tree', { children: ['Tree'] }, { settings: { maxDepthOfData: 6 } })
  const cyclic: Row = {}
  cyclic.children = [cyclic]
  coerce(cyclic, tree)
  t.strictSame(violations.map(violation => violation.code), ['maxDepth'])
  t.strictSame(coerce({ children: [{ children: [] }] }, tree), { children: [{ children: [] }] })
  t.equal(violations.length, 0)
})

t.test('data of relations are no properties', async t => {
  const models: Models = new Map()
  const order = fakeModel(models, 'Order', { customerId: 'number', kind: 'string' }, {
    unknown: 'refuse',
    relations: {
      customer: { type: 'belongsTo', definition: { foreignKey: 'customerId', primaryKey: 'id' } },
      owner: { type: 'belongsTo', definition: { foreignKey: 'ownerId', primaryKey: 'id', polymorphic: {} } },
      items: { type: 'hasMany', definition: { foreignKey: 'orderId' } }
    }
  })
  const violations: CoercionViolation[] = []
  const coerce = (data: Row): Row => order.coerce(data, violation => violations.push(violation))
  t.strictSame(coerce({ customer: { id: '7', name: 'x' }, items: [{}], owner: { id: 1 } }), { customerId: 7 })
  t.strictSame(coerce({ customer: { id: 7 }, customerId: 3 }), { customerId: 3 }, 'the key itself wins')
  t.strictSame(coerce({ customer: null }), {})
  t.strictSame(coerce({ customer: { name: 'x' } }), {})
  t.strictSame(violations, [])
})

t.test('no data whatever make coerce throw or reach a prototype', async t => {
  const models: Models = new Map()
  fakeModel(models, 'Inner', { a: 'number', b: ['date'] })
  const kinds = [
    'string',
    'number',
    'integer',
    'long',
    'boolean',
    'date',
    'object',
    'array',
    'buffer',
    'geopoint',
    'any',
    'Inner',
    ['Inner'],
    ['number'],
    { x: 'number', y: ['string'] }
  ]
  const model = fakeModel(models, 'All', Object.fromEntries(kinds.map((kind, i) => [`p${i}`, kind])))
  const hostileKey = fc.constantFrom(
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'toJSON',
    'then',
    'length',
    'lat',
    'lng',
    'type',
    'data',
    '$type',
    '$data',
    'a',
    'x'
  )
  const leaf = fc.oneof(
    fc.string(),
    fc.double(),
    fc.boolean(),
    fc.constant(null),
    fc.constant(undefined),
    fc.bigInt(),
    fc.date({ noInvalidDate: false }),
    fc.uint8Array()
  )
  const value = fc.letrec(tie => ({
    any: fc.oneof(
      { depthSize: 'small' },
      leaf,
      fc.array(tie('any')),
      fc.dictionary(fc.oneof(hostileKey, fc.string()), tie('any')),
      fc.object({ key: hostileKey }).map(o => JSON.parse(JSON.stringify(o)) as unknown)
    )
  })).any
  const before = Object.getOwnPropertyNames(Object.prototype).join()
  fc.assert(
    fc.property(
      fc.dictionary(fc.oneof(fc.constantFrom(...kinds.map((_, i) => `p${i}`)), hostileKey), value, {
        noNullPrototype: false
      }),
      data => {
        const violations: CoercionViolation[] = []
        const row = model.coerce(data, violation => violations.push(violation))
        model.applyDefaults(row)
        if (Object.getPrototypeOf(row) !== Object.prototype) return false
        for (const violation of violations) if (typeof violation.path !== 'string' || violation.code === '') return false
        // What came through once comes through again unchanged.
        if (
          violations.length === 0 &&
          !isDeepStrictEqual(
            model.coerce(row, () => {
              throw new Error('invalid the second time')
            }),
            row
          )
        ) { return false }
        return Object.getOwnPropertyNames(Object.prototype).join() === before
      }
    ),
    { numRuns: 300 }
  )
  const polluted = JSON.parse(
    '{"p6": {"__proto__": {"x": 1}, "a": {"__proto__": {"y": 1}}}, "__proto__": {"z": 1}, "p12": [{"__proto__": {"w": 1}}]}'
  ) as Row
  const row = model.coerce(polluted, () => t.fail('no violation'))
  t.equal((row.p6 as Row).x, undefined)
  t.equal(row.z, undefined)
  t.strictSame(Object.keys(row.p6 as Row), ['a'])
})

t.test('values of conditions', async t => {
  const cases: Array<[unknown, unknown, unknown]> = [
    ['number', '12', 12],
    ['number', 'abc', unmatchable],
    ['number', '', unmatchable],
    ['number', '9007199254740993', 9007199254740993n],
    ['number', 9007199254740993n, 9007199254740993n],
    ['number', 5n, 5],
    ['number', null, null],
    ['number', undefined, null],
    ['number', {}, unmatchable],
    ['number', true, 1],
    ['number', NaN, unmatchable],
    ['string', 12, '12'],
    ['string', {}, unmatchable],
    ['string', ['a'], unmatchable],
    ['boolean', 'true', true],
    ['boolean', '0', false],
    ['boolean', 'yes', true],
    ['boolean', [], unmatchable],
    ['date', '2020-01-01', new Date('2020-01-01')],
    ['date', '1577836800000', new Date(1577836800000)],
    ['date', 0, new Date(0)],
    ['date', '2020', new Date('2020')],
    ['geopoint', '1,2', { lat: 1, lng: 2 }],
    ['geopoint', 'x', unmatchable],
    ['buffer', 'x', Buffer.from('x')],
    ['buffer', 5, unmatchable],
    ['any', { a: 1 }, { a: 1 }],
    ['object', 'x', 'x'],
    [['number'], '5', 5],
    [['number'], [1, 2], [1, 2]],
    ['array', 5, 5],
    ['Customer', { id: 1 }, { id: 1 }]
  ]
  for (const [written, value, expected] of cases) {
    t.strictSame(coerceQueryValue(type(written), value), expected, `${String(written)} ${String(value)}`)
  }
  for (const value of ['x', '2019-02-29', {}, '', true]) {
    t.throws(() => coerceQueryValue(type('date'), value), { name: 'Error', message: /is not a valid date$/ })
  }
  t.throws(
    () => coerceQueryValue(type('date'), 'x'.repeat(100)),
    { message: /^.{0,120}$/ },
    'a long value is shortened'
  )
})
