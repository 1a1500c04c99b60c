/** A model as it is stored in the database: which column holds which property, and what statements may rely on. */
import type { Selection, StoredModel } from '@fastback/core'
import type { Dialect } from '../dialects/dialect.js'
import { findColumn, type ActualTable, type IndexDesign } from '../migration/design.js'
import { compileProjection, type Projection } from '../reading/projection.js'
import { Projections } from '../reading/projections.js'
import { storedColumns, type Column } from './column.js'
import { ColumnSets } from './column-sets.js'
import { guaranteesOf, type Guarantees } from './guarantees.js'
import { leadsToValues, textIndexOf } from './indexes.js'
import { extraName, quotedName, tableName } from './naming.js'
import { newIdOf, type NewId } from './new-id.js'
import { Refrained } from './refrained.js'
import { isKeyedBy, keyInstead, lastOrderOf } from './row-keys.js'

/** What a table is made of. */
export interface TableParts {
  readonly model: StoredModel
  readonly dialect: Dialect
  /** Distinguishes the tables of a connector in statement keys. */
  readonly number: number
  /** The table as the database has it. */
  readonly actual: ActualTable
  /** The name of the extra column, where no property has it. */
  readonly extraColumn: string
  /** The tables of the connector's other models, as far as they are known. */
  peers (model: StoredModel): Table | undefined
}

export class Table {
  // Which table it is.
  readonly model: StoredModel
  readonly dialect: Dialect
  /** Distinguishes the tables of a connector in statement keys. */
  readonly number: number
  readonly name: string
  readonly quoted: string

  // What its columns are.
  readonly columns: readonly Column[]
  readonly byProperty: ReadonlyMap<string, Column>
  readonly id: Column | undefined
  /** The columns of the id: one, the parts of a compound one in their order, or none. */
  readonly key: readonly Column[]
  /** Counts the writes of a row; undefined for tables whose rows are not counted. */
  readonly version: Column | undefined
  /** The extra column in quotes; undefined for tables without one. */
  readonly extra: string | undefined
  /** Every property, declared or not. */
  readonly whole: Selection

  // How its rows are told apart, ordered and found.
  /** Whether the id alone tells rows apart, so that they can be read by it batch by batch. */
  readonly isKeyed: boolean
  /** The column that is the table's key instead of the id, where the model's settings name one (`key`). */
  readonly keyedBy: Column | undefined
  /** What tells rows apart, in quotes, where `Dialect.storedOrder` does not (`ActualTable`). */
  readonly storedBy: readonly string[] | undefined
  /** What rows are ordered by when nothing else decides: the id, or the order in which they were stored. */
  readonly lastOrder: string
  /** As they are in the database. */
  readonly indexes: readonly IndexDesign[]
  /** The one of the model's words, by which searches find rows; undefined where the database has none like it. */
  readonly textIndex: IndexDesign | undefined
  /** Whether policies of the database say who sees which rows. */
  readonly isSecured: boolean
  /** Statements that lately read more than they may, or what the database does not write as JavaScript does. */
  readonly refrained = new Refrained()

  // What writes set, and what holds afterwards.
  /** Where the id comes from of rows that bring none. */
  readonly newId: NewId | undefined
  /** The columns that writes set: neither the id nor what the database works out. */
  readonly written: readonly Column[]
  /** Whether one of them keeps what is shown as it was (`Equality.leavesShown`). */
  readonly leavesShown: boolean
  /** The sets of them that rows have brought. */
  readonly sets: ColumnSets
  readonly guarantees: Guarantees
  /** Checks and the like, by whose names errors say which columns are wrong. */
  readonly rules: NonNullable<ActualTable['rules']>

  readonly #parts: TableParts
  readonly #projections: Projections
  /** Of all columns, the model's or not; databases do not tell case apart where it matters. */
  readonly #names: ReadonlySet<string>
  #withoutCallbacks: Table | undefined
  #withinTransaction: Table | undefined

