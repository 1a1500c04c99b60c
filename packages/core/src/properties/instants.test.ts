import fc from 'fast-check'
import t from 'tap'
import { isIsoInstant, knownIsoText, readIsoInstant, toIsoText } from './instants.js'

const fourDigits = fc.date({ min: new Date('0000-01-01T00:00:00.000Z'), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true })

t.test('a date is written as toISOString does, whatever was written before', async t => {
  fc.assert(fc.property(fc.array(fc.date({ noInvalidDate: true }), { minLength: 1, maxLength: 200 }), dates => {
    for (const date of [...dates, ...dates]) {
      if (toIsoText(date) !== date.toISOString()) return false
      if (knownIsoText(date.getTime()) !== date.toISOString()) return false
    }
    return true
  }))
  t.throws(() => toIsoText(new Date(NaN)), RangeError)
  t.equal(knownIsoText(NaN), undefined)
  t.equal(toIsoText(new Date(-0)), '1970-01-01T00:00:00.000Z')
})

t.test('what is read as an instant is one, and is written as it was read', async t => {
  fc.assert(fc.property(fourDigits, date => {
    const text = date.toISOString()
    const read = readIsoInstant(text)
    return text.includes('-02-29') ? read === undefined : read?.getTime() === date.getTime() && toIsoText(read) === text
  }), { numRuns: 2_000 })
  const digit = fc.integer({ min: 0, max: 9 }).map(String)
  const like = fc.tuple(...Array.from('dddd-dd-ddTdd:dd:dd.dddZ', char => char === 'd' ? digit : fc.constant(char)))
  fc.assert(fc.property(like, parts => {
    const text = parts.join('')
    const date = new Date(text)
    return !isIsoInstant(text) || (!Number.isNaN(date.getTime()) && date.toISOString() === text)
  }), { numRuns: 20_000 })
})

t.test('days and times that there are not, and other forms, are left to others', async t => {
  for (const text of [
    '2026-02-29T00:00:00.000Z', '2024-02-29T00:00:00.000Z', '2026-04-31T00:00:00.000Z', '2026-13-01T00:00:00.000Z',
    '2026-00-10T00:00:00.000Z', '2026-01-00T00:00:00.000Z', '2026-01-01T24:00:00.000Z', '2026-01-01T00:60:00.000Z',
    '2026-01-01T00:00:60.000Z', '2026-01-01T00:00:00Z', '2026-01-01', '2026-01-01t00:00:00.000z', ' 2026-01-01T00:00:00.000Z',
    '2026-01-01T00:00:00.000Z\n', '+012345-01-01T00:00:00.000Z'
  ]) t.equal(readIsoInstant(text), undefined, JSON.stringify(text))
})
