/**
 * `where`, read into the conditions that the server's reference tests (`@fastback/core/query`). The server's own parser
 * is larger than this client: it knows definitions, hidden properties and limits. That both mean the same by a filter
 * is tested by drawing filters and rows (`test/query.test.ts`).
 */
import {
  metresPer, operatorOptionNames, quantifiers, type Comparison, type Condition, type ConditionValue, type OperatorName,
  type PropertyPath
} from '@fastback/core/query'
import { ClientError } from '../errors.js'

export const badFilter = (why: string): ClientError => new ClientError('BAD_FILTER', why)

type Clause = Readonly<Record<string, unknown>>

/** The names of properties that are dates: their texts, and those of filters, are compared as instants. */
export type Dates = ReadonlySet<string>

const never: Condition = { kind: 'or', conditions: [] }
const always: Condition = { kind: 'and', conditions: [] }

const isPlain = (value: unknown): value is Clause =>
  value !== null && typeof value === 'object' && [Object.prototype, null].includes(Object.getPrototypeOf(value) as null)

/** Undefined: all rows. */
export function readWhere (where: unknown, dates: Dates): Condition | undefined {
  if (where === undefined || where === null) return undefined
  if (!isPlain(where)) throw badFilter('"where" is not an object.')
  const conditions: Condition[] = []
  for (const [name, clause] of Object.entries(where)) {
    if (clause === undefined) continue
    if (name === 'and' || name === 'or' || name === 'nor') {
      if (!Array.isArray(clause)) throw badFilter(`"${name}" is not a list of conditions.`)
      conditions.push({ kind: name, conditions: clause.map(each => readWhere(each, dates) ?? always) })
    } else conditions.push(...readProperty(pathOf(name, dates), clause))
  }
  return conditions.length < 2 ? conditions[0] : { kind: 'and', conditions }
}

/** A name, or a dotted path, of a value of no particular type. */
export function pathOf (name: string, dates: Dates): PropertyPath {
  const [property = '', ...path] = name.split('.')
  if (property === '' || path.includes('') || name.startsWith('$') || path.includes('$count')) {
    throw badFilter(`"${name}" is not the name of a property.`)
  }
  const plain = { property, path, type: { kind: 'any' as const }, declared: false }
  return dates.has(name) ? { ...plain, visible: asDate } : plain
}

const asDate = (value: unknown): unknown => typeof value === 'string' ? new Date(value) : value

function readProperty (path: PropertyPath, clause: unknown): Condition[] {
  if (clause instanceof RegExp) return [pattern(path, clause, {})]
  if (!isPlain(clause)) return [equal(path, clause)]
  const names = Object.keys(clause).filter(name => clause[name] !== undefined)
  const tests = names.filter(name => operators.has(name))
  if (tests.length === 0) {
    const foreign = names.find(name => name.startsWith('$'))
    if (foreign !== undefined) throw badFilter(`"${path.property}": there is no operator "${foreign}".`)
    // A client does not know from its rows what is a relation.
    if (names.length > 0 && names.every(name => quantifiers.has(name))) {
      throw badFilter(`"${path.property}": conditions on related rows are answered by the server alone.`)
    }
    return [equal(path, clause)]
  }
  const beside = names.find(name => !operators.has(name) && !companions.has(name))
  if (beside !== undefined) throw badFilter(`"${path.property}": there is no operator "${beside}".`)
  return tests.map(name => (operators.get(name) as Reader)(path, clause[name], clause))
}

type Reader = (path: PropertyPath, operand: unknown, clause: Clause) => Condition

const companions: ReadonlySet<string> = new Set(operatorOptionNames)

const range = (op: 'gt' | 'gte' | 'lt' | 'lte'): Reader => (path, operand) => {
  const value = scalar(path, operand)
  return value === null ? never : { kind: 'compare', path, op, value }
}

const among = (op: 'inq' | 'nin'): Reader => (path, operand) => {
  const values = listOf(path, operand, op).map(value => valueOf(path, value))
  if (values.length === 0) return op === 'inq' ? never : always
  return { kind: 'in', path, op, values }
}

const like = (negated: boolean, ignoreCase: boolean): Reader => (path, operand, clause) => {
  if (operand instanceof RegExp) {
    const positive = pattern(path, operand, clause)
    return negated ? { kind: 'nor', conditions: [positive] } : positive
  }
  if (typeof operand !== 'string') throw badFilter(`"${path.property}": a pattern is a text.`)
  return { kind: 'like', path, negated, ignoreCase: ignoreCase || String(clause.options ?? '').includes('i'), pattern: operand }
}

const equal = (path: PropertyPath, given: unknown): Condition =>
  ({ kind: 'compare', path, op: 'eq', value: valueOf(path, given) })

