/** Comparisons with one value or several: eq, neq, gt … between, inq, nin, exists. */
import { badQuery } from '../errors.js'
import type { Condition, ConditionValue, PropertyPath } from './ast.js'
import { asList, badClause, checkLimit, type ParseContext } from './parse-context.js'
import { always, nameOf, never, queryValue, unmatchable } from './parse-value.js'

export function equal (context: ParseContext, path: PropertyPath, value: unknown): Condition {
  const wanted = queryValue(context, path, value)
  return wanted === unmatchable ? never : { kind: 'compare', path, op: 'eq', value: wanted }
}

export function unequal (context: ParseContext, path: PropertyPath, value: unknown): Condition {
  // A value that nothing equals would make `neq` true for every row: refused.
  return { kind: 'compare', path, op: 'neq', value: queryValue(context, path, value, true) as ConditionValue }
}

/** Ranges never hold for null, so that `{ gt: null }` holds for nothing. */
export function range (
  context: ParseContext,
  path: PropertyPath,
  op: 'gt' | 'gte' | 'lt' | 'lte',
  value: unknown
): Condition {
  const bound = scalar(context, path, op, value)
  return bound === null || bound === unmatchable ? never : { kind: 'compare', path, op, value: bound }
}

export function between (context: ParseContext, path: PropertyPath, value: unknown): Condition {
  const list = asList(value)
  if (list === undefined) {
    throw badClause(nameOf(path), { between: value }, 'value is not an array or object with sequential numeric indices')
  }
  if (list.length !== 2) {
    throw badClause(nameOf(path), { between: value }, `Expected precisely 2 values, received ${list.length}`)
  }
  const from = scalar(context, path, 'between', list[0])
  const to = scalar(context, path, 'between', list[1])
  return from === null || to === null || from === unmatchable || to === unmatchable
    ? never
    : { kind: 'between', path, from, to }
}

function scalar (
  context: ParseContext,
  path: PropertyPath,
  op: string,
  value: unknown
): ConditionValue | typeof unmatchable {
  const bound = queryValue(context, path, value)
  if (bound !== null && typeof bound === 'object' && !(bound instanceof Date) && !Buffer.isBuffer(bound)) {
    throw badClause(nameOf(path), { [op]: value }, 'objects and lists have no order')
  }
  return bound
}

export function among (context: ParseContext, path: PropertyPath, op: 'inq' | 'nin', value: unknown): Condition {
  const list = asList(value)
  if (list === undefined) {
    throw badClause(nameOf(path), { [op]: value }, 'value is not an array or object with sequential numeric indices')
  }
  checkLimit(context, context.counts.values += list.length, context.limits.values, `${op} values`)
  const values: ConditionValue[] = []
  for (const item of list) {
    const wanted = queryValue(context, path, item, op === 'nin' || context.negated)
    if (wanted !== unmatchable) values.push(wanted)
  }
  if (values.length === 0) return op === 'inq' ? never : always
  return { kind: 'in', path, op, values }
}

const truths: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  [true, true], [false, false], [1, true], [0, false], ['1', true], ['0', false], ['true', true], ['false', false]
])

export function exists (path: PropertyPath, value: unknown, extended: boolean): Condition {
  const wanted = truths.get(value)
  if (wanted === undefined) {
    throw badQuery(`The ${nameOf(path)} property has an invalid value for exists: expected true or false`)
  }
  return { kind: 'exists', path, exists: wanted, ...(extended ? { extended } : {}) }
}
