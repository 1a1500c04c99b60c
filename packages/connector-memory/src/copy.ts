/** Rows go in and out as copies, so that nobody outside holds what is stored. */
import type { Row, Selection, StoredModel } from '@fastback/core'

/** Data without anything shared with the original. */
export function copyValue (value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value
  if (value instanceof Date) return new Date(value.getTime())
  if (Array.isArray(value)) return value.map(copyValue)
  if (value instanceof Uint8Array) return Buffer.from(value)
  return copyRow(value as Row)
}

/** Own values of an object that are not undefined. A key `__proto__` is left out: it would be no key of the copy. */
export function copyRow (row: Readonly<Row>): Row {
  const copy: Row = {}
  for (const key of Object.keys(row)) {
    const value = row[key]
    if (value !== undefined && key !== '__proto__') {
      copy[key] = value !== null && typeof value === 'object' ? copyValue(value) : value
    }
  }
  return copy
}

/**
 * `row` with the changes; what they set to undefined is gone. Nested values are shared with both: stored rows are
 * replaced and never changed, so the rows of a bulk update hold one copy of what was given, and not each its own.
 * @param changes the connector's own copy (`copyChanges`)
 */
export function changedRow (row: Row, changes: Readonly<Row>): Row {
  const changed: Row = {}
  for (const key of Object.keys(row)) {
    const value = Object.hasOwn(changes, key) ? changes[key] : row[key]
    if (value !== undefined) changed[key] = value
  }
  for (const key of Object.keys(changes)) {
    if (!Object.hasOwn(row, key) && changes[key] !== undefined) changed[key] = changes[key]
  }
  return changed
}

/** Changes without anything shared with what was given. Those that are undefined stay: they take a property away. */
export function copyChanges (changes: Readonly<Row>): Row {
  const copy: Row = {}
  for (const key of Object.keys(changes)) if (key !== '__proto__') copy[key] = copyValue(changes[key])
  return copy
}

export type RowCopier = (row: Row) => Row

/** Compiles the copy of the selected properties. */
export function compileCopier (select: Selection, model: StoredModel): RowCopier {
  const { names, extra } = select
  if (extra === 'all') {
    const left = new Set(model.properties.map(property => property.name).filter(name => !names.includes(name)))
    return left.size === 0 ? copyRow : row => copyWithout(row, left)
  }
  const wanted = extra === 'none' ? names : [...names, ...extra]
  return row => {
    const copy: Row = {}
    for (let i = 0; i < wanted.length; i++) {
      const name = wanted[i] as string
      const value = row[name]
      if (value === undefined || !Object.hasOwn(row, name)) continue
      copy[name] = value !== null && typeof value === 'object' ? copyValue(value) : value
    }
    return copy
  }
}

function copyWithout (row: Row, left: ReadonlySet<string>): Row {
  const copy: Row = {}
  for (const key of Object.keys(row)) {
    if (left.has(key)) continue
    const value = row[key]
    copy[key] = value !== null && typeof value === 'object' ? copyValue(value) : value
  }
  return copy
}
