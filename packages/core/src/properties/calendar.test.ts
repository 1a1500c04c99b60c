import fc from 'fast-check'
import t from 'tap'
import { readCalendar } from './calendar.js'
import { coerceValue } from './coerce.js'
import { coerceQueryValue } from './coerce-query-value.js'
import { invalid } from './convert.js'
import { resolveType } from './resolve-type.js'

const location = { model: 'Note', property: 'it', source: 'common/models/note.json' }

t.test('what is a day, and what is none', async t => {
  for (const [given, day] of [
    ['2020-02-29', '2020-02-29'], ['0001-01-01', '0001-01-01'], ['9999-12-31', '9999-12-31'],
    ['2020-02-29T00:00:00.000Z', '2020-02-29'], [new Date('2020-02-29'), '2020-02-29']
  ]) t.equal(readCalendar('date', given), day, String(given))
  for (const none of [
    '2021-02-29', '1900-02-29', '2020-13-01', '2020-00-10', '2020-04-31', '0000-01-01', '2020-1-1', '20200101', '+012020-01-01',
    ' 2020-01-01', '2020-01-01T00:00:00.001Z', '2020-01-01T00:00:00+01:00', new Date(1), new Date(NaN), '', 0, null, {}
  ]) t.equal(readCalendar('date', none), invalid, String(none))
})

t.test('what is a time of day, and what is none', async t => {
  for (const [given, time] of [
    ['08:30', '08:30:00'], ['08:30:00', '08:30:00'], ['23:59:59.999999', '23:59:59.999999'], ['00:00:00.000', '00:00:00'],
    ['08:30:00.250', '08:30:00.25'], ['08:30:00.000001', '08:30:00.000001']
  ] as const) t.equal(readCalendar('time', given), time, given)
  for (const none of [
    '24:00:00', '23:60', '23:59:60', '8:30', '08:30:00Z', '08:30:00+01:00', '08:30:00.', '08:30:00.1234567', '', 830, null
  ]) t.equal(readCalendar('time', none), invalid, String(none))
})

t.test('days and times of any instant, and each in its one form', async t => {
  fc.assert(fc.property(fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }), date => {
    const iso = date.toISOString()
    t.equal(readCalendar('date', iso.slice(0, 10)), iso.slice(0, 10))
    const time = readCalendar('time', iso.slice(11, -1)) as string
    t.equal(readCalendar('time', time), time)
    t.equal(new Date(`2000-01-01T${time}Z`).getTime(), new Date(`2000-01-01T${iso.slice(11)}`).getTime())
  }))
})

t.test('types, values and conditions', async t => {
  t.strictSame(resolveType('dateOnly', location), { kind: 'string', calendar: 'date' })
  t.strictSame(resolveType(['time'], location), { kind: 'array', items: { kind: 'string', calendar: 'time' } })
  t.strictSame(resolveType('Time', location), { kind: 'model', model: 'Time' }, 'a model may be called so')
  const violations: unknown[] = []
  const day = resolveType('dateOnly', location)
  t.equal(coerceValue(day, new Date('2020-01-31'), 'born', () => t.fail()), '2020-01-31')
  t.equal(coerceValue(day, 'soon', 'born', violation => violations.push(violation)), 'soon')
  t.match(violations, [{ path: 'born', code: 'format', info: { format: 'date' } }])
  t.equal(coerceQueryValue(resolveType('time', location), '08:30'), '08:30:00')
  t.throws(() => coerceQueryValue(day, '2020-02-30'), { statusCode: 400, message: /not a day, such as 2020-01-31/ })
})
