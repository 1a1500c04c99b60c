/** How values are stored in columns, read and compared. */
import type { PropertyType, Row } from '@fastback/core'
import type { ExtraFilter } from '../tables/extra.js'
import type { Column } from '../tables/column.js'

/** The formats of columns: those of properties, and of the extra column. */
export interface ColumnTypes {
  /**
   * How a property is stored.
   * @param declaredType what an existing column was declared as
   * @param example a value of it that is in another form than its type says (`ActualColumn.example`)
   */
  format (type: PropertyType, declaredType: string | undefined, example?: string): ColumnFormat
  /**
   * Whether a column of the declared type gives every value that it takes from a property back as it was: nothing is
   * rounded, padded or written another way.
   */
  keeps (type: PropertyType, declaredType: string): boolean
  /** How the extra column is stored. */
  readonly extra: ExtraFormat
  /** Makes JSON text of whole rows in the database; undefined where JavaScript puts it together from columns. */
  readonly json: JsonWriter | undefined
  /** Writes parts of it, for `TextSupport.findBeside`. */
  readonly texts: TextWriter | undefined
}

/** How the values of one column are stored, read and compared. */
export interface ColumnFormat {
  readonly name: 'text' | 'real' | 'integer' | 'decimal' | 'boolean' | 'date' | 'milliseconds' | 'blob' | 'json'
  /** Type in CREATE TABLE. */
  readonly declaredType: string
  /**
   * Whether `=`, `<` and ORDER BY of the database answer as the reference does for this format; otherwise the dialect
   * has expressions of its own (`Dialect.comparisonExpression`).
   */
  readonly comparable: boolean
  /** Whether a value of a condition has this column's type. Values of other types equal nothing and are in no range. */
  accepts (value: unknown): boolean
  /** Whether a row can have exactly this value, of those that `accepts` took. What no row can have equals nothing. */
  canStore (value: unknown): boolean
  /**
   * Whether the column holds whole numbers of 64 bits only: ranges with other bounds are then turned into ones that it
   * can be compared with.
   */
  readonly whole: boolean
  /** Where these have no sign, and so reach twice as far. Default: they have one. */
  readonly unsigned?: boolean
  /**
   * Why a value cannot be stored at all; undefined when it can. Undefined for formats that store whatever `encode`
   * makes.
   */
  readonly refuses: ((value: unknown) => string | undefined) | undefined
  /** The value to bind, from a value of a row (never null or undefined) or one that `accepts` took. */
  encode (value: unknown): unknown
  /** The row's value, from a raw value of the database that is not NULL. */
  decode (raw: unknown): unknown
  /** Whether `decode` may be left out for raw values of this JavaScript type. */
  readonly verbatim: 'string' | 'number' | undefined
  /** The value as conditions that JavaScript tests see it: as `decode`, but dates inside JSON stay text. */
  plain (raw: unknown): unknown
  /** Expression to read the column with. */
  read (column: string): string
  /** Expression to read the column with for JSON text. */
  readJson (column: string): string
  /**
   * How the raw value of `readJson` is written. `json`: it is JSON text already, `null` for NULL. `date`: it is a JSON
   * string, and the date itself when it has the form of `toISOString`. `number`, `boolean`: numbers, and 0 or 1.
   * `milliseconds`: a date as a number. `decoded`: whatever `decode` makes of it.
   */
  readonly jsonEncoding: 'json' | 'number' | 'boolean' | 'date' | 'milliseconds' | 'decoded'
  /** Expression for a bound value of this format. */
  bound (placeholder: string): string
  /** The column as ranges and ORDER BY need it to answer as the reference does. */
  sorted (column: string): string
  /** Whether only its own values bound a range, and no beginning of one. Default: false. */
  readonly boundByValues?: true
  /** A bound value beside `sorted`. */
  sortedBound (placeholder: string): string
  /** Elements of the list that `Dialect.inList` takes, from encoded values. */
  listed (encoded: unknown): unknown
  /**
   * What ranges bind for a value, where that is not the encoded one: the first and the last of the stored values that a
   * row shows as this one. Where it shows none so, the next ones that are more, and less.
   */
  readonly span: ((value: unknown) => Span) | undefined
  /** How rows are found by a value that they show, where that is not `=` and the encoded value. */
  readonly equality: Equality | undefined
  /** Whether `=` takes values for one that `sorted` tells apart, by the collation of the column. Default: false. */
  readonly isLoose?: boolean
}

/** Where the stored values lie that are shown as one. */
export interface Span { readonly first: unknown, readonly last: unknown }

/** Equality with a value that is shown otherwise than it is stored. */
export interface Equality {
  /** Takes as many placeholders as `values` gives. */
  sql (column: string, next: () => string): string
  /** What it binds: always as many. @param value null: what no row has */
  values (value: unknown): readonly unknown[]
  /** The column as `Dialect.inList` needs it; undefined where a list has to be gone through. */
  readonly among?: (column: string) => string
  /** Whether several stored values are shown as one: a write of what a row shows leaves it as it is. */
  readonly leavesShown: boolean
}

/** How the extra column is stored and read. */
export interface ExtraFormat {
  /** Type in CREATE TABLE. */
  readonly declaredType: string
  /** The value to bind for members, or for `ExtraChanges`. */
  encode (members: object): unknown
  /** The members of a raw value that is not NULL; none when it is not what this connector writes. */
  decode (raw: unknown): Row
  /** Expression for a bound value. */
  bound (placeholder: string): string
}

/** Parts of JSON text, as expressions of the database. */
export interface TextWriter {
  /**
   * The text of one row; NULL for one of whose values it needs JavaScript, undefined when a column always does.
   * @param filter which members of the extra column belong to it; undefined for tables without one
   * @param around what stands around it. Default: nothing
   */
  row (
    columns: readonly Column[], extra: string | undefined, filter: ExtraFilter | undefined, around?: TextAround
  ): string | undefined
  /** The text of a value, NULL for NULL; undefined when it needs JavaScript. */
  value (column: Column): string | undefined
  /** The value of a column of another table as text, which a column of texts is compared with. */
  asText (format: ColumnFormat, value: string): string
  /** The texts of all rows of a query, but for those that are NULL, with a character in between. */
  joined (text: string, separator: string): string
  /**
   * Characters from which the texts of rows are better asked for in several statements; undefined where a statement
   * costs more than a long text.
   */
  readonly mostJoined: number | undefined
  /** How long a text is: characters, or bytes. */
  length (text: string): string
  /** Whether a text, or several with something in between, is as it goes out. */
  isFinal (text: string): boolean
}

/** What stands around the text of a row. */
export interface TextAround {
  /** Texts, each with an expression behind it. None of these is NULL. */
  readonly before: ReadonlyArray<readonly [text: string, value: string]>
  /** The text between the last of them and the row. */
  readonly start: string
  readonly end: string
}

/** JSON text of rows, made by the database wherever it is wanted. */
export interface JsonWriter extends TextWriter {
  /** A query that gives one text, the list of the JSON texts that `query` selects as its only column. */
  list (query: string): string
  /** The text as it goes out. */
  finish (text: string): string
}
