/** Groups of rows and what they come to, in JavaScript: what every store must agree with. */
import type { PropertyType, Row } from '../properties/types.js'
import type { AggregateTerm } from './aggregation.js'
import type { GroupTerm } from './ast.js'
import { comparisonOf, type Comparing } from './comparing.js'
import { DecimalSum, shownSum, exactInteger } from './decimal-sum.js'
import { Calendar } from './periods.js'
import { compileValueAt } from './walk-path.js'
import type { Meter } from './work.js'

type ValueAt = (row: Row) => unknown

/** Collects rows into groups. */
export class Groups {
  readonly #groups: readonly GroupTerm[]
  readonly #readers: ReadonlyArray<(value: unknown) => unknown>
  readonly #values: readonly AggregateTerm[]
  readonly #groupValues: readonly ValueAt[]
  readonly #aggregated: ReadonlyArray<ValueAt | undefined>
  readonly #found = new Map<string, { readonly keys: readonly unknown[], readonly totals: readonly Total[] }>()

  /**
   * @param groupValues for each group where the value lies in a row, before its period is looked at
   * @param meter counts what clocks of time zones take
   */
  constructor (
    groups: readonly GroupTerm[], values: readonly AggregateTerm[], groupValues: readonly ValueAt[], meter?: Meter
  ) {
    this.#groups = groups
    this.#readers = groups.map(group => groupReader(group, new Calendar(group.timeZone, meter)))
    this.#values = values
    this.#groupValues = groupValues
    this.#aggregated = values.map(({ path }) => path === undefined ? undefined : compileValueAt(path))
    // Without groups there is one, whether there are rows or not.
    if (groups.length === 0) this.#groupOf([])
  }

  add (row: Row): void {
    const keys = this.#groupValues.map((valueAt, i) => this.#readers[i]?.(valueAt(row)))
    const { totals } = this.#groupOf(keys)
    for (let i = 0; i < totals.length; i++) {
      const valueAt = this.#aggregated[i]
      if (valueAt === undefined) (totals[i] as Total).add(true)
      else {
        const value = valueAt(row)
        if (value !== null && value !== undefined) (totals[i] as Total).add(value)
      }
    }
  }

  #groupOf (keys: readonly unknown[]) {
    const name = keys.map(groupText).join('\n')
    let group = this.#found.get(name)
    if (group === undefined) {
      group = { keys, totals: this.#values.map(makeTotal) }
      this.#found.set(name, group)
    }
    return group
  }

  /** One plain object for each group. */
  rows (): Row[] {
    return [...this.#found.values()].map(({ keys, totals }) => {
      const row: Row = {}
      for (const [i, { name }] of this.#groups.entries()) row[name] = keys[i]
      for (const [i, { name }] of this.#values.entries()) row[name] = (totals[i] as Total).value
      return row
    })
  }
}

/**
 * What a value counts as in a group: missing ones as null, dates as the instant at which their period begins.
 *
 * ```js
 * groupReader({ name: 'at', value: path, type: { kind: 'date' }, period: 'year' })(new Date('2026-03-01'))
 * // 2026-01-01T00:00:00.000Z
 * ```
 * @param calendar that of its time zone, where it is asked for more
 */
export function groupReader (
  { period, timeZone }: GroupTerm, calendar: Calendar = new Calendar(timeZone)
): (value: unknown) => unknown {
  if (period === undefined) return value => Object.is(value, -0) ? 0 : value ?? null
  return value => value instanceof Date && !Number.isNaN(value.getTime()) ? calendar.start(value, period) : null
}

/**
 * A text that values have in common which are one group.
 *
 * ```js
 * groupText(1) === groupText('1') // false
 * ```
 */
export function groupText (value: unknown): string {
  if (value === null) return '0'
  if (value instanceof Date) return `d${value.getTime()}`
  switch (typeof value) {
    case 'number': case 'bigint': return `n${value}`
    case 'string': return `s${JSON.stringify(value)}`
    case 'boolean': return value ? 't' : 'f'
    default: return `o${JSON.stringify(value)}`
  }
}

interface Total {
  add (value: unknown): void
  readonly value: unknown
}

function makeTotal ({ fn, path }: AggregateTerm): Total {
  const type = path?.type ?? { kind: 'any' as const }
  switch (fn) {
    case 'count': return new Count()
    case 'countDistinct': return new Distinct()
    case 'sum': return makeSum(type)
    case 'avg': return type.kind === 'decimal' ? new DecimalAverage() : new Average()
    case 'min': return new Extreme(-1, comparisonOf(type))
    case 'max': return new Extreme(1, comparisonOf(type))
  }
}

class Count implements Total {
  value = 0
  add (): void { this.value++ }
}

class Distinct implements Total {
  readonly #seen = new Set<string>()
  add (value: unknown): void { this.#seen.add(groupText(value)) }
  get value (): number { return this.#seen.size }
}

function makeSum (type: PropertyType): Total {
  switch (type.kind) {
    case 'decimal': return new Decimals(type)
    case 'bigint': return new WholeSum()
    default: return new Sum()
  }
}

/** Neumaier's sum: what rounding took from it is added at the end. */
class Sum implements Total {
  count = 0
  #sum = 0
  #lost = 0

  add (given: unknown): void {
    if (typeof given !== 'number' && typeof given !== 'bigint') return
    const value = Number(given)
    this.count++
    const sum = this.#sum + value
    if (Number.isFinite(sum)) {
      this.#lost += Math.abs(this.#sum) >= Math.abs(value) ? this.#sum - sum + value : value - sum + this.#sum
    }
    this.#sum = sum
  }

  get value (): number | null {
    return this.count === 0 ? null : this.#sum + this.#lost
  }
}

class Average implements Total {
  readonly #sum = new Sum()
  add (value: unknown): void { this.#sum.add(value) }
  get value (): number | null {
    const { value, count } = this.#sum
    return value === null ? null : value / count
  }
}

/** Sums of decimals are texts, written as the decimals of their property are. */
class Decimals implements Total {
  protected readonly sum = new DecimalSum()
  protected count = 0
  constructor (readonly type: PropertyType = { kind: 'decimal' }) {}

  add (value: unknown): void {
    if (typeof value === 'string' && this.sum.add(value)) this.count++
  }

  get value (): string | null {
    return this.count === 0 ? null : shownSum(this.sum.text, this.type)
  }
}

class DecimalAverage extends Decimals {
  override get value (): string | null {
    return this.count === 0 ? null : this.sum.average(this.count)
  }
}

/** Sums of whole numbers that a double may not hold. */
class WholeSum implements Total {
  #sum: bigint | undefined

  add (value: unknown): void {
    if (typeof value === 'bigint' || Number.isInteger(value)) this.#sum = (this.#sum ?? 0n) + BigInt(value as bigint)
  }

  get value (): number | bigint | null {
    return this.#sum === undefined ? null : exactInteger(this.#sum)
  }
}

/** The smallest or the largest, in the order of rows. */
class Extreme implements Total {
  value: unknown = null
  constructor (readonly sign: 1 | -1, readonly comparing: Pick<Comparing, 'order'>) {}

  add (value: unknown): void {
    if (this.value === null || this.comparing.order(value, this.value) * this.sign > 0) this.value = value
  }
}
