/** Rows that a condition can match at all, as far as ids and indexes tell. */
import type { Condition, ConditionValue, Id, Row } from '@fastback/core'
import { plainKinds } from '@fastback/core/connector'
import type { Collection } from './collection.js'
import type { HashIndex } from './hash-index.js'

/** Property name to the values that it must have one of. */
type Wanted = Map<string, readonly ConditionValue[]>

/**
 * A small part of the rows, sorted by id, that contains every match; undefined when all rows must be looked at. The
 * condition still has to be tested.
 */
export function candidates (collection: Collection, where: Condition | undefined): readonly Row[] | undefined {
  return where === undefined ? undefined : byEqualities(collection, where) ?? byBranches(collection, where)
}

/** Rows of an `or` whose every branch leads to few. */
function byBranches (collection: Collection, where: Condition): readonly Row[] | undefined {
  const branches =
    where.kind === 'or'
      ? where
      : where.kind === 'and'
        ? where.conditions.find(condition => condition.kind === 'or')
        : undefined
  if (branches?.kind !== 'or' || collection.compare === undefined) return undefined
  const all: Row[] = []
  for (const branch of branches.conditions) {
    const rows = candidates(collection, branch)
    if (rows === undefined) return undefined
    for (const row of rows) all.push(row)
  }
  return sorted(collection, all)
}

function byEqualities (collection: Collection, where: Condition): readonly Row[] | undefined {
  const wanted: Wanted = new Map()
  collectEqualities(where, wanted)
  if (wanted.size === 0) return undefined
  const ids = collection.model.id === undefined ? undefined : wanted.get(collection.model.id.name)
  if (ids !== undefined) {
    return sorted(
      collection,
      ids.map(id => collection.get(id as Id)).filter(row => row !== undefined)
    )
  }
  return fromIndexes(collection, wanted)
}

/**
 * Equalities that every matching row meets. Only types that hold no lists count: elsewhere an element may be what is
 * equal.
 */
function collectEqualities (condition: Condition, wanted: Wanted): void {
  switch (condition.kind) {
    case 'and':
      for (const inner of condition.conditions) collectEqualities(inner, wanted)
      break
    case 'compare':
      if (condition.op === 'eq' && isSimple(condition.path) && !wanted.has(condition.path.property)) {
        wanted.set(condition.path.property, [condition.value])
      }
      break
    case 'in':
      if (condition.op === 'inq' && isSimple(condition.path) && !wanted.has(condition.path.property)) {
        wanted.set(condition.path.property, condition.values)
      }
  }
}

const isSimple = (path: {
  readonly path: readonly string[]
  readonly declared: boolean
  readonly type: { readonly kind: string }
}): boolean => path.path.length === 0 && path.declared && plainKinds.has(path.type.kind)

function fromIndexes (collection: Collection, wanted: Wanted): readonly Row[] | undefined {
  let best: readonly Row[] | undefined
  for (const index of collection.indexes) {
    const rows = fromIndex(index, wanted)
    if (rows !== undefined && (best === undefined || rows.length < best.length)) best = rows
  }
  return best === undefined ? undefined : sorted(collection, best)
}

function fromIndex (index: HashIndex, wanted: Wanted): readonly Row[] | undefined {
  const values = index.properties.map(name => wanted.get(name))
  const [first] = values
  if (
    first === undefined ||
    !values.every(value => value !== undefined && (values.length === 1 || value.length === 1))
  ) {
    return undefined
  }
  if (values.length > 1) return [...index.rows(values.map(value => value?.[0]))]
  if (first.length === 1) return [...index.rows(first)]
  const rows = new Set<Row>()
  for (const value of first) for (const row of index.rows([value])) rows.add(row)
  return [...rows]
}

/** Sorted by id and without doubles; most often they are already. */
function sorted (collection: Collection, rows: readonly Row[]): readonly Row[] {
  const { compare } = collection
  if (compare === undefined || rows.length < 2) return rows
  for (let i = 1; i < rows.length; i++) {
    if (compare(rows[i - 1] as Row, rows[i] as Row) >= 0) return [...new Set(rows)].sort(compare)
  }
  return rows
}
