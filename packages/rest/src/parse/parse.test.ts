import t, { type Test } from 'tap'
import fc from 'fast-check'
import { GeoPoint, normaliseSchema, Validators, valuePath } from '@fastback/core/remote'
import { converter, ArgumentViolations } from './convert.js'
import { parseJson } from './json.js'
import { parseFields, queryParameter, queryText } from './query.js'
import { parseDateTime, parseFullDate } from './rfc3339.js'
import { resolveArgumentType, type ValueSource } from './schema.js'
import { decodeTagged, encodeTagged } from './tagged.js'
import { ArgumentViolation, pathValue, scalarViolations, textCoercers, type ScalarType } from './text.js'

const registry = { models: {} }
const validators = new Validators()
const convert = (
  type: unknown,
  place: ValueSource,
  found: unknown,
  keywords?: Record<string, unknown>,
  objectText?: number
): unknown =>
  converter(resolveArgumentType(type, registry), place, validators, {
    keywords,
    ...(objectText === undefined ? {} : { objectText })
  })(found)

const accepted = (t: Test, type: ScalarType, table: Record<string, unknown>): void => {
  for (const [text, value] of Object.entries(table)) {
    t.strictSame(textCoercers[type](text), value, `${type} takes ${JSON.stringify(text)}`)
  }
}
const refused = (t: Test, type: ScalarType, texts: readonly string[], code: 'type' | 'format'): void => {
  for (const text of texts) t.match(textCoercers[type](text), { code }, `${type} refuses ${JSON.stringify(text)}`)
}

t.test('numbers are what Number() makes of a text', async t => {
  accepted(t, 'number', {
    1.5: 1.5,
    '.5': 0.5,
    '5.': 5,
    '+1': 1,
    '1e3': 1000,
    '0x10': 16,
    '0b101': 5,
    '0o17': 15,
    '007': 7,
    ' 12 ': 12,
    '\n3': 3,
    ' ': 0,
    Infinity,
    '-Infinity': -Infinity,
    '1e400': Infinity
  })
  t.ok(Object.is(textCoercers.number('-0'), -0))
  refused(
    t,
    'number',
    [
      '',
      'NaN',
      'nan',
      'infinity',
      '1,000',
      '1_000',
      '1.2.3',
      '0x',
      '1a',
      '1n',
      'null',
      'true',
      '[]',
      '{}',
      '"1"',
      '１２',
      '∞',
      '$5'
    ],
    'type'
  )
  accepted(t, 'integer', { '1.0': 1, '1e3': 1000, 9007199254740992: 2 ** 53, '1e21': 1e21 })
  refused(t, 'integer', ['', '1.5', '1e-7', 'Infinity'], 'type')
  accepted(t, 'long', { '1.0': 1, '-9007199254740991': -(2 ** 53 - 1) })
  refused(t, 'long', ['1.5', 'Infinity', 'x'], 'type')
  refused(t, 'long', ['9007199254740992'], 'format')
  t.match(textCoercers.long('1e21'), { code: 'maximum', also: { code: 'format' } })
  t.match(textCoercers.long('-1e21'), { code: 'minimum', also: { code: 'format' } })
})

t.test('booleans are four words in any case', async t => {
  accepted(t, 'boolean', { true: true, TRUE: true, 1: true, False: false, 0: false })
  refused(
    t,
    'boolean',
    ['', 'yes', 'on', 't', '2', '00', '1.0', '+1', ' true', 'true ', '"true"', 'falſe', 'ＴＲＵＥ'],
    'type'
  )
})

