/**
 * Rows, random aggregates of them, and what these mean, in plain JavaScript without anything of the product: groups are
 * lists of rows whose local calendar says the same.
 */
import fc from 'fast-check'

export type Row = Record<string, any>
export interface Rows {
  readonly [name: string]: readonly Row[]
  readonly Shop: readonly Row[]
  readonly Sale: readonly Row[]
}
export type Filter = Record<string, any>

const id = { type: 'number', id: true, generated: false }

export const definitions = [
  {
    name: 'Shop',
    properties: { id, city: 'string', opened: 'date', rent: 'number' },
    relations: { chief: { type: 'belongsTo', model: 'Shop', foreignKey: 'chiefId' } }
  },
  {
    name: 'Sale',
    properties: {
      id, status: { type: 'string', index: true }, amount: 'number', pieces: 'integer', at: 'date', paid: 'boolean',
      more: 'object', price: { type: 'decimal', scale: 2 }, exact: 'decimal', big: 'bigint'
    },
    relations: { shop: { type: 'belongsTo', model: 'Shop', foreignKey: 'shopId' } }
  }
]

const words = ['open', 'Open', 'é', 'É', '', ' ', 'a\u0000b', '😀', '%', 'open ']
const text = fc.option(fc.constantFrom(...words), { nil: null })
const number = fc.option(fc.constantFrom(-1.5, 0, 0.25, 1, 2, 1e6), { nil: null })
const whole = fc.option(fc.constantFrom(-3, 0, 1, 2, 2 ** 40), { nil: null })
const zones = ['America/Lima', 'Europe/Berlin', 'Asia/Kathmandu', 'America/Havana', 'Australia/Lord_Howe', 'UTC']

/** Around changes of clocks, years and quarters, and anywhere. */
const instants = [
  '2025-12-31T23:30:00.000Z', '2026-01-01T04:59:59.999Z', '2026-03-29T00:59:00.000Z', '2026-03-29T01:00:00.000Z',
  '2026-10-25T00:30:00.000Z', '2026-10-25T01:30:00.000Z', '2026-11-01T04:30:00.000Z', '2026-11-01T05:30:00.000Z',
  '2026-04-04T15:15:00.000Z', '2024-02-29T12:00:00.000Z', '1999-12-31T18:15:00.000Z', '1969-12-31T23:59:59.999Z'
]
const instant = fc.option(fc.oneof(
  fc.constantFrom(...instants),
  fc.integer({ min: Date.parse('1975-01-01'), max: Date.parse('2035-01-01') }).map(time => new Date(time).toISOString())
), { nil: null })

const rowsOf = (arbitrary: fc.Arbitrary<Row>, maxLength: number): fc.Arbitrary<Row[]> =>
  fc.array(arbitrary, { maxLength }).map(rows => rows.map((row, i) => ({ id: i + 1, ...row })))
const key = fc.option(fc.integer({ min: 1, max: 4 }), { nil: null })

export const someRows: fc.Arbitrary<Rows> = fc.record({
  Shop: rowsOf(fc.record({ city: text, opened: instant, rent: number, chiefId: key }), 4),
  Sale: rowsOf(fc.record({
    status: text, amount: number, pieces: whole, at: instant, paid: fc.option(fc.boolean(), { nil: null }), shopId: key,
    price: fc.option(fc.constantFrom('0.10', '0.20', '-3.00', '12345678901234567890.01'), { nil: null }),
    exact: fc.option(fc.constantFrom('0.1', '0.25', '-1', '98765432109876543210.5'), { nil: null }),
    big: fc.option(fc.constantFrom(-1, 5, '9007199254740993', '-9223372036854775808'), { nil: null }),
    more: fc.option(fc.record({ size: fc.option(fc.constantFrom('s', 'm', 1), { nil: null }) }), { nil: null })
  }), 12)
})

