import t from 'tap'
import fc from 'fast-check'
import type { CoercionViolation } from './row-model.js'
import { coerceQueryValue, unmatchable } from './coerce-query-value.js'
import { coerceValue } from './coerce.js'
import { invalid } from './convert.js'
import { decimalKey, decimalOfKey } from './decimal-key.js'
import { compareDecimals, plainDecimal } from './decimal-order.js'
import { decimalPattern, decimalText, fitsDecimal, readDecimal } from './decimal.js'
import { withDecimalLimits } from './decimal-limits.js'
import { resolveType } from './resolve-type.js'

const location = { model: 'M', property: 'p' }

/** Digits before and after the point, which is what a decimal is. */
const decimals = fc.tuple(fc.boolean(), fc.bigInt(0n, 10n ** 40n), fc.integer({ min: 0, max: 30 }))
  .map(([isNegative, digits, scale]) => {
    const text = String(digits).padStart(scale + 1, '0')
    return `${isNegative ? '-' : ''}${text.slice(0, text.length - scale)}${scale === 0 ? '' : `.${text.slice(-scale)}`}`
  })

/** As a whole number of the smallest part that one of these has. */
function scaled (text: string): bigint {
  const [whole = '', fraction = ''] = text.split('.')
  return BigInt(whole + fraction.padEnd(40, '0'))
}

const sign = (difference: number | bigint): number => difference > 0 ? 1 : difference < 0 ? -1 : 0

t.test('one text for each number', async t => {
  const texts: Array<[unknown, string]> = [
    ['0', '0'], ['-0', '0'], ['-0.00', '0'], ['007.50', '7.5'], ['+12', '12'], [' 12.0 ', '12'], ['-1.50', '-1.5'],
    [5, '5'], [-0, '0'], [0.1, '0.1'], [1e21, '1000000000000000000000'], [1.5e-7, '0.00000015'], [-2e-10, '-0.0000000002'],
    [2n ** 80n, '1208925819614629174706176'], ['12345678901234567890.01', '12345678901234567890.01']
  ]
  for (const [value, text] of texts) t.equal(decimalText(value), text, String(value))
  const none = ['', '.5', '5.', '1e3', '0x1', '1,5', 'NaN', 'Infinity', NaN, Infinity, true, null, {}, [1], new Date(0)]
  for (const value of none) {
    t.equal(decimalText(value), invalid, String(value))
  }
  t.equal(decimalText('12', 2), '12.00')
  t.equal(decimalText('12.505', 2), '12.505', 'nothing is cut')
  fc.assert(fc.property(decimals, text => scaled(decimalText(text) as string) === scaled(text)))
})

t.test('no more digits than there is room for', async t => {
  const money = { precision: 6, scale: 2 }
  t.strictSame(['1234.5', '-1234.56', '0001', '1.500', 9.99, 12].map(value => readDecimal(value, money)),
    ['1234.50', '-1234.56', '1.00', '1.50', '9.99', '12.00'])
  for (const value of ['12345', '1.505', '0.001']) t.equal(readDecimal(value, money), invalid, value)
  t.equal(readDecimal('9'.repeat(38)), '9'.repeat(38))
  t.equal(readDecimal('9'.repeat(39)), invalid)
  t.equal(readDecimal(`0.${'0'.repeat(30)}1`), `0.${'0'.repeat(30)}1`)
  t.equal(readDecimal(`0.${'1'.repeat(39)}`), invalid)
  t.equal(readDecimal(0.1 + 0.2), invalid, 'a number of more digits than a double holds')
  t.equal(readDecimal(2 ** 53), invalid)
  t.equal(readDecimal(2 ** 53 - 1), '9007199254740991')
  const pattern = new RegExp(decimalPattern(money))
  t.ok(['1234.56', '1234'].every(text => pattern.test(text)))
  t.notOk(['12345', '1.505', '1e3'].some(text => pattern.test(text)))
  t.notOk(new RegExp(decimalPattern({ precision: 3, scale: 3 })).test('1.0'), 'nothing before the point')
  const digits = fc.record({ precision: fc.integer({ min: 1, max: 40 }), scale: fc.integer({ min: 0, max: 30 }) })
  fc.assert(fc.property(decimals, digits, (text, { precision, scale }) => {
    if (scale > precision) return true
    const limits = { precision, scale }
    const fits = fitsDecimal(decimalText(text) as string, limits)
    return fits === (scaled(text) % 10n ** BigInt(40 - scale) === 0n &&
      [-1, 1].every(side => sign(scaled(text) * BigInt(side) - 10n ** BigInt(40 + precision - scale)) === -1)) &&
      new RegExp(decimalPattern(limits)).test(text) === fits
  }))
})