t.test('dates are those of RFC 3339, on days that there are', async t => {
  const iso = (text: string): string | undefined => parseDateTime(text)?.toISOString()
  t.equal(parseFullDate('2020-02-29')?.toISOString(), '2020-02-29T00:00:00.000Z')
  t.equal(parseFullDate('0000-01-01')?.getUTCFullYear(), 0)
  for (const text of [
    '2019-02-29',
    '1900-02-29',
    '2020-04-31',
    '2020-1-1',
    '20200101',
    '2020-13-01',
    '-2020-01-01',
    '12020-01-01',
    ' 2020-01-01',
    '0'
  ]) { t.equal(parseFullDate(text), undefined, text) }
  t.equal(iso('2020-01-01T00:00:00.1239Z'), '2020-01-01T00:00:00.123Z')
  t.equal(iso('2020-01-01t23:59:59z'), '2020-01-01T23:59:59.000Z')
  t.equal(iso('2020-01-01 00:00:00+23:59'), '2019-12-31T00:01:00.000Z')
  t.equal(iso('2020-01-01T00:00:00-00:00'), '2020-01-01T00:00:00.000Z')
  for (const text of [
    '2020-01-01',
    '2020-01-01T00:00Z',
    '2020-01-01T00:00:00',
    '2020-01-01T24:00:00Z',
    '2020-01-01T00:00:60Z',
    '2020-01-01T00:60:00Z',
    '2020-01-01T00:00:00+24:00',
    '2020-01-01T00:00:00+2:00',
    '2020-01-01T00:00:00+0200',
    '2020-01-01T00:00:00.Z',
    '2020-01-01\t00:00:00Z',
    '1577836800000'
  ]) {
    t.equal(parseDateTime(text), undefined, text)
  }
  t.type(textCoercers.date('2020-01-01T00:00:00Z'), Date, 'clients of LoopBack 3 send instants for dates')
  fc.assert(
    fc.property(
      fc.date({ min: new Date(-62167219200000), max: new Date(253402300799999), noInvalidDate: true }),
      date => parseDateTime(date.toISOString())?.getTime() === date.getTime()
    )
  )
})

t.test('JSON has no keys that reach a prototype, and is not too deep', async t => {
  const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels)
  t.doesNotThrow(() => parseJson(nested(64)))
  t.throws(() => parseJson(nested(65)), SyntaxError)
  t.throws(() => parseJson(nested(100_000)), SyntaxError)
  t.strictSame(
    parseJson(`{"a":"${'['.repeat(200)}\\\\\\"${'{'.repeat(200)}"}`),
    { a: '['.repeat(200) + '\\"' + '{'.repeat(200) },
    'brackets in texts do not count'
  )
  for (const text of [
    '{"__proto__":1}',
    '{"a":[{"__proto__":{}}]}',
    '{"\\u005f_proto__":{}}',
    '{"constructor":{"prototype":{}}}',
    '{"a":1,"a":{"__proto__":null}}',
    '',
    '{',
    'NaN',
    '01'
  ]) { t.throws(() => parseJson(text), SyntaxError, text) }
  t.equal(JSON.stringify(parseJson('{"constructor":{"a":1},"prototype":{}}')), '{"constructor":{"a":1},"prototype":{}}')
  t.equal(parseJson('null'), null)
})

t.test('a query is read as Express reads it', async t => {
  t.equal(queryText('/a'), undefined)
  t.equal(queryText('/a?'), undefined)
  t.equal(queryText('/a?b?c'), 'b?c')
  const parameter = (text: string, name = 'value'): unknown => queryParameter(text, name, () => parseFields(text))
  t.equal(parameter('value=a+b%2Bc'), 'a b+c')
  t.equal(parameter('value=%zz'), '%zz')
  t.equal(parameter('value=a=b'), 'a=b')
  t.equal(parameter('value'), '')
  t.equal(parameter('%76alue=a'), 'a')
  t.equal(parameter('other=1'), undefined)
  t.strictSame(parameter('value=1&value=2'), ['1', '2'])
  t.strictSame(parameter('value[a][b][c][d][e][f]=1'), { a: { b: { c: { d: { e: { '[f]': '1' } } } } } })
  t.strictSame(parameter('value[__proto__][x]=1'), {})
  t.equal(parameter('__proto__[value]=1'), undefined)
  t.throws(() => parameter('a=1&'.repeat(1001) + 'value=1'), { statusCode: 400, code: 'QUERY_LIMIT_EXCEEDED' })
  fc.assert(fc.property(fc.string(), text => parameter(`value=${encodeURIComponent(text)}`) === text))
})

