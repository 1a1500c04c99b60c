import t from 'tap'
import { Type } from '@sinclair/typebox'
import type { PropertyDefinition } from '../definition/definition.js'
import { compileProperty } from './compile-property.js'
import { compileDefaults } from './defaults.js'
import { memberPath } from './path.js'
import { resolveType } from './resolve-type.js'
import type { Row } from './types.js'

const location = { model: 'Note', property: 'it', source: 'common/models/note.json' }
const kind = (type: unknown): string => resolveType(type, location).kind
const property = (definition: PropertyDefinition, name = 'it'): ReturnType<typeof compileProperty> =>
  compileProperty(name, definition, { ...location, property: name })
const defaultOf = (definition: PropertyDefinition): unknown => property(definition).makeDefault?.()

t.test('every spelling of a type', async t => {
  const spellings: Record<string, unknown[]> = {
    string: ['string', 'String', 'STRING', 'text', 'Text', String, 'ObjectID'],
    number: ['number', 'Number', Number, 'float', 'double'],
    integer: ['integer', 'int'],
    long: ['long'],
    bigint: ['bigint'],
    decimal: ['decimal'],
    boolean: ['boolean', 'Boolean', Boolean, 'bool'],
    date: ['date', 'Date', 'DateString', 'date-time', 'datetime', 'timestamp', Date],
    object: ['object', 'Object', Object, {}],
    array: ['array', 'Array', Array, [], ['string'], '[string]'],
    buffer: ['buffer', 'Buffer', 'binary', Buffer],
    geopoint: ['geopoint', 'GeoPoint', 'point', class GeoPoint {}],
    any: ['any', 'Any', 'json', 'JSON'],
    model: ['Customer', 'Point', class Anything { static modelName = 'Customer' }]
  }
  for (const [expected, written] of Object.entries(spellings)) {
    for (const type of written) t.equal(kind(type), expected, `${String(type)} is ${expected}`)
  }
  t.strictSame(resolveType('[number]', location), { kind: 'array', items: { kind: 'number' } })
  t.strictSame(resolveType('array', location), { kind: 'array', items: { kind: 'any' } })
  t.strictSame(resolveType([{ type: 'Customer' }], location), {
    kind: 'array',
    items: { kind: 'model', model: 'Customer' }
  })
  t.strictSame(resolveType([['date']], location), { kind: 'array', items: { kind: 'array', items: { kind: 'date' } } })
  const demands = { value: {}, list: {}, described: {}, required: true }
  t.strictSame(resolveType({ w: 'number', box: { depth: { type: 'number', required: true } }, gone: null }, location), {
    kind: 'object',
    members: { w: { kind: 'number' }, box: { kind: 'object', members: { depth: { kind: 'number', demands } } } }
  })
  t.strictSame(resolveType({ type: { w: Number } }, location), { kind: 'object', members: { w: { kind: 'number' } } })
})

t.test('TypeBox types', async t => {
  const cases: Array<[unknown, unknown]> = [
    [Type.String(), { kind: 'string' }],
    [Type.String({ format: 'date-time' }), { kind: 'string' }],
    [Type.Optional(Type.Number()), { kind: 'number' }],
    [Type.Integer(), { kind: 'integer' }],
    [Type.Integer({ format: 'int64' }), { kind: 'long' }],
    [Type.Boolean(), { kind: 'boolean' }],
    [Type.Date(), { kind: 'date' }],
    [Type.Unsafe<Date>({ type: 'string', format: 'date-time' }), { kind: 'date' }],
    [Type.Uint8Array(), { kind: 'buffer' }],
    [Type.Array(Type.String()), { kind: 'array', items: { kind: 'string' } }],
    [Type.Object({ a: Type.Number() }), { kind: 'object', members: { a: { kind: 'number' } } }],
    [Type.Record(Type.String(), Type.Number()), { kind: 'object' }],
    [Type.Union([Type.String(), Type.Null()]), { kind: 'string' }],
    [Type.Union([Type.Literal('a'), Type.Literal('b')]), { kind: 'string' }],
    [Type.Union([Type.String(), Type.Number()]), { kind: 'any' }],
    [
      Type.Intersect([Type.Object({ a: Type.Number() }), Type.Object({ b: Type.String() })]),
      { kind: 'object', members: { a: { kind: 'number' }, b: { kind: 'string' } } }
    ],
    [Type.Unsafe({ type: 'integer', format: 'int64' }), { kind: 'long' }],
    [Type.Ref('Address'), { kind: 'model', model: 'Address' }],
    [Type.Unknown(), { kind: 'any' }]
  ]
  for (const [type, expected] of cases) t.strictSame(resolveType(type, location), expected)
  t.throws(() => resolveType(Type.Function([], Type.String()), location), { code: 'FBK_CORE_INVALID_DEFINITION' })
})

