/**
 * Aggregates that the store answers. It groups by what it can say exactly: periods of a time zone's calendar are put
 * together from quarters of an hour, averages are made of sums and counts, so that all stores round alike.
 */
import type { StoredAggregation, StoredGroup, StoredTotal } from '../data-source/aggregation.js'
import type { Row } from '../properties/types.js'
import { chain, type MaybePromise } from '../maybe-promise.js'
import { groupReader, groupText } from '../query/aggregate-rows.js'
import { isRelatedValue, type AggregateTerm, type Aggregation } from '../query/aggregation.js'
import type { GroupTerm } from '../query/ast.js'
import { comparisonOf } from '../query/comparing.js'
import { shownSum, sumOfDecimals, exactInteger } from '../query/decimal-sum.js'
import { Calendar } from '../query/periods.js'
import { inSlices } from '../query/slices.js'
import { WORK, type Work } from '../query/work.js'
import type { Operation } from './context.js'
import { readOptions } from './freshness.js'
import { isInStore } from './store-layer.js'

const quarterHour = 900_000

/** Undefined where the rows must be read. */
export function aggregateInStore (
  { model, options }: Operation, aggregation: Aggregation
): MaybePromise<Row[] | undefined> {
  const { connector } = model
  const asked = storedAggregation(aggregation)
  if (asked === undefined || connector.aggregate === undefined || !isInStore(model)) return undefined
  return chain(connector.aggregate(model, asked, readOptions(model, options)), rows => {
    if (rows === undefined) return undefined
    return mergedRows(aggregation, asked, rows, options[WORK])
  })
}

/** What a store is asked; undefined for what none is. */
function storedAggregation ({ where, groups, values }: Aggregation): StoredAggregation | undefined {
  const merges = groups.some(({ timeZone }) => timeZone !== undefined)
  if (merges && values.some(({ fn }) => fn === 'countDistinct')) return undefined
  const stored: StoredGroup[] = []
  for (const { value, period, timeZone } of groups) {
    if (isRelatedValue(value)) return undefined
    stored.push({ path: value, period: timeZone === undefined ? period : 'quarterHour' })
  }
  const asked = new Map(values.flatMap(partsOf).map(part => [partName(part), part]))
  return { where, groups: stored, values: [...asked.values()] }
}

/** An average is a sum and a count. */
const partsOf = ({ fn, path }: AggregateTerm): StoredTotal[] =>
  fn === 'avg' ? [{ fn: 'sum', path }, { fn: 'count', path }] : [{ fn, path }]

const partName = ({ fn, path }: StoredTotal): string =>
  `${fn} ${path === undefined ? '*' : [path.property, ...path.path].join('.')}`

/** Units of work that a group takes, its clocks aside. */
const groupUnits = 4

interface Merged { readonly keys: readonly unknown[], totals: readonly unknown[] }

/**
 * The results of groups; undefined where parts of one were found whose values cannot be put together. A year has as
 * many parts as quarters of an hour, so others have the event loop in between.
 */
function mergedRows (
  { groups, values }: Aggregation, asked: StoredAggregation, found: ReadonlyArray<readonly unknown[]>,
  work: Work | undefined
): MaybePromise<Row[] | undefined> {
  const calendars = groups.map(({ timeZone }) => new Calendar(timeZone, work))
  const readers = groups.map((group, i) => groupReader(group, calendars[i]))
  const areSplit = calendars.map(splitsBuckets)
  const hasDistinct = asked.values.some(({ fn }) => fn === 'countDistinct')
  const byKey = new Map<string, Merged>()
  let canMerge = true
  const merge = (i: number): boolean => {
    work?.spend(groupUnits)
    const row = found[i] as readonly unknown[]
    const stored = row.slice(0, groups.length)
    if (areSplit.some((isSplit, at) => isSplit(stored[at]))) return (canMerge = false)
    const keys = readers.map((read, at) => read(stored[at]))
    const totals = row.slice(groups.length)
    const name = keys.map(groupText).join('\n')
    const known = byKey.get(name)
    if (known === undefined) byKey.set(name, { keys, totals })
    else if (hasDistinct) return (canMerge = false)
    else known.totals = known.totals.map((total, at) => bothTotals(asked.values[at] as StoredTotal, total, totals[at]))
    return true
  }
  return chain(inSlices(found.length, merge, work), () =>
    canMerge ? shownRows(groups, values, asked, byKey.values()) : undefined)
}

function shownRows (
  groups: readonly GroupTerm[], values: readonly AggregateTerm[], asked: StoredAggregation, merged: Iterable<Merged>
): Row[] {
  const shownValues = values.map(value => ({ name: value.name, of: valueReader(value, asked.values) }))
  return [...merged].map(({ keys, totals }) => {
    const result: Row = {}
    for (let i = 0; i < groups.length; i++) result[(groups[i] as GroupTerm).name] = keys[i]
    for (const { name, of } of shownValues) result[name] = of(totals)
    return result
  })
}

/** How a value is had from the totals of a group. */
function valueReader (
  value: AggregateTerm, asked: readonly StoredTotal[]
): (totals: readonly unknown[]) => unknown {
  const at = (fn: StoredTotal['fn']): number => {
    const name = partName({ fn, path: value.path })
    return asked.findIndex(part => partName(part) === name)
  }
  const { fn } = value
  if (fn !== 'avg') {
    const total = at(fn)
    return totals => shown(totals[total], value)
  }
  const sum = at('sum')
  const count = at('count')
  return totals => average(totals[sum], Number(totals[count]))
}

/** Whether a quarter of an hour may lie in two days of the time zone: until a century ago clocks went by the sun. */
const splitsBuckets = (calendar: Calendar) => (value: unknown): boolean =>
  value instanceof Date && calendar.offset(value) % quarterHour !== 0

/** Databases write sums with as many zeros as their columns have. */
const shown = (total: unknown, { fn, path }: AggregateTerm): unknown =>
  fn === 'sum' && typeof total === 'string' && path !== undefined ? shownSum(total, path.type) : total

function average (sum: unknown, count: number): unknown {
  if (sum === null) return null
  return typeof sum === 'string' ? sumOfDecimals([sum]).average(count) : Number(sum) / count
}

function bothTotals ({ fn, path }: StoredTotal, one: unknown, other: unknown): unknown {
  if (one === null || other === null) return one ?? other
  if (fn === 'count' || fn === 'sum') return sumOf(one, other)
  const { order } = comparisonOf(path?.type ?? { kind: 'any' })
  return order(one, other) * (fn === 'max' ? 1 : -1) >= 0 ? one : other
}

function sumOf (one: unknown, other: unknown): unknown {
  if (typeof one === 'string' && typeof other === 'string') return sumOfDecimals([one, other]).text
  if (typeof one !== 'bigint' && typeof other !== 'bigint') return Number(one) + Number(other)
  return exactInteger(BigInt(one as bigint) + BigInt(other as bigint))
}
