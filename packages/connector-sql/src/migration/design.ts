/** What a table should look like, what it does look like, and the steps between. */
import type { ColumnFormat } from '../dialects/column-types.js'

export interface ColumnDesign {
  readonly name: string
  readonly format: ColumnFormat
  /** Type to declare: the property's `dataType` for this database, else the format's. */
  readonly type: string
  /** Position within the primary key, from 1; 0 outside of it. */
  readonly keyPosition: number
  /** Whether the database counts, and gives the value out. */
  readonly generated: boolean
  /** What the database makes the value with, of a row that brings none. */
  readonly default?: string | undefined
  /** Whether it holds the key of a row of another table. */
  readonly refers: boolean
  /** What rows that are there get where the column is added to a table; undefined: nothing. */
  readonly fill: unknown
}

export interface IndexColumn {
  readonly name: string
  readonly descending: boolean
  /** Whether NULL stands where a value larger than all others would. Default: where the smallest would. */
  readonly nullsLargest?: true
}

export interface IndexDesign {
  readonly name: string
  readonly unique: boolean
  /** Holds only the rows whose first column is not empty text. */
  readonly exceptBlank?: boolean
  /** Holds only the rows without a value in this column. */
  readonly live?: string
  readonly columns: readonly IndexColumn[]
  /** Of the words in the columns, which are texts, and not of their values. */
  readonly text?: {
    readonly language: string
    /** Letters of a word that it has, at least and at most; undefined: any. */
    readonly shortest?: number | undefined
    readonly longest?: number | undefined
  }
}

/** What a foreign key does to rows when the row that they lead to goes, or its key changes. */
export type KeyAction = 'restrict' | 'cascade' | 'setNull'

export interface ForeignKeyDesign {
  readonly name: string
  readonly column: string
  readonly target: { readonly schema: string | undefined, readonly name: string, readonly column: string }
  readonly onDelete: KeyAction
  readonly onUpdate: KeyAction
}

export interface TableDesign {
  readonly modelName: string
  /** As in the model's own settings; undefined: where the data source looks. */
  readonly schema: string | undefined
  readonly name: string
  readonly columns: readonly ColumnDesign[]
  /** Whether the key is one that the settings name, and rows are to stand in its order. */
  readonly standsByKey: boolean
  /** Name of the extra column (README, storage layout). */
  readonly extra: string
  /**
   * Whether an existing table gets the extra column when it has none: models that keep undeclared properties cannot
   * do without.
   */
  readonly needsExtra: boolean
  readonly indexes: readonly IndexDesign[]
  /** Constraints, where the data source or a relation wants them. */
  readonly foreignKeys: readonly ForeignKeyDesign[]
}

export interface ActualColumn {
  readonly name: string
  readonly type: string
  readonly keyPosition: number
  /** What gives out its numbers, as a quoted name. */
  readonly sequence?: string
  /** Whether no row is without a value, as the database sees to. Default: not known. */
  readonly required?: true
  /** Whether the database works the values out of others, and takes none. */
  readonly computed?: boolean
  /** What the database gives a row that brings no value: the next number, any UUID, or what an expression says. */
  readonly gives?: 'number' | 'uuid' | 'default'
  /** Names of the domains that it is of, each made of the next. Default: none. */
  readonly domains?: readonly string[]
  /** A value of it, where that is in another form than the type says (`TableMigration.withExamples`). */
  readonly example?: string
}

export interface ActualTable {
  readonly name: string
  /** Whether it is a view: those are as their makers want them. */
  readonly isView: boolean
  readonly columns: readonly ActualColumn[]
  readonly indexes: readonly IndexDesign[]
  /** Whether it cannot have a text index. */
  readonly refusesTextIndex?: boolean
  /** Checks and the like, with the columns that each is about, under the names that errors have. Default: none. */
  readonly rules?: ReadonlyArray<{ readonly name: string, readonly columns: readonly string[] }>
  /**
   * Names of columns by whose values rows are told apart, and in whose order they stand, where that is not
   * `Dialect.storedOrder`. Rows that have all of them alike are alike.
   */
  readonly storedBy?: readonly string[] | undefined
  /**
   * Whether triggers may change a row that is written: `returned`, where the statement that writes gives the row as
   * they left it, or `unseen`. Default: there are none.
   */
  readonly triggers?: 'returned' | 'unseen' | undefined
  /** Whether policies say who sees which rows. Default: false. */
  readonly isSecured?: boolean
}

/** Names of the columns of a key, in its order; none where there is no key. */
export const keyNames = (columns: ReadonlyArray<{ readonly keyPosition: number, readonly name: string }>): string[] =>
  columns.filter(({ keyPosition }) => keyPosition > 0)
    .sort((a, b) => a.keyPosition - b.keyPosition)
    .map(({ name }) => name)

/** Names of the columns by which rows are told apart that have no place of their own: those of the key, or all. */
export function namesApart (columns: readonly ActualColumn[]): string[] {
  const key = keyNames(columns)
  return key.length > 0 ? key : columns.map(({ name }) => name)
}

/** A step from a table as it is to its design. */
export type Change =
  | { readonly kind: 'create table' }
  | { readonly kind: 'add column', readonly column: ColumnDesign }
  | { readonly kind: 'add extra column' }
  | { readonly kind: 'create index' | 'drop index', readonly index: IndexDesign }
  /** With the indexes that hold the column, which go before it. */
  | { readonly kind: 'drop column', readonly column: string, readonly indexes: readonly IndexDesign[] }

/** A step that waits until all tables are there. */
export type KeyChange = { readonly kind: 'add foreign key' | 'drop foreign key', readonly key: ForeignKeyDesign }

/** What statements are written for. A table is dropped only to be made anew. */
export type TableStep = Change | KeyChange | { readonly kind: 'drop table' }

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
