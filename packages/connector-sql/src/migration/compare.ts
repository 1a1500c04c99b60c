/** The steps from a table as it is to its design. */
import { findColumn, type ActualTable, type Change, type IndexDesign, type TableDesign } from './design.js'

/** Names are the same in any case: databases differ in whether they mind it. */
export const sameName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

/**
 * The steps in the order to take them. Nothing that holds data is dropped but what is named.
 * @param dropped names of columns that no property has, and of text indexes that no model has, that may go
 */
export function changesTo (
  design: TableDesign, actual: ActualTable | undefined, dropped: readonly string[] = []
): Change[] {
  if (actual?.refusesTextIndex === true && design.indexes.some(({ text }) => text !== undefined)) {
    return changesTo({ ...design, indexes: design.indexes.filter(({ text }) => text === undefined) }, actual, dropped)
  }
  if (actual === undefined) {
    const key = primaryKey(design)
    const needed = design.indexes.filter(index => !isServed(index, design.indexes, key))
    return [{ kind: 'create table' }, ...needed.map((index): Change => ({ kind: 'create index', index }))]
  }
  if (actual.isView) return []
  const changes: Change[] = design.columns
    .filter(column => findColumn(actual, column.name) === undefined)
    .map(column => ({ kind: 'add column', column }))
  if (design.needsExtra && findColumn(actual, design.extra) === undefined) changes.push({ kind: 'add extra column' })
  for (const column of dropped.filter(name => findColumn(actual, name) !== undefined)) {
    changes.push({ kind: 'drop column', column, indexes: indexesWith(actual, column) })
  }
  for (const index of unwantedTexts([design], actual)) {
    if (dropped.some(name => sameName(name, index.name))) changes.push({ kind: 'drop index', index })
  }
  const present = [...actual.indexes, ...primaryKey(actual)]
  for (const index of design.indexes) {
    const existing = actual.indexes.find(({ name }) => sameName(name, index.name))
    if (existing !== undefined && sameIndex(existing, index)) continue
    if (existing !== undefined) changes.push({ kind: 'drop index', index: existing })
    else if (isServed(index, design.indexes, present)) continue
    changes.push({ kind: 'create index', index })
  }
  return changes
}

/** The table when the changes have been made: what the next model with the same table finds. */
export function afterChanges (
  design: TableDesign, actual: ActualTable | undefined, changes: readonly Change[]
): ActualTable {
  const columnOf = ({ name, type, keyPosition }: { name: string, type: string, keyPosition: number }) =>
    ({ name, type, keyPosition })
  const extra = { name: design.extra, type: '', keyPosition: 0 }
  const made = { name: design.name, isView: false, columns: [...design.columns.map(columnOf), extra], indexes: [] }
  let table: ActualTable = actual ?? made
  for (const change of changes) {
    const { columns, indexes } = table
    if (change.kind === 'add column') {
      table = { ...table, columns: [...columns, columnOf({ ...change.column, keyPosition: 0 })] }
    }
    if (change.kind === 'add extra column') table = { ...table, columns: [...columns, extra] }
    if (change.kind === 'create index') table = { ...table, indexes: [...indexes, change.index] }
    if (change.kind === 'drop index') table = { ...table, indexes: indexes.filter(index => index !== change.index) }
    if (change.kind === 'drop column') {
      table = {
        ...table,
        columns: columns.filter(({ name }) => name !== change.column),
        indexes: indexes.filter(index => !change.indexes.includes(index))
      }
    }
  }
  return table
}

/** Text indexes of a table that no design has, under their name or another. */
export const unwantedTexts = (designs: readonly TableDesign[], { indexes }: ActualTable): IndexDesign[] =>
  indexes.filter(index => index.text !== undefined && !designs.some(design =>
    design.indexes.some(wanted => sameName(wanted.name, index.name) || sameIndex(wanted, index))))

const indexesWith = ({ indexes }: ActualTable, column: string): IndexDesign[] =>
  indexes.filter(({ columns }) => columns.some(({ name }) => name === column))

/** The index that a table is made with. */
function primaryKey ({ name, columns }: TableDesign | ActualTable): IndexDesign[] {
  const key = columns.filter(({ keyPosition }) => keyPosition > 0).sort((a, b) => a.keyPosition - b.keyPosition)
  return key.length === 0 ? [] : [{ name, unique: true, columns: key.map(({ name }) => ({ name, descending: false })) }]
}

/** Whether an index is not needed beside those there are and others that are wanted. Of equal ones the first is. */
function isServed (index: IndexDesign, wanted: readonly IndexDesign[], present: readonly IndexDesign[]): boolean {
  const own = wanted.indexOf(index)
  return present.some(other => serves(other, index)) ||
    wanted.some((other, i) => i !== own && serves(other, index) && (i < own || !serves(index, other)))
}

/**
 * Whether `index` is not needed beside `other`: the same, or (every write pays for an index) only the first columns of
 * it, or all of them where only `other` is unique.
 */
function serves (other: IndexDesign, index: IndexDesign): boolean {
  const isWhole = index.unique || index.text !== undefined || other.text !== undefined
  if (isWhole) return sameIndex(undirected(other), undirected(index))
  const beginning = { ...other, unique: false, columns: other.columns.slice(0, index.columns.length) }
  return other.exceptBlank !== true && other.live === undefined && sameIndex(undirected(beginning), undirected(index))
}

/** Of one column, an index is read from either end. */
function undirected (index: IndexDesign): IndexDesign {
  const [only, ...others] = index.columns
  return only === undefined || others.length > 0 ? index : { ...index, columns: [{ ...only, descending: false }] }
}

function sameIndex (a: IndexDesign, b: IndexDesign): boolean {
  return (
    a.unique === b.unique &&
    a.exceptBlank === b.exceptBlank &&
    (a.live === b.live || (a.live !== undefined && b.live !== undefined && sameName(a.live, b.live))) &&
    a.text?.language === b.text?.language &&
    a.columns.length === b.columns.length &&
    a.columns.every(
      ({ name, descending }, i) => sameName(name, b.columns[i]?.name ?? '') && descending === b.columns[i]?.descending
    )
  )
}

/** The design under the table's own name, and with the types that its columns have. */
export function presentDesign (design: TableDesign, actual: ActualTable): TableDesign {
  const columns = design.columns.map(column => {
    const present = findColumn(actual, column.name)
    return present === undefined ? column : { ...column, type: present.type }
  })
  return { ...design, name: actual.name, columns }
}
