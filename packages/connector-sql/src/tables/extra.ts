/**
 * The extra column: what the other columns of a table cannot carry, as one JSON object. These are the undeclared
 * properties of open models, and the declared properties that are null (a NULL in a column of such a table means that
 * the row lacks the property). NULL when there is nothing.
 */
import type { Row, Selection } from '@fastback/core'
import type { Table } from './table.js'

/** Which members belong to a selection. */
export type ExtraFilter = { readonly only: readonly string[] } | { readonly except: readonly string[] }

export function extraFilter (table: Table, { names, extra }: Selection): ExtraFilter {
  if (extra === 'none') return { only: names }
  if (extra !== 'all') return { only: [...names, ...extra] }
  const selected = new Set(names)
  return { except: table.columns.map(({ property }) => property.name).filter(name => !selected.has(name)) }
}

export function passes (filter: ExtraFilter): (name: string) => boolean {
  const names = new Set('only' in filter ? filter.only : filter.except)
  return 'only' in filter ? name => names.has(name) : name => !names.has(name)
}

/** Adds a property to a row; `__proto__` is a name like all others (security.md, S-34). */
export function setOwn (row: Row, name: string, value: unknown): void {
  if (name === '__proto__') {
    Object.defineProperty(row, name, { value, enumerable: true, configurable: true, writable: true })
  } else row[name] = value
}

/** The members of a row that go to the extra column, or undefined when there are none. */
export function extraOf (table: Table, row: Readonly<Row>): Row | undefined {
  let extra: Row | undefined
  for (const name of Object.keys(row)) {
    const value = row[name]
    if (value === undefined) continue
    if (table.byProperty.has(name) ? value === null : table.model.open) setOwn((extra ??= {}), name, value)
  }
  return extra
}

/** What an update does to the extra column. */
export interface ExtraChanges {
  readonly set: Row
  readonly remove: readonly string[]
}

/**
 * @param changes undefined values remove
 * @returns the changes to rows that have an extra column with content; `set` is empty when rows without need not be
 * touched
 */
export function extraChanges (table: Table, changes: Readonly<Row>): ExtraChanges {
  const set: Row = {}
  const remove: string[] = []
  for (const name of Object.keys(changes)) {
    if (name === table.id?.property.name) continue
    const value = changes[name]
    const declared = table.byProperty.has(name)
    if (value === undefined || (declared && value !== null)) remove.push(name)
    else if (declared || table.model.open) setOwn(set, name, value)
  }
  return { set, remove }
}

/** The members of a stored extra text; none when it is not what this connector writes. */
export function decodeExtra (text: unknown): Row {
  if (typeof text !== 'string') return {}
  try {
    const value = JSON.parse(text) as unknown
    return value !== null && typeof value === 'object' && !Array.isArray(value) ? value as Row : {}
  } catch {
    return {}
  }
}