t.test('objects come as JSON, with types, or in brackets, as texts', async t => {
  t.strictSame(convert('object', 'query', ' {"a":1,"a":2} '), { a: 2 })
  t.strictSame(convert('object', 'query', { a: '1' }), { a: '1' })
  t.equal(convert('object', 'query', ''), undefined)
  t.equal(convert('object', 'query', 'null'), null)
  for (const found of ['[]', '1', '"x"', 'true', '{', '{}}', '{"__proto__":{}}', ['{}', '{}'], ['1']]) {
    t.match(convert('object', 'query', found), { code: 'type', info: { type: 'object' } }, JSON.stringify(found))
  }
  t.match(convert('object', 'query', '{"a":"long enough"}', undefined, 10), { code: 'maxLength', info: { limit: 10 } })
  const keywords = { properties: { n: { type: 'number' } }, required: ['n'] }
  t.strictSame(convert('object', 'query', { n: '1' }, keywords), { n: 1 }, 'the schema types the texts of brackets')
  t.match(
    convert('object', 'query', '{"n":"1"}', keywords),
    { violations: [{ path: '.n', code: 'type' }] },
    'JSON keeps its types'
  )
})

t.test('arrays', async t => {
  t.strictSame(convert(['number'], 'query', '1'), [1])
  t.strictSame(convert(['number'], 'query', ['1', '2.5']), [1, 2.5])
  t.strictSame(convert(['number'], 'query', '[1,2.5]'), [1, 2.5])
  t.match(convert(['number'], 'query', '["1"]'), { violations: [{ path: '[0]', code: 'type' }] })
  t.strictSame(convert(['boolean'], 'query', ['true', 'false']), [true, false])
  t.ok(convert(['boolean'], 'query', '1') instanceof ArgumentViolations)
  t.strictSame(convert(['date-time'], 'query', '2020-01-01T00:00:00Z'), ['2020-01-01T00:00:00Z'])
  t.strictSame(convert(['string'], 'query', '1,2'), ['1,2'])
  t.strictSame(convert(['string'], 'query', '[x'), ['[x'])
  t.strictSame(convert(['object'], 'query', { x: '1' }), [{ x: '1' }])
  t.strictSame(
    converter(resolveArgumentType(['number'], registry), 'query', validators, { delimiters: [',', ';'] })('1,2;3'),
    [1, 2, 3]
  )
})

t.test('named arguments in bodies', async t => {
  t.equal(convert('number', 'json', 5), 5)
  t.ok(convert('number', 'json', '5') instanceof ArgumentViolations, 'JSON is never converted')
  t.equal(convert('number', 'form', '5'), 5)
  t.type(convert('date', 'json', '2020-01-01'), Date)
  t.match(convert('date', 'json', 'x'), { code: 'format' })
  t.strictSame(
    convert('date', 'json', { $type: 'date', $data: '2020-01-01T00:00:00.000Z' }),
    new Date(Date.UTC(2020, 0, 1))
  )
  t.match(convert('date', 'json', { $type: 'base64', $data: '' }), { code: 'format' })
  t.strictSame(convert('buffer', 'json', { $type: 'base64', $data: 'aGk=' }), Buffer.from('hi'))
  t.match(convert('buffer', 'json', { $type: 'base64', $data: '?' }), { code: 'format' })
  t.strictSame(
    convert('object', 'json', { $type: 'date', $data: 'x' }),
    { $type: 'date', $data: 'x' },
    'only where a date is asked for'
  )
  t.strictSame(decodeTagged(encodeTagged(Buffer.from([1, 2])), { kind: 'buffer' }), Buffer.from([1, 2]))
  const point = new GeoPoint(1, -2.5)
  t.strictSame(convert('geopoint', 'query', '1,-2.5'), point)
  t.strictSame(convert('geopoint', 'query', { lat: '1', lng: '-2.5' }), point)
  t.strictSame(convert('geopoint', 'json', [1, -2.5]), point)
  t.ok(convert('geopoint', 'query', '91,0') instanceof ArgumentViolation, 'latitudes end at 90')
  t.ok(convert('geopoint', 'json', { lat: true, lng: 1 }) instanceof ArgumentViolation)
})

