import t, { type Test } from 'tap'
import { GeoPoint, Validators } from '@fastback/core/remote'
import { loopback3Converter } from './loopback3.js'
import { resolveArgumentType, type ValueSource } from './schema.js'
import { ArgumentViolation } from './text.js'

const validators = new Validators()
type Options = Parameters<typeof loopback3Converter>[3]

const convert = (type: unknown, place: ValueSource, found: unknown, options: Options = {}): unknown =>
  loopback3Converter(resolveArgumentType(type, { models: {} }), place, validators, options)(found)

const takes = (t: Test, type: unknown, place: ValueSource, table: ReadonlyArray<readonly [unknown, unknown]>): void => {
  for (const [found, value] of table) t.strictSame(convert(type, place, found), value, `${String(type)} of ${JSON.stringify(found)}`)
}

const refuses = (t: Test, type: unknown, place: ValueSource, ...all: unknown[]): void => {
  for (const found of all) {
    t.ok(convert(type, place, found) instanceof ArgumentViolation, `${String(type)}: ${JSON.stringify(found)}`)
  }
}

t.test('texts of queries and forms are read generously', async t => {
  takes(t, 'string', 'query', [['', undefined], ['null', 'null'], ['5', '5'], [['a', 'b'], 'a,b']])
  takes(t, 'number', 'form', [['', undefined], ['12.5', 12.5], ['0668', 668], ['1e30', 1e30]])
  takes(t, 'integer', 'query', [['', undefined], ['-3', -3]])
  takes(t, 'boolean', 'form', [['', undefined], ['1', true], ['FALSE', false]])
  takes(t, 'date', 'query', [
    ['', undefined], ['0', new Date(0)], ['-1000', new Date(-1000)], ['2020-01-31', new Date(Date.UTC(2020, 0, 31))]
  ])
  takes(t, 'object', 'query', [['', undefined], ['null', null], ['{"a":1}', { a: 1 }]])
  takes(t, ['number'], 'query', [['', undefined], ['null', null], ['7', [7]], ['[1,2]', [1, 2]], [['1', '2'], [1, 2]]])
  takes(t, 'geopoint', 'query', [['', undefined], ['1,2', new GeoPoint(1, 2)], [{ lat: '1', lng: '2' }, new GeoPoint(1, 2)]])
  takes(t, 'any', 'query', [
    ['', undefined], ['null', null], ['True', true], ['007', '007'], ['.5', 0.5], ['9007199254740993', '9007199254740993'],
    ['[1', '[1'], ['[1]', [1]], ['{"a":1}', { a: 1 }]
  ])
  t.strictSame(convert(['number'], 'query', '1,2', { delimiters: [','] }), [1, 2])
})

t.test('what stands for nothing of the type is refused', async t => {
  refuses(t, 'string', 'query', { a: '1' }, [{ a: '1' }])
  refuses(t, 'number', 'query', 'x', 'null', ['1', '2'])
  refuses(t, 'integer', 'query', '1.5', '9007199254740993')
  refuses(t, 'boolean', 'query', 'yes', '2')
  refuses(t, 'date', 'query', 'x', '2019-02-30')
  refuses(t, 'object', 'query', 'x', '[1]', '{a}', ['1'])
  refuses(t, ['number'], 'query', '[1,"2"]', ['1', 'x'], '[1')
  refuses(t, 'geopoint', 'query', 'null', '91,0', '{}')
  t.match(convert('object', 'query', '{"a":"long"}', { objectText: 5 }), { code: 'maxLength' })
})

t.test('values of JSON keep their types', async t => {
  takes(t, 'number', 'json', [[5, 5]])
  takes(t, 'date', 'json', [[0, new Date(0)], ['2020-01-31', new Date(Date.UTC(2020, 0, 31))]])
  takes(t, 'object', 'json', [[null, null], [{ a: 1 }, { a: 1 }]])
  takes(t, ['string'], 'json', [[null, null], [['a'], ['a']]])
  takes(t, 'any', 'json', [[null, null], ['', ''], ['5', '5']])
  takes(t, 'geopoint', 'json', [[{ lat: 1, lng: 2 }, new GeoPoint(1, 2)], [[1, 2], new GeoPoint(1, 2)]])
  refuses(t, 'string', 'json', null, 5, ['a'])
  refuses(t, 'number', 'json', null, '5', '')
  refuses(t, 'boolean', 'json', 'true', 1)
  refuses(t, 'date', 'json', null, true, {})
  refuses(t, 'object', 'json', 'x', [{}])
  refuses(t, ['string'], 'json', 'a', [1])
  refuses(t, 'geopoint', 'json', null, { lat: '1', lng: 2 })
  t.strictSame(convert('object', 'json', [{ a: 1 }], { allowArray: true }), [{ a: 1 }])
  t.ok(convert('object', 'json', [[1]], { allowArray: true }) instanceof ArgumentViolation)
})

t.test('tagged values within objects, only where somebody wants them', async t => {
  const at = new Date(Date.UTC(2020, 0, 1))
  const tagged = (): object => ({ list: [{ at: { $type: 'date', $data: at.toJSON() } }], bytes: { $type: 'base64', $data: 'aGk=' } })
  t.strictSame(convert('object', 'json', tagged()), tagged())
  t.strictSame(convert('object', 'json', tagged(), { decodesAll: true }), { list: [{ at }], bytes: Buffer.from('hi') })
  t.match(convert('object', 'json', { at: { $type: 'date', $data: 'x' } }, { decodesAll: true }), { code: 'format' })
})

t.test('keywords are checked after the conversion, and ids in paths stay ids', async t => {
  t.equal(convert('number', 'query', '5', { keywords: { maximum: 5 } }), 5)
  t.match(convert('number', 'query', '6', { keywords: { maximum: 5 } }), { violations: [{ code: 'maximum' }] })
  t.equal(convert('number', 'query', '', { keywords: { maximum: 5 } }), undefined)
  takes(t, 'any', 'path', [['7', 7], ['true', 'true'], ['{"neq":0}', '{"neq":0}']])
})
