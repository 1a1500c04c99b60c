/** `where`: LoopBack's condition grammar, read into the AST (behaviour.md, section 2). */
import { badQuery, sealedInQuery } from '../errors.js'
import { nearestOutside } from '../nearest.js'
import type { Condition, PropertyPath } from './ast.js'
import { plainOperator } from './extended-operators.js'
import { equal } from './parse-comparison.js'
import { operatorGroups, operatorOptions } from './operator-names.js'
import { operators } from './parse-operators.js'
import { asList, badClause, checkLimit, isPlainObject, excerpt, type ParseContext } from './parse-context.js'
import { knowsSearch, readSearch } from './parse-search.js'
import { readRelated, relationNamed } from './parse-related.js'
import { nameOf } from './parse-value.js'
import { resolvePath } from './resolve-path.js'
import { searchKey } from './search-names.js'

/**
 * Reads a condition. Undefined for one without any test (`{}`): all rows.
 * @throws RequestError 400
 */
export function readWhere (context: ParseContext, where: unknown): Condition | undefined {
  const conditions: Condition[] = []
  readClauses(context, where, conditions)
  return conditions.length < 2 ? conditions[0] : { kind: 'and', conditions }
}

function readClauses (context: ParseContext, where: unknown, into: Condition[]): void {
  if (!isPlainObject(where)) throw badQuery(`The where clause ${excerpt(where)} is not an object`)
  for (const key of Object.keys(where)) {
    if (key === searchKey && knowsSearch(context)) {
      into.push(readSearch(context, where[key]))
      continue
    }
    const name = key.startsWith('$') ? plainOperator(context, key, where) : key
    const value = where[key]
    if (name === 'and' || name === 'or' || name === 'nor') into.push(readBranches(context, name, value))
    else readProperty(context, name, value, into)
  }
}

function readBranches (context: ParseContext, kind: 'and' | 'or' | 'nor', clauses: unknown): Condition {
  const list = asList(clauses)
  if (list === undefined) {
    throw badQuery(
      `The ${kind} operator has invalid clauses ${excerpt(clauses)}: value is not an array or object with sequential numeric indices`
    )
  }
  checkLimit(context, context.counts.branches += list.length, context.limits.branches, 'and/or branches')
  const { negated, among } = context
  if (kind === 'nor') context.negated = !negated
  if (kind !== 'and') context.among = kind
  const conditions = list.map(clause => readWhere(context, clause) ?? { kind: 'and' as const, conditions: [] })
  context.negated = negated
  context.among = among
  return { kind, conditions }
}

function readProperty (context: ParseContext, name: string, value: unknown, into: Condition[]): void {
  const relation = relationNamed(context, name)
  if (relation !== undefined) {
    if (value !== undefined) into.push(readRelated(context, relation, name, value, readWhere))
    return
  }
  const path = resolvePath(context, name, 'where')
  if (path.sealed !== undefined) mustAskForEquality(context, path, value)
  if (value === undefined) readUndefined(context, path, into)
  else if (value instanceof RegExp) operators.get('regexp')?.(context, path, value, noSiblings, into)
  else if (isPlainObject(value)) readObject(context, path, value, into)
  else into.push(equal(context, path, value))
}

const noSiblings = Object.freeze({})

const equalities: ReadonlySet<string> = new Set(['eq', 'neq', 'inq', 'nin'])
const isTextOrNull = (value: unknown): boolean => value === undefined || value === null || typeof value === 'string'

/** Looked at before the value is read: no message tells what a sealed property was compared with. */
function mustAskForEquality ({ model }: ParseContext, { property }: PropertyPath, value: unknown): void {
  const isEquality = isPlainObject(value)
    ? Object.entries(value).every(([key, operand]) => equalities.has(key.replace(/^\$/, '')) &&
      (asList(operand) ?? [operand]).every(isTextOrNull))
    : isTextOrNull(value)
  if (!isEquality) throw sealedInQuery(model.name, property, 'where')
}

/** Undefined values occur in code only: left out, taken for null, or refused (setting `normalizeUndefinedInQuery`). */
function readUndefined (context: ParseContext, path: PropertyPath, into: Condition[]): void {
  const policy = context.model.settings.normalizeUndefinedInQuery
  if (policy === 'throw') throw badQuery(`Unexpected \`undefined\` in query: ${nameOf(path)}`)
  if (policy === 'nullify' || context.external) into.push(equal(context, path, null))
}

/**
 * An object is a set of operators, all of which must hold, or (where the property may hold objects) a value to compare
 * with.
 */
function readObject (
  context: ParseContext,
  path: PropertyPath,
  clause: Record<string, unknown>,
  into: Condition[]
): void {
  const keys = Object.keys(clause)
  let met = 0
  for (const key of keys) {
    const read = operators.get(key.startsWith('$') ? plainOperator(context, key, clause) : key)
    if (read === undefined) continue
    met++
    read(context, path, clause[key], clause, into)
  }
  if (met === 0) {
    if (!holdsObjects(path)) throw unknownOperator(path, clause, keys[0])
    into.push(equal(context, path, clause))
  } else if (met < keys.length) checkSiblings(path, clause, keys)
}

/** Beside operators there may be `options` of a pattern, and the distances and unit of `near`. */
function checkSiblings (path: PropertyPath, clause: Record<string, unknown>, keys: readonly string[]): void {
  for (const key of keys) {
    if (operators.has(key)) continue
    const needed =
      key === 'options' || key === '$options'
        ? patterns
        : distances.has(key)
          ? nearOnly
          : key.startsWith('$')
            ? keys
            : []
    if (!needed.some(operator => operator in clause)) throw unknownOperator(path, clause, key)
  }
}

const patterns: readonly string[] = [...operatorGroups.patterns, '$regex']
const distances: ReadonlySet<string> = new Set(operatorOptions.distances)
const nearOnly: readonly string[] = operatorGroups.distances

function holdsObjects (path: PropertyPath): boolean {
  let { type } = path
  while (type.kind === 'array' && type.items !== undefined) type = type.items
  return (
    type.kind === 'any' ||
    type.kind === 'object' ||
    type.kind === 'model' ||
    type.kind === 'array' ||
    type.kind === 'geopoint' ||
    type.kind === 'buffer'
  )
}

const unknownOperator = (path: PropertyPath, clause: object, key: string | undefined) =>
  badClause(nameOf(path), clause, key === undefined ? 'no operator' : `unknown operator ${excerpt(key)}${meantBy(key)}`)

/** Near ones are named, and all where none is. */
function meantBy (key: string): string {
  const names = [...operators.keys()].filter(name => !name.startsWith('$'))
  const meant = nearestOutside(key, names)
  return meant === undefined ? `; there are ${names.join(', ')}` : `; "${meant}" is one`
}