const periods = ['year', 'quarter', 'month', 'week', 'day', 'hour'] as const
const dated = (name: string): fc.Arbitrary<unknown> => fc.record({
  [name]: fc.constantFrom(...periods), timeZone: fc.option(fc.constantFrom(...zones), { nil: undefined })
}).map(({ timeZone, ...rest }) => timeZone === undefined ? rest : { ...rest, timeZone })
const group = fc.oneof(
  fc.constantFrom('status', 'pieces', 'amount', 'paid', 'at', 'price', 'big', 'shop.city', 'shop.rent', 'shop.chief.city', 'more.size'),
  dated('at'), dated('shop.opened')
)
const nameOf = (each: unknown): string =>
  typeof each === 'string' ? each : Object.keys(each as object).find(name => name !== 'timeZone') as string

const valued = ['status', 'amount', 'pieces', 'at', 'paid', 'price', 'exact', 'big']

const value = fc.oneof(
  fc.constant({ count: '*' }),
  fc.record({ fn: fc.constantFrom('count', 'countDistinct'), of: fc.constantFrom(...valued) })
    .map(({ fn, of }) => ({ [fn]: of })),
  fc.record({ fn: fc.constantFrom('min', 'max'), of: fc.constantFrom(...valued) })
    .map(({ fn, of }) => ({ [fn]: of })),
  fc.record({ fn: fc.constantFrom('sum', 'avg'), of: fc.constantFrom('amount', 'pieces', 'price', 'exact', 'big') }).map(({ fn, of }) => ({ [fn]: of }))
)

const where = fc.oneof(
  fc.constant({}),
  fc.constantFrom({ paid: true }, { status: { neq: 'open' } }, { amount: { gt: 0 } }, { shop: { city: { neq: null } } })
)

export const someFilter: fc.Arbitrary<Filter> = fc.record({
  where,
  groupBy: fc.uniqueArray(group, { maxLength: 3, selector: nameOf }),
  values: fc.array(value, { minLength: 1, maxLength: 4 }),
  having: fc.option(fc.constantFrom({ v0: { gt: 1 } }, { v0: null }, { v0: { neq: null } }), { nil: undefined }),
  descending: fc.boolean(),
  limit: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
  skip: fc.integer({ min: 0, max: 2 })
}).map(({ where, groupBy, values, having, descending, limit, skip }) => {
  const aggregate = Object.fromEntries(values.map((each, i) => [`v${i}`, each]))
  const isComparable = having === undefined || !('v0' in having) || typeof having.v0 !== 'object' ||
    having.v0 === null || !('gt' in having.v0) || /count|sum|avg/.test(Object.keys(values[0] as object)[0] as string)
  return {
    where, groupBy, aggregate,
    ...(isComparable && having !== undefined ? { having } : {}),
    ...(descending ? { order: 'v0 DESC' } : {}),
    ...(limit === undefined ? {} : { limit, skip })
  }
})

const shopOf = (row: Row, rows: Rows): Row | undefined => rows.Shop.find(({ id }) => id === row.shopId)

function at (row: Row, path: string, rows: Rows): any {
  const [first, ...rest] = path.split('.')
  if (first === 'shop') return shopOf(row, rows) === undefined ? null : at(shopOf(row, rows) as Row, rest.join('.'), rows)
  if (first === 'chief') {
    const chief = rows.Shop.find(({ id }) => id === row.chiefId)
    return chief === undefined ? null : at(chief, rest.join('.'), rows)
  }
  return rest.length === 0 ? row[first as string] ?? null : row[first as string]?.[rest[0] as string] ?? null
}

/** The calendar of a time zone as a text of digits. */
function localOf (time: number, timeZone: string): string {
  return new Intl.DateTimeFormat('sv-SE', {
    timeZone, year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit'
  }).format(time)
}

/** What instants of one period have in common. */
function periodOf (time: number, period: string, timeZone: string): string {
  const local = localOf(time, timeZone)
  const [year, month, day] = local.slice(0, 10).split('-').map(Number) as [number, number, number]
  switch (period) {
    case 'year': return local.slice(0, 4)
    case 'quarter': return `${year} ${Math.ceil(month / 3)}`
    case 'month': return local.slice(0, 7)
    case 'week': {
      const monday = new Date(Date.UTC(year, month - 1, day))
      while (monday.getUTCDay() !== 1) monday.setUTCDate(monday.getUTCDate() - 1)
      return monday.toISOString().slice(0, 10)
    }
    case 'day': return local.slice(0, 10)
    default: {
      // An hour that comes twice is two.
      const begun = Math.floor(time / 60_000) * 60_000
      let minute = begun
      while (localOf(minute - 60_000, timeZone).slice(0, 13) === local.slice(0, 13) &&
        Number(localOf(minute, timeZone).slice(14, 16)) > 0) minute -= 60_000
      return `${local.slice(0, 13)} ${minute}`
    }
  }
}

