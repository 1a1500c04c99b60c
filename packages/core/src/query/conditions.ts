/** What a condition means: the reference that every connector must agree with, and clients that answer it at home. */
import type { Row } from '../properties/types.js'
import type { Comparison, Condition } from './ast.js'
import { comparisonOf } from './comparing.js'
import type { ValueTest } from './equal.js'
import { distanceBetween, isPoint } from './geo.js'
import { compileLike } from './like.js'
import { compileSearch } from './search.js'
import { compileSome } from './walk-path.js'
import type { Meter } from './work.js'

export type RowTest = (row: Row) => boolean

const everyRow: RowTest = () => true

/** What compiles a pattern to a test whether it occurs in a text. */
export type PatternCompiler = (
  pattern: Comparison & { readonly kind: 'regexp' }, meter?: Meter
) => (text: string) => boolean

/**
 * Makes what compiles conditions, with an engine for patterns. Servers have one (`match.ts`): it is larger than all of
 * this together, and who does without it brings it not along.
 *
 * ```js
 * const compileCondition = conditionCompiler(({ source }) => text => new RegExp(source, 'u').test(text))
 * rows.filter(compileCondition(condition))
 * ```
 * @param notOfOneRow makes the error for a condition on related rows: what is tested row by row does not see those
 */
export const conditionCompiler = (
  patterns: PatternCompiler, notOfOneRow = (relation: string): Error => new TypeError(`No row says "${relation}"`)
) => {
  const compiled = (condition: Condition | undefined, meter?: Meter): RowTest => {
    if (condition === undefined) return everyRow
    switch (condition.kind) {
      case 'and': return every(condition.conditions.map(inner => compiled(inner, meter)))
      case 'or': return some(condition.conditions.map(inner => compiled(inner, meter)))
      case 'nor': return not(some(condition.conditions.map(inner => compiled(inner, meter))))
      case 'related': throw notOfOneRow(condition.relation)
      case 'linked': throw notOfOneRow(condition.model.name)
      case 'search': return compileSearch(condition, meter)
      case 'element': return elementTest(condition.path, compiled(condition.condition, meter), meter)
      default: return compileComparison(condition, patterns, meter)
    }
  }
  return compiled
}

function every (tests: readonly RowTest[]): RowTest {
  const [first = everyRow, second] = tests
  if (tests.length < 2) return first
  if (tests.length === 2) return row => first(row) && (second as RowTest)(row)
  return row => {
    for (let i = 0; i < tests.length; i++) if (!(tests[i] as RowTest)(row)) return false
    return true
  }
}

function some (tests: readonly RowTest[]): RowTest {
  if (tests.length === 1) return tests[0] as RowTest
  return row => {
    for (let i = 0; i < tests.length; i++) if ((tests[i] as RowTest)(row)) return true
    return false
  }
}

function elementTest (path: Comparison['path'], passes: RowTest, meter: Meter): RowTest {
  const isRow = (value: unknown): value is Row => value !== null && typeof value === 'object' && !Array.isArray(value)
  return compileSome(path, value => isRow(value) && passes(value), meter)
}

const not = (test: RowTest): RowTest => row => !test(row)

/** Negated forms are the negation of the positive one, so that null, missing and lists need no rules of their own. */
type PropertyTest = Exclude<Comparison, { readonly kind: 'element' }>

function compileComparison (comparison: PropertyTest, patterns: PatternCompiler, meter: Meter): RowTest {
  const positive = compileSome(
    comparison.path,
    metered(valueTest(comparison, patterns, meter), unitsOf(comparison), meter),
    meter
  )
  switch (comparison.kind) {
    case 'compare': return comparison.op === 'neq' ? not(positive) : positive
    case 'in': return comparison.op === 'nin' ? not(positive) : positive
    case 'like': return comparison.negated ? not(positive) : positive
    case 'exists': return comparison.exists ? positive : not(positive)
    case 'between': case 'regexp': case 'near': return positive
  }
}

/** Patterns count for themselves, by the texts that they meet. */
function metered (test: ValueTest, units: number, meter: Meter): ValueTest {
  if (meter === undefined || units === 0) return test
  return value => {
    meter.spend(units)
    return test(value)
  }
}

/**
 * What one test takes, whatever it meets: deep comparison ends where the values differ, so that it takes no more than
 * the condition's own value is large.
 */
function unitsOf (comparison: PropertyTest): number {
  switch (comparison.kind) {
    case 'compare': return sizeOf(comparison.value)
    case 'in': {
      let units = 1
      for (const value of comparison.values) if (typeof value === 'object' && value !== null) units += sizeOf(value)
      return units
    }
    case 'near': return 10
    case 'like': case 'regexp': return 0
    default: return 1
  }
}

/** Values within a value. */
function sizeOf (value: unknown): number {
  if (value === null || typeof value !== 'object' || value instanceof Date) return 1
  if (value instanceof Uint8Array) return 1 + value.length / 64
  let size = 4
  for (const key of Object.keys(value)) size += 2 + sizeOf((value as Record<string, unknown>)[key])
  return size
}

function valueTest (comparison: PropertyTest, patterns: PatternCompiler, meter: Meter): ValueTest {
  const { equal, among, range, isText } = comparisonOf(comparison.path.type)
  switch (comparison.kind) {
    case 'compare': {
      const { op, value } = comparison
      return op === 'eq' || op === 'neq' ? equal(value, meter) : range(op, value)
    }
    case 'in': return among(comparison.values, meter)
    case 'between': {
      const from = range('gte', comparison.from)
      const to = range('lte', comparison.to)
      return value => from(value) && to(value)
    }
    case 'like': return isText ? textTest(compileLike(comparison.pattern, comparison.ignoreCase, meter)) : noValue
    case 'regexp': return isText ? textTest(patterns(comparison, meter)) : noValue
    case 'near': return nearTest(comparison)
    case 'exists': return value => value !== null && value !== undefined
  }
}

const noValue: ValueTest = () => false

const textTest = (test: (text: string) => boolean): ValueTest => value => typeof value === 'string' && test(value)

function nearTest (near: Comparison & { kind: 'near' }): ValueTest {
  const { minDistance = 0, maxDistance = Infinity } = near
  return value => {
    if (!isPoint(value)) return false
    const distance = distanceBetween(near, value)
    return distance >= minDistance && distance <= maxDistance
  }
}

/**
 * The `near` that orders the rows when nothing else does: the first one that every row must pass.
 *
 * ```js
 * const near = nearOf(query.where)
 * const order = near === undefined ? compileOrder(query.order, model) : compileNearOrder(near, model)
 * ```
 */
export function nearOf (condition: Condition | undefined): (Comparison & { kind: 'near' }) | undefined {
  if (condition?.kind === 'near') return condition
  if (condition?.kind !== 'and') return undefined
  for (const inner of condition.conditions) {
    const near = nearOf(inner)
    if (near !== undefined) return near
  }
  return undefined
}