  /** @throws FBK_SQL_COLUMN_CONFLICT when two properties would share a column; FBK_SQL_UNKNOWN_KEY */
  constructor (parts: TableParts) {
    this.#parts = parts
    const { model, dialect, number, actual } = parts
    this.model = model
    this.dialect = dialect
    this.number = number
    this.name = actual.name
    this.quoted = quotedName({ schema: tableName(model, dialect).schema, name: actual.name }, dialect.quote)

    const extra = findColumn(actual, extraName(model, parts.extraColumn, dialect.settingKeys))
    this.columns = storedColumns(model, dialect, actual)
    this.byProperty = new Map(this.columns.map(column => [column.property.name, column]))
    this.id = model.id && this.byProperty.get(model.id.name)
    this.key = model.key.map(({ name }) => this.byProperty.get(name) as Column)
    this.version = model.version && this.byProperty.get(model.version.name)
    this.extra = extra && dialect.quote(extra.name)
    this.whole = { names: this.columns.map(({ property }) => property.name), extra: 'all' }

    this.isKeyed = isKeyedBy(this.id, actual)
    this.keyedBy = keyInstead(model, dialect, actual, this.byProperty)
    this.storedBy = actual.storedBy?.map(dialect.quote)
    this.lastOrder = lastOrderOf(this.key, this.columns, dialect, actual)
    this.indexes = actual.indexes
    this.textIndex = textIndexOf(model, dialect, actual.indexes, property => this.byProperty.get(property)?.name)
    this.isSecured = actual.isSecured === true

    this.newId = this.id && newIdOf(this.id, model.name, dialect)
    this.written = this.columns.filter(column => column !== this.id && !column.computed)
    this.leavesShown = this.written.some(({ format }) => format.equality?.leavesShown === true)
    this.sets = new ColumnSets(this.written)
    const { columns, id, written } = this
    this.guarantees = guaranteesOf(actual, { dialect, columns, id, written, hasExtra: extra !== undefined })
    this.rules = actual.rules ?? []

    this.#projections = new Projections((select, number) => compileProjection(this, select, number))
    this.#names = new Set(actual.columns.map(({ name }) => name.toLowerCase()))
  }

  /**
   * The same table for requests whose conditions JavaScript tests outside of the database (`Dialect.withoutCallbacks`);
   * itself where that is always so.
   */
  get withoutCallbacks (): Table {
    const { withoutCallbacks: dialect } = this.dialect
    if (dialect === undefined) return this
    return (this.#withoutCallbacks ??= new Table({
      ...this.#parts, dialect, number: -this.number, peers: model => this.peerOf(model)?.withoutCallbacks
    }))
  }

  /** The same table for what is done in a transaction (`Dialect.withinTransaction`); itself where that is the same. */
  get withinTransaction (): Table {
    const { withinTransaction: dialect } = this.dialect
    if (dialect === undefined || this.textIndex === undefined) return this
    return (this.#withinTransaction ??= new Table({
      ...this.#parts, dialect, number: this.number + 0.5, peers: model => this.peerOf(model)?.withinTransaction
    }))
  }

  /** The table of another model of the connector, read in the same way; undefined before its first use. */
  peerOf (model: StoredModel): Table | undefined {
    return this.#parts.peers(model)
  }

  /**
   * A name for something else in a statement on this table: what is suggested, with a number behind it where a column
   * has that name. `ORDER BY "row_text"` would else be about what was selected, and not about the column.
   */
  unused (suggested: string): string {
    let name = suggested
    for (let i = 2; this.#names.has(name); i++) name = `${suggested}${String(i)}`
    return name
  }

  /** Whether an index leads to the rows that have a value in a column. */
  isIndexed (column: Column): boolean {
    return (column === this.id && this.isKeyed) || this.indexes.some(index => leadsToValues(index, column.name))
  }

  /** The selection of one property: the same each time, as `projection` finds what it made by it. */
  only (property: string): Selection {
    return this.#projections.only(property)
  }

  /** How to read a selection of properties; made once per selection. */
  projection (select: Selection): Projection {
    return this.#projections.of(select)
  }
}