t.test('values of any type', async t => {
  t.strictSame(['1', '-2.5', '007', '1.0', '9007199254740993', 'true', 'null', '{"a":1}', '[1]', '%'].map(pathValue), [
    1,
    -2.5,
    '007',
    '1.0',
    '9007199254740993',
    'true',
    'null',
    '{"a":1}',
    '[1]',
    '%'
  ])
  t.strictSame(
    ['1', 'true', 'null', '{"a":1}', '{a', '[1]', 'text'].map(text => convert('any', 'query', text)),
    [1, true, null, { a: 1 }, '{a', [1], 'text']
  )
  t.equal(convert('any', 'query', ''), undefined)
})

t.test('faults of schemas say where and why', async t => {
  const check = validators.json({
    type: 'object',
    required: ['name'],
    properties: {
      name: { type: 'string', nullable: true },
      n: { type: 'integer', format: 'int32' },
      at: { type: 'string', format: 'date-time' },
      list: { type: 'array', items: { type: 'object', properties: { 'zip-code': { type: 'string' } } } }
    },
    additionalProperties: false
  })
  t.equal(check({ name: null, n: 1, at: '2020-01-01 00:00:00Z' }), undefined)
  t.match(check({ name: 1, n: 2 ** 31, at: '2020-01-01', list: [{ 'zip-code': 1 }], x: 1 }), [
    { path: '', code: 'additionalProperties', info: { additionalProperty: 'x' } },
    { path: '.name', code: 'type', info: { type: ['string', 'null'] } },
    { path: '.n', code: 'maximum', info: { comparison: '<=', limit: 2147483647 } },
    { path: '.n', code: 'format', info: { format: 'int32' } },
    { path: '.at', code: 'format', info: { format: 'date-time' } },
    { path: ".list[0]['zip-code']", code: 'type', info: { type: 'string' } }
  ])
  t.match(check({}), [{ path: '', code: 'required', info: { missingProperty: 'name' } }])
  t.equal(
    validators.json({ type: 'string', pattern: '^\\_[\\w\\-]+$' })('_a-b'),
    undefined,
    'patterns with needless escapes'
  )
  t.equal(valuePath('/0/a~1b/0', { 0: { 'a/b': [1] } }), "['0']['a/b'][0]")
  t.equal(
    validators.json({ type: 'array', items: { type: 'number' } })(Array(5000).fill('x'))?.length,
    1000,
    'an answer stays in proportion'
  )
  t.strictSame(normaliseSchema({ properties: { nullable: { type: 'string' } }, enum: [{ nullable: true }] }), {
    properties: { nullable: { type: 'string' } },
    enum: [{ nullable: true }]
  })
})

t.test('names of types', async t => {
  t.strictSame(
    [
      'String',
      'text',
      'DateString',
      'datetime',
      'Array',
      '[number]',
      Number,
      { a: 'string' },
      undefined,
      'Unknown'
    ].map(type => resolveArgumentType(type, registry)),
    [
      { kind: 'string' },
      { kind: 'string' },
      { kind: 'date' },
      { kind: 'date-time' },
      { kind: 'array', items: { kind: 'any' } },
      { kind: 'array', items: { kind: 'number' } },
      { kind: 'number' },
      { kind: 'object' },
      { kind: 'any' },
      { kind: 'any' }
    ]
  )
})

t.test('no value makes a converter throw, or reaches a prototype', async t => {
  const types: unknown[] = [
    ...Object.keys(scalarViolations),
    'object',
    'any',
    'buffer',
    'geopoint',
    ['string'],
    ['number'],
    ['object'],
    'array'
  ]
  const hostile = fc.oneof(
    fc.string(),
    fc.json(),
    fc.constantFrom('__proto__', '{"__proto__":{"polluted":1}}', '[[[[', '\u0000', '1e999', '{"$type":"date"}')
  )
  const fields = fc.oneof(
    hostile,
    fc.array(hostile, { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'constructor', 'toString'), hostile, { maxKeys: 3 })
  )
  const places: ValueSource[] = ['query', 'json', 'form', 'text']
  fc.assert(fc.property(fc.constantFrom(...types), fc.constantFrom(...places), fields, (type, place, found) => {
    const value = convert(type, place, place === 'text' && typeof found !== 'string' ? JSON.stringify(found) : found)
    return (value instanceof ArgumentViolation || value instanceof ArgumentViolations || typeof value !== 'symbol') && !('polluted' in {})
  }), { numRuns: 2000 })
})