const readers: Readonly<Record<OperatorName, Reader>> = {
  eq: equal,
  neq: (path, operand) => ({ kind: 'compare', path, op: 'neq', value: valueOf(path, operand) }),
  gt: range('gt'),
  gte: range('gte'),
  lt: range('lt'),
  lte: range('lte'),
  between: (path, operand) => {
    const [from, to, more] = listOf(path, operand, 'between').map(value => scalar(path, value))
    if (from === undefined || to === undefined || more !== undefined) throw badFilter(`"${path.property}": "between" is a list of two.`)
    return from === null || to === null ? never : { kind: 'between', path, from, to }
  },
  inq: among('inq'),
  nin: among('nin'),
  like: like(false, false),
  nlike: like(true, false),
  ilike: like(false, true),
  nilike: like(true, true),
  regexp: (path, operand, clause) => pattern(path, operand, clause),
  near,
  exists: (path, operand) => {
    if (typeof operand !== 'boolean') throw badFilter(`"${path.property}": "exists" is true or false.`)
    return { kind: 'exists', path, exists: operand }
  }
}

/** By name; a name that comes from outside is looked up in nothing but this list. */
const operators: ReadonlyMap<string, Reader> = new Map(Object.entries(readers))

function listOf (path: PropertyPath, operand: unknown, op: string): readonly unknown[] {
  if (!Array.isArray(operand)) throw badFilter(`"${path.property}": "${op}" is a list.`)
  return operand
}

/** Rows are JSON: a date is its text there, but for properties that are said to be dates. */
function valueOf ({ property, visible }: PropertyPath, given: unknown): ConditionValue {
  if (given === undefined || given === null) return null
  if (visible !== undefined && (typeof given === 'string' || typeof given === 'number' || given instanceof Date)) {
    const date = new Date(given)
    if (Number.isNaN(date.getTime())) throw badFilter(`"${property}": ${JSON.stringify(given)} is no date.`)
    return date
  }
  if (typeof given === 'function' || typeof given === 'symbol' || Number.isNaN(given)) throw badFilter(`"${property}": that is no value.`)
  return typeof given === 'object' ? JSON.parse(JSON.stringify(given)) as ConditionValue : given as ConditionValue
}

function scalar (path: PropertyPath, given: unknown): ConditionValue {
  const value = valueOf(path, given)
  if (value !== null && typeof value === 'object' && !(value instanceof Date)) throw badFilter(`"${path.property}": objects and lists have no order.`)
  return value
}

/** `^x`, `/^x/i`, or a RegExp. */
function pattern (path: PropertyPath, operand: unknown, clause: Clause): Comparison {
  const written = typeof operand === 'string' ? /^\/(.*)\/([a-z]*)$/s.exec(operand) ?? [operand, operand, ''] : undefined
  const [, source, own] = operand instanceof RegExp ? [operand, operand.source, operand.flags] : written ?? []
  const flags = `${own ?? ''}${String(clause.options ?? '')}`
  if (source === undefined || /[^gimuy]/.test(flags)) throw badFilter(`"${path.property}": that is no pattern.`)
  const condition = { kind: 'regexp' as const, path, source, ignoreCase: flags.includes('i'), multiline: flags.includes('m') }
  try {
    compilePattern(condition)
  } catch (error) {
    throw badFilter(`"${path.property}": ${(error as Error).message}`)
  }
  return condition
}

/** The engine of the browser. The server's knows no look-around and no back-references: filters for both do without. */
export function compilePattern (
  { source, ignoreCase, multiline }: Pick<Comparison & { kind: 'regexp' }, 'source' | 'ignoreCase' | 'multiline'>
): (text: string) => boolean {
  const expression = new RegExp(source, `u${ignoreCase ? 'i' : ''}${multiline ? 'm' : ''}`)
  return text => expression.test(text)
}

function near (path: PropertyPath, operand: unknown, clause: Clause): Condition {
  const [lat, lng] = typeof operand === 'string'
    ? operand.split(',').map(Number)
    : isPlain(operand) ? [operand.lat, operand.lng].map(Number) : []
  const metres = metresPer.get(String(clause.unit ?? 'miles'))
  if (!Number.isFinite(lat) || !Number.isFinite(lng) || metres === undefined) {
    throw badFilter(`"${path.property}": "near" is { lat, lng }, and "unit" one of ${[...metresPer.keys()].join(', ')}.`)
  }
  const distances = (['maxDistance', 'minDistance'] as const).flatMap(name => {
    const given = clause[name]
    if (given === undefined || given === null) return []
    if (typeof given !== 'number' || !(given >= 0)) throw badFilter(`"${path.property}": "${name}" is a number.`)
    return [[name, given * metres] as const]
  })
  return { kind: 'near', path, lat: lat as number, lng: lng as number, ...Object.fromEntries(distances) }
}