t.test('the order of numbers', async t => {
  t.strictSame(['10', '9.5', '-3', '0', '-10', '9.50', '-3.1'].sort(compareDecimals), ['-10', '-3.1', '-3', '0', '9.5', '9.50', '10'])
  t.strictSame(['NaN', '2', 'x', '1'].sort(compareDecimals), ['1', '2', 'NaN', 'x'])
  const canonical = decimals.map(text => decimalText(text) as string)
  fc.assert(fc.property(canonical, canonical, (a, b) => sign(compareDecimals(a, b)) === sign(scaled(a) - scaled(b))))
  fc.assert(fc.property(canonical, canonical, (a, b) => {
    const [first, second] = [decimalKey(a), decimalKey(b)]
    return sign(compareDecimals(a, b)) === (first < second ? -1 : first > second ? 1 : 0) && decimalOfKey(first) === a
  }))
  fc.assert(fc.property(canonical, fc.integer({ min: 0, max: 40 }), (text, scale) => {
    const padded = decimalText(text, scale) as string
    return plainDecimal(padded) === text && decimalKey(padded) === decimalKey(text) &&
      compareDecimals(padded, text) === 0
  }))
  t.equal(plainDecimal('100'), '100')
  t.strictSame(['p', '12', 'n0001', 'p0001x'].map(decimalOfKey), [undefined, undefined, undefined, undefined])
})

t.test('values of rows and of conditions', async t => {
  const money = withDecimalLimits(resolveType('decimal', location), { precision: 6, scale: 2 }, location)
  const faults: CoercionViolation[] = []
  const convert = (value: unknown): unknown => coerceValue(money, value, '.p', fault => faults.push(fault))
  t.equal(convert('1.5'), '1.50')
  t.equal(convert(1.5), '1.50')
  t.equal(convert(null), null)
  t.equal(faults.length, 0)
  t.equal(convert('1.555'), '1.555')
  t.match(faults, [{
    path: '.p', code: 'format', info: { format: 'decimal', precision: 6, scale: 2 },
    message: 'must be a decimal number, as in 12.50, of 6 digits at most, 2 of them after the point'
  }])
  convert(true)
  t.match(faults[1], { path: '.p', code: 'type', info: { type: 'string' } })
  t.equal(coerceQueryValue(money, '1.5'), '1.50')
  t.equal(coerceQueryValue(money, '1.555'), '1.555')
  t.equal(coerceQueryValue(money, 'x'), unmatchable)
  t.equal(coerceQueryValue(money, true), unmatchable)
})

t.test('digits of a definition', async t => {
  const decimal = resolveType('decimal', location)
  const list = resolveType(['decimal'], location)
  t.strictSame(withDecimalLimits(list, { scale: 2 }, location), { kind: 'array', items: { kind: 'decimal', limits: { scale: 2 } } })
  t.strictSame(withDecimalLimits(resolveType('string', location), { precision: 0 }, location), { kind: 'string' })
  const wrongs = [
    { precision: 0 }, { precision: 2.5 }, { precision: 1001 }, { scale: -1 }, { scale: 39 }, { precision: 2, scale: 3 }
  ]
  for (const wrong of wrongs) {
    t.throws(() => withDecimalLimits(decimal, wrong, location), { code: 'FBK_CORE_INVALID_DEFINITION' }, JSON.stringify(wrong))
  }
})