/** Whether an instant is the first of the period that another lies in. */
function begins (start: number, time: number, period: string, timeZone: string): boolean {
  return periodOf(start, period, timeZone) === periodOf(time, period, timeZone) &&
    periodOf(start - 1, period, timeZone) !== periodOf(time, period, timeZone)
}

const passes = (row: Row, where: Row, rows: Rows): boolean => {
  if ('paid' in where) return row.paid === true
  if ('status' in where) return row.status !== 'open'
  if ('amount' in where) return row.amount !== null && row.amount > 0
  if ('shop' in where) return (shopOf(row, rows)?.city ?? null) !== null
  return true
}

const kinds = ['boolean', 'number', 'string', 'object']
const rank = (value: any): number =>
  value === null ? -1 : kinds.indexOf(typeof value === 'bigint' ? 'number' : typeof value)
const isDecimal = (value: unknown): value is string => typeof value === 'string' && /^-?\d+(?:\.\d+)?$/.test(value)
const compare = (a: any, b: any): number => isDecimal(a) && isDecimal(b) ? sizeOf(a) - sizeOf(b) : compareOthers(a, b)
const sizeOf = (text: string): number => Number(text)
const compareOthers = (a: any, b: any): number =>
  rank(a) - rank(b) || (a === null ? 0 : a < b ? -1 : a > b ? 1 : 0)

function totalOf (members: readonly Row[], asked: Row): any {
  const [[fn, of] = []] = Object.entries(asked) as Array<[string, string]>
  if (of === '*') return members.length
  const values = members.map(row => valueOf(of as string, row[of as string])).filter(each => each !== null)
  if (['price', 'exact', 'big'].includes(of as string) && values.length > 0) return exactTotal(fn as string, of as string, values)
  const sum = values.reduce<number>((total, each) => total + Number(each), 0)
  switch (fn) {
    case 'count': return values.length
    case 'countDistinct': return new Set(values.map(each => of === 'at' ? Number(each) : String(each))).size
    case 'sum': return values.length === 0 ? null : sum
    case 'avg': return values.length === 0 ? null : sum / values.length
    default: return values.length === 0 ? null : [...values].sort(compare)[fn === 'min' ? 0 : values.length - 1]
  }
}

const valueOf = (name: string, value: any): any =>
  value === null ? null : name === 'at' ? new Date(value) : name === 'big' ? BigInt(value) : value

/** Hundredths, as whole numbers. */
const units = (text: string): bigint => {
  const [whole = '', fraction = ''] = text.split('.')
  return BigInt(whole + fraction.padEnd(2, '0'))
}

/** Of numbers that no double holds. */
function exactTotal (fn: string, of: string, values: readonly any[]): any {
  const sizes = values.map(each => of === 'big' ? each as bigint : units(each as string))
  const sum = sizes.reduce((total, each) => total + each, 0n)
  switch (fn) {
    case 'count': return values.length
    case 'countDistinct': return new Set(values.map(String)).size
    case 'sum': return of === 'big' ? sum : { units: sum }
    case 'avg': return of === 'big' ? Number(sum) / values.length : { units: sum, count: values.length }
    default: {
      const [first] = [...sizes].sort((a, b) => (a < b ? -1 : 1) * (fn === 'min' ? 1 : -1))
      return values[sizes.indexOf(first as bigint)]
    }
  }
}

