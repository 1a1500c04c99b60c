/** What a condition means: the reference that every connector must agree with. */
import type { Row } from '../properties/types.js'
import type { Comparison, Condition } from './ast.js'
import { rangeTest } from './compare.js'
import { equalTest, inTest, type ValueTest } from './equal.js'
import { distanceBetween, isPoint } from './geo.js'
import { compileLike } from './like.js'
import { compileRegExp } from './regexp.js'
import { compileSome } from './walk-path.js'

export type RowTest = (row: Row) => boolean

const everyRow: RowTest = () => true

/** Compiles a condition to a test of rows. Without a condition every row passes. */
export function compileCondition (condition: Condition | undefined): RowTest {
  if (condition === undefined) return everyRow
  switch (condition.kind) {
    case 'and': return every(condition.conditions.map(compileCondition))
    case 'or': return some(condition.conditions.map(compileCondition))
    case 'nor': return not(some(condition.conditions.map(compileCondition)))
    default: return compileComparison(condition)
  }
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

const not = (test: RowTest): RowTest => row => !test(row)

/** Negated forms are the negation of the positive one, so that null, missing and lists need no rules of their own. */
function compileComparison (comparison: Comparison): RowTest {
  const positive = compileSome(comparison.path, valueTest(comparison))
  switch (comparison.kind) {
    case 'compare': return comparison.op === 'neq' ? not(positive) : positive
    case 'in': return comparison.op === 'nin' ? not(positive) : positive
    case 'like': return comparison.negated ? not(positive) : positive
    case 'exists': return comparison.exists ? positive : not(positive)
    default: return positive
  }
}

function valueTest (comparison: Comparison): ValueTest {
  switch (comparison.kind) {
    case 'compare': {
      const { op, value } = comparison
      return op === 'eq' || op === 'neq' ? equalTest(value) : rangeTest(op, value)
    }
    case 'in': return inTest(comparison.values)
    case 'between': {
      const from = rangeTest('gte', comparison.from)
      const to = rangeTest('lte', comparison.to)
      return value => from(value) && to(value)
    }
    case 'like': return textTest(compileLike(comparison.pattern, comparison.ignoreCase))
    case 'regexp': return textTest(compileRegExp(comparison))
    case 'near': return nearTest(comparison)
    case 'exists': return value => value !== null && value !== undefined
  }
}

const textTest = (test: (text: string) => boolean): ValueTest => value => typeof value === 'string' && test(value)

function nearTest (near: Comparison & { kind: 'near' }): ValueTest {
  const { minDistance = 0, maxDistance = Infinity } = near
  return value => {
    if (!isPoint(value)) return false
    const distance = distanceBetween(near, value)
    return distance >= minDistance && distance <= maxDistance
  }
}

/** The `near` that orders the rows when nothing else does: the first one that every row must pass. */
export function nearOf (condition: Condition | undefined): (Comparison & { kind: 'near' }) | undefined {
  if (condition?.kind === 'near') return condition
  if (condition?.kind !== 'and') return undefined
  for (const inner of condition.conditions) {
    const near = nearOf(inner)
    if (near !== undefined) return near
  }
  return undefined
}
