import t from 'tap'
import { Calendar, isTimeZone } from './periods.js'

const start = (time: string, period: Parameters<Calendar['start']>[1], timeZone?: string): string =>
  new Calendar(timeZone).start(new Date(time), period).toISOString()

t.test('of UTC', async t => {
  t.equal(start('2026-05-14T13:45:10.5Z', 'year'), '2026-01-01T00:00:00.000Z')
  t.equal(start('2026-05-14T13:45:10.5Z', 'quarter'), '2026-04-01T00:00:00.000Z')
  t.equal(start('2026-05-14T13:45:10.5Z', 'month'), '2026-05-01T00:00:00.000Z')
  t.equal(start('2026-05-14T13:45:10.5Z', 'week'), '2026-05-11T00:00:00.000Z', 'weeks begin on Monday')
  t.equal(start('2026-05-17T23:59:59.999Z', 'week'), '2026-05-11T00:00:00.000Z', 'and end on Sunday')
  t.equal(start('2026-05-14T13:45:10.5Z', 'day'), '2026-05-14T00:00:00.000Z')
  t.equal(start('2026-05-14T13:45:10.5Z', 'hour'), '2026-05-14T13:00:00.000Z')
  t.equal(start('1969-12-31T23:59:59.999Z', 'hour'), '1969-12-31T23:00:00.000Z')
  t.equal(start('0050-03-04T00:00:00Z', 'year'), '0050-01-01T00:00:00.000Z')
  t.equal(start('-000050-03-04T00:00:00Z', 'month'), '-000050-03-01T00:00:00.000Z')
})

t.test('of a time zone', async t => {
  t.equal(start('2026-03-01T03:00:00Z', 'month', 'America/Lima'), '2026-02-01T05:00:00.000Z')
  t.equal(start('2026-03-29T12:00:00Z', 'day', 'Europe/Berlin'), '2026-03-28T23:00:00.000Z', 'a day of 23 hours')
  t.equal(start('2026-03-30T12:00:00Z', 'day', 'Europe/Berlin'), '2026-03-29T22:00:00.000Z')
  t.equal(start('2026-10-25T12:00:00Z', 'day', 'Europe/Berlin'), '2026-10-24T22:00:00.000Z', 'a day of 25 hours')
  t.equal(start('2026-10-25T00:30:00Z', 'hour', 'Europe/Berlin'), '2026-10-25T00:00:00.000Z', 'an hour that comes twice')
  t.equal(start('2026-10-25T01:30:00Z', 'hour', 'Europe/Berlin'), '2026-10-25T01:00:00.000Z', 'is two')
  t.equal(start('2026-11-01T04:30:00Z', 'day', 'America/Havana'), '2026-11-01T04:00:00.000Z')
  t.equal(start('2026-11-01T05:30:00Z', 'day', 'America/Havana'), '2026-11-01T04:00:00.000Z', 'midnight that comes twice')
  t.equal(start('2018-11-04T12:00:00Z', 'day', 'America/Sao_Paulo'), '2018-11-04T03:00:00.000Z', 'a day without midnight')
  t.equal(start('2026-04-04T15:15:00Z', 'hour', 'Australia/Lord_Howe'), '2026-04-04T14:00:00.000Z', 'an hour and a half')
  t.equal(start('2026-10-03T15:45:00Z', 'hour', 'Australia/Lord_Howe'), '2026-10-03T15:30:00.000Z', 'half an hour')
  t.equal(start('2026-03-01T03:00:00Z', 'day', 'Asia/Kathmandu'), '2026-02-28T18:15:00.000Z')
})

t.test('names', async t => {
  for (const name of ['UTC', 'America/Lima', 'Etc/GMT+5']) t.ok(isTimeZone(name), name)
  for (const name of ['', 'Lima', '+05:00', '05:00', 'a'.repeat(100), '__proto__', 'America/Lima;']) t.notOk(isTimeZone(name), name)
})

t.test('what clocks say of a day is kept, and each time that one is asked counts', async t => {
  let units = 0
  const calendar = new Calendar('Europe/Berlin', { spend (more) { units += more } })
  const starts = (month: number, count: number): Set<number> => new Set(Array.from({ length: count }, (_, i) =>
    calendar.start(new Date(Date.UTC(2026, month, 10, 0, i)), 'month').getTime()))
  t.strictSame(starts(4, 1440), new Set([Date.parse('2026-04-30T22:00:00Z')]))
  const first = units
  t.ok(first > 0 && first < 10_000, String(first))
  starts(4, 1440)
  t.equal(units, first, 'nothing new')
  starts(2, 1440)
  t.ok(units > first)
})

t.test('the first and the last date', async t => {
  for (const end of [8.64e15, -8.64e15]) {
    const calendar = new Calendar('America/Lima')
    for (const period of ['hour', 'day', 'month', 'year'] as const) t.type(calendar.start(new Date(end), period), Date)
  }
})