/** Why a result is not what was asked for; undefined where it is. */
export function faultOf (filter: Filter, result: readonly Row[], rows: Rows): string | undefined {
  const groups = (filter.groupBy as unknown[]).map(each => typeof each === 'string'
    ? { name: each, keyOf: (row: Row) => JSON.stringify(at(row, each, rows)) }
    : periodGroup(each as Row, rows))
  const members = new Map<string, Row[]>()
  if (groups.length === 0) members.set('', [])
  for (const row of rows.Sale.filter(row => passes(row, filter.where, rows))) {
    const name = groups.map(({ keyOf }) => keyOf(row)).join('|')
    members.set(name, [...members.get(name) ?? [], row])
  }
  const expected = [...members.values()].map(each => Object.fromEntries(
    Object.entries(filter.aggregate as Row).map(([name, asked]) => [name, totalOf(each, asked)])
  ) as Row).map((totals, i) => ({ totals, rows: [...members.values()][i] as Row[] }))
    .filter(({ totals }) => havingPasses(filter.having, totals))
  const size = Math.max(0, Math.min(expected.length - (filter.skip ?? 0), filter.limit ?? Infinity))
  if (result.length !== size) return `${result.length} groups, and not ${size}`
  const left = new Set(expected)
  let before: any
  for (const row of result) {
    const found = [...left].find(({ totals, rows: own }) =>
      Object.entries(totals).every(([name, value]) => isSame(row[name], value)) &&
      groups.every(group => isIn(group, row, own, rows)))
    if (found === undefined) return `no such group: ${told(row)}`
    left.delete(found)
    if (Object.keys(row).length !== groups.length + Object.keys(filter.aggregate as Row).length) return 'other members'
    const place = filter.order === undefined ? groups.map(({ name }) => row[name]) : [row.v0]
    if (before !== undefined && comparePlaces(before, place) * (filter.order === undefined ? 1 : -1) > 0) {
      return `out of order: ${told(result)}`
    }
    before = place
  }
  return undefined
}

const told = (value: unknown): string =>
  JSON.stringify(value, (_name, each: unknown) => typeof each === 'bigint' ? String(each) : each)

const comparePlaces = (a: readonly any[], b: readonly any[]): number =>
  a.map((each, i) => compare(each, b[i])).find(order => order !== 0) ?? 0

function periodGroup ({ timeZone = 'UTC', ...rest }: Row, rows: Rows) {
  const [[name, period] = ['', '']] = Object.entries(rest) as Array<[string, string]>
  return {
    name,
    keyOf: (row: Row): string => {
      const value = at(row, name, rows)
      return value === null ? 'null' : periodOf(Date.parse(value), period, timeZone)
    },
    period,
    timeZone
  }
}

function isIn (
  { name, period, timeZone }: { readonly name: string, readonly period?: string, readonly timeZone?: string },
  result: Row, members: readonly Row[], rows: Rows
): boolean {
  const value = at(members[0] as Row, name, rows)
  if (value === null || result[name] === null) return value === result[name]
  if (period === undefined) {
    if (name === 'big') return String(result[name]) === String(value)
    return result[name] instanceof Date ? result[name].getTime() === Date.parse(value) : Object.is(result[name], value)
  }
  return begins((result[name] as Date).getTime(), Date.parse(value), period, timeZone as string)
}

function isSame (given: any, expected: any): boolean {
  if (typeof expected === 'bigint') return given !== null && BigInt(given) === expected
  if (typeof expected?.units === 'bigint') {
    if (typeof given !== 'string') return false
    if (expected.count === undefined) return units(given) === expected.units
    // Twenty digits behind the point, rounded.
    const [whole = '', fraction = ''] = given.split('.')
    const found = BigInt(whole.replace('-', '') + fraction.padEnd(20, '0')) * (whole.startsWith('-') ? -1n : 1n)
    const difference = found * BigInt(expected.count) - expected.units * 10n ** 18n
    return fraction.length <= 20 && (difference < 0n ? -difference : difference) <= BigInt(expected.count)
  }
  if (typeof given === 'number' && typeof expected === 'number') {
    return Math.abs(given - expected) <= Math.abs(expected) * 1e-12
  }
  return given instanceof Date && expected instanceof Date ? given.getTime() === expected.getTime() : given === expected
}

function havingPasses (having: Row | undefined, totals: Row): boolean {
  if (having === undefined) return true
  const { v0 } = having
  if (v0 === null) return totals.v0 === null
  if ('neq' in v0) return totals.v0 !== null
  const found = totals.v0?.units === undefined ? totals.v0 : Number(totals.v0.units) / 100 / (totals.v0.count ?? 1)
  return found !== null && found > v0.gt
}
