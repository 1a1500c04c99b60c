/** What a table should look like, what it does look like, and the difference. */
import type { ColumnFormat } from '../dialects/column-types.js'

export interface ColumnDesign {
  readonly name: string
  readonly format: ColumnFormat
  /** Type to declare: the property's `dataType` for this database, else the format's. */
  readonly type: string
  /** Position within the primary key, from 1; 0 outside of it. */
  readonly keyPosition: number
  /** Whether the database gives the value out. */
  readonly generated: boolean
}

export interface IndexDesign {
  readonly name: string
  readonly unique: boolean
  /** Holds only the rows whose first column is not empty text. */
  readonly exceptBlank?: boolean
  readonly columns: ReadonlyArray<{ readonly name: string, readonly descending: boolean }>
}

export interface TableDesign {
  readonly modelName: string
  /** As in the model's own settings; undefined: where the data source looks. */
  readonly schema: string | undefined
  readonly name: string
  readonly columns: readonly ColumnDesign[]
  /** Name of the extra column (README, storage layout). */
  readonly extra: string
  /**
   * Whether an existing table gets the extra column when it has none: models that keep undeclared properties cannot
   * do without.
   */
  readonly needsExtra: boolean
  readonly indexes: readonly IndexDesign[]
}

export interface ActualColumn {
  readonly name: string
  readonly type: string
  readonly keyPosition: number
  /** What gives out its numbers, as a quoted name. */
  readonly sequence?: string
}

export interface ActualTable {
  readonly name: string
  /** Whether it is a view: those are as their makers want them. */
  readonly isView: boolean
  readonly columns: readonly ActualColumn[]
  readonly indexes: readonly IndexDesign[]
}

export type Change =
  | { readonly kind: 'create table' | 'drop table' }
  | { readonly kind: 'add column', readonly column: ColumnDesign }
  | { readonly kind: 'add extra column' }
  | { readonly kind: 'create index' | 'drop index', readonly index: IndexDesign }

/**
 * A column by its name; where no name is the same, by the same name in other case (databases differ in whether they
 * mind it).
 */
export function findColumn (table: ActualTable, name: string): ActualColumn | undefined {
  const folded = name.toLowerCase()
  return (
    table.columns.find(column => column.name === name) ??
    table.columns.find(column => column.name.toLowerCase() === folded)
  )
}

/** The steps from the table as it is to its design, in the order to take them. Nothing that holds data is dropped. */
export function changesTo (design: TableDesign, actual: ActualTable | undefined): Change[] {
  if (actual === undefined) {
    const key = primaryKey(design)
    const needed = design.indexes.filter(
      index => ![...design.indexes, ...key].some(other => other !== index && serves(other, index))
    )
    return [{ kind: 'create table' }, ...needed.map((index): Change => ({ kind: 'create index', index }))]
  }
  if (actual.isView) return []
  const changes: Change[] = design.columns
    .filter(column => findColumn(actual, column.name) === undefined)
    .map(column => ({ kind: 'add column', column }))
  if (design.needsExtra && findColumn(actual, design.extra) === undefined) changes.push({ kind: 'add extra column' })
  for (const index of design.indexes) {
    const existing = actual.indexes.find(({ name }) => name.toLowerCase() === index.name.toLowerCase())
    if (existing !== undefined && sameIndex(existing, index)) continue
    if (existing !== undefined) changes.push({ kind: 'drop index', index: existing })
    else if ([...actual.indexes, ...design.indexes].some(other => other !== index && serves(other, index))) continue
    changes.push({ kind: 'create index', index })
  }
  return changes
}

/** The index that a table is made with: that of a compound id. */
function primaryKey ({ name, columns }: TableDesign): IndexDesign[] {
  const key = columns.filter(({ keyPosition }) => keyPosition > 0).sort((a, b) => a.keyPosition - b.keyPosition)
  return key.length < 2 ? [] : [{ name, unique: true, columns: key.map(({ name }) => ({ name, descending: false })) }]
}

/**
 * Whether `index` is not needed beside `other`: the same, or (every write pays for an index) only the first columns of
 * it.
 */
function serves (other: IndexDesign, index: IndexDesign): boolean {
  if (index.unique || other.columns.length === index.columns.length) return sameIndex(other, index)
  return (
    other.exceptBlank !== true &&
    sameIndex({ ...other, unique: false, columns: other.columns.slice(0, index.columns.length) }, index)
  )
}

function sameIndex (a: IndexDesign, b: IndexDesign): boolean {
  return (
    a.unique === b.unique &&
    a.exceptBlank === b.exceptBlank &&
    a.columns.length === b.columns.length &&
    a.columns.every(
      ({ name, descending }, i) =>
        name.toLowerCase() === b.columns[i]?.name.toLowerCase() && descending === b.columns[i]?.descending
    )
  )
}