t.test('what cannot be a property is refused with its place', async t => {
  for (const [name, definition] of [
    ['a.b', { type: 'string' }],
    ['constructor', { type: 'string' }],
    ['__proto__', { type: 'string' }],
    ['it', { type: undefined }],
    ['it', { type: 7 }],
    ['it', { type: '' }],
    ['it', { type: () => {} }],
    ['it', { type: class Stranger {} }],
    ['it', { type: JSON.parse('{"__proto__": "string"}') }],
    ['it', { type: 'number', id: 'first' }],
    ['it', { type: 'number', default: 'abc' }],
    ['it', { type: 'string', defaultFn: 'dice' }]
  ] as Array<[string, PropertyDefinition]>) {
    t.throws(
      () => property(definition, name),
      { code: 'FBK_CORE_INVALID_DEFINITION', message: /common\/models\/note\.json: model "Note", property "/ },
      `${name} ${JSON.stringify(definition)}`
    )
  }
})

t.test('ids', async t => {
  t.match(property({ type: 'number', id: true, generated: true }), { idPosition: 1, generated: true })
  t.match(property({ type: 'number', id: 2 }), { idPosition: 2, generated: false })
  t.match(property({ type: 'number', generated: true }), { idPosition: 0, generated: false })
  t.match(property({ type: 'string', required: { message: 'please' } as never }), { required: true })
})

t.test('defaults', async t => {
  t.equal(property({ type: 'string' }).makeDefault, undefined)
  t.equal(
    property({ type: 'number', default: '' }).makeDefault,
    undefined,
    'generators write empty text for "no default"'
  )
  t.equal(property({ type: 'string', default: 'x', applyDefaultOnWrites: false }).makeDefault, undefined)
  t.equal(defaultOf({ type: 'string', default: '' }), '')
  t.equal(defaultOf({ type: 'number', default: '12' }), 12, 'converted to the type')
  t.equal(defaultOf({ type: 'boolean', default: false }), false)
  t.equal(defaultOf({ type: 'string', default: null }), null)
  let calls = 0
  t.equal(defaultOf({ type: 'string', default: () => `${++calls}` }), '1')
  for (const definition of [
    { type: 'date', default: '$now' },
    { type: 'date', default: Date },
    { type: 'date', defaultFn: 'now' }
  ]) {
    const before = Date.now()
    const made = defaultOf(definition)
    t.ok(made instanceof Date && made.getTime() >= before && made.getTime() <= Date.now())
  }
  t.equal(defaultOf({ type: 'string', default: '$now' }), '$now')
  t.match(defaultOf({ type: 'string', defaultFn: 'now' }), /^\d{4}-.*Z$/, 'the time as text, for a text property')
  t.match(
    defaultOf({ type: 'string', defaultFn: 'guid' }),
    /^[0-9a-f]{8}-[0-9a-f]{4}-1[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
  )
  t.match(defaultOf({ type: 'string', defaultFn: 'uuid' }), /^.{14}1/)
  t.match(defaultOf({ type: 'string', defaultFn: 'uuidv4' }), /^.{14}4/)
  t.match(defaultOf({ type: 'string', defaultFn: 'shortid' }), /^[\w-]{7,14}$/)
  t.match(defaultOf({ type: 'string', defaultFn: 'nanoid' }), /^[\w-]{21}$/)
  const list = property({ type: ['object'], default: [{ a: 1 }] })
  const [first, second] = [list.makeDefault?.(), list.makeDefault?.()] as [Row[], Row[]]
  t.strictSame(first, [{ a: 1 }])
  t.not(first[0], second[0], 'every row gets its own')
  const date = property({ type: 'date', default: '2020-01-01' })
  t.strictSame(date.makeDefault?.(), new Date('2020-01-01'))
  t.not(date.makeDefault?.(), date.makeDefault?.())
  t.strictSame(defaultOf({ type: ['Event'], default: [] }), [])
})

t.test('defaults of a row', async t => {
  const fill = compileDefaults([
    property({ type: 'number', default: 0 }, 'stock'),
    property({ type: 'string', default: 'x' }, 'toString'),
    property({ type: 'string' }, 'none')
  ])
  const row: Row = { stock: null }
  fill(row)
  t.strictSame(
    Object.entries(row),
    [
      ['stock', null],
      ['toString', 'x']
    ],
    'null is a value, an inherited function is none'
  )
})

t.test('paths', async t => {
  t.equal(memberPath('name'), '.name')
  t.equal(memberPath('zip-code'), '[\'zip-code\']')
  t.equal(memberPath('it\'s'), '[\'it\\\'s\']')
})
