import fc from 'fast-check'
import t from 'tap'
import { sumOfDecimals, exactInteger } from './decimal-sum.js'

t.test('sums keep all digits', async t => {
  t.equal(sumOfDecimals(['0.1', '0.2']).text, '0.3')
  t.equal(sumOfDecimals(['12345678901234567890.01', '-0.01']).text, '12345678901234567890.00')
  t.equal(sumOfDecimals([]).text, '0')
  t.equal(sumOfDecimals(['-0.05', 'NaN']).text, '-0.05', 'what is no decimal is left out')
  const units = fc.array(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), { maxLength: 20 })
  fc.assert(fc.property(units, all => {
    const texts = all.map(each => `${each < 0n ? '-' : ''}${String(each < 0n ? -each : each).padStart(4, '0').replace(/(\d{3})$/, '.$1')}`)
    const sum = all.reduce((total, each) => total + each, 0n)
    return all.length === 0 || BigInt(sumOfDecimals(texts).text.replace('.', '')) === sum
  }))
})

t.test('averages are rounded, half away from zero', async t => {
  t.equal(sumOfDecimals(['1', '2']).average(2), '1.5')
  t.equal(sumOfDecimals(['1', '0', '0']).average(3), '0.33333333333333333333')
  t.equal(sumOfDecimals(['2', '0', '0']).average(3), '0.66666666666666666667')
  t.equal(sumOfDecimals(['-2', '0', '0']).average(3), '-0.66666666666666666667')
  t.equal(sumOfDecimals(['1.50', '1.50']).average(2), '1.5')
  t.equal(sumOfDecimals(['0.00', '0.00']).average(2), '0')
  const zeros = '0'.repeat(29)
  t.equal(sumOfDecimals([`0.7${zeros}`]).average(3), '0.23333333333333333333', 'as MySQL writes the sum of a column')
  t.equal(sumOfDecimals([`0.${zeros}7`]).average(2), `0.${zeros}4`, 'a sum with more digits keeps as many')
})

t.test('whole numbers', async t => {
  t.equal(exactInteger(5n), 5)
  t.equal(exactInteger(9007199254740993n), 9007199254740993n)
})
