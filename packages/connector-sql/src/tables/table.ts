/** A model as it is stored in the database: which column holds which property, and how. */
import type { CompiledProperty, Selection, StoredModel } from '@fastback/core'
import type { ColumnFormat } from '../dialects/column-types.js'
import type { Dialect } from '../dialects/dialect.js'
import { findColumn, type ActualColumn, type ActualTable, type IndexDesign } from '../migration/design.js'
import { compileProjection, type Projection } from '../reading/projection.js'
import { StatementCache } from '../statement-cache.js'
import { ColumnSets } from './column-sets.js'
import { columnName, extraName, keyName, quotedName, refuseSharedColumns, tableName } from './naming.js'
import { newIdOf, type NewId } from './new-id.js'
import { Refrained } from './refrained.js'

export interface Column {
  /** Position in `Table.columns`; part of statement keys. */
  readonly index: number
  readonly property: CompiledProperty
  readonly name: string
  /** The name in quotes. */
  readonly quoted: string
  readonly format: ColumnFormat
  /** What the database calls its type; undefined where there is no such column. */
  readonly type: string | undefined
  /** Names of the domains that it is of. */
  readonly domains: readonly string[]
  /** What gives out its numbers, where that is a thing of its own. */
  readonly sequence: string | undefined
  /** Whether what is written comes back as it was. */
  readonly keeps: boolean
  /** What the database gives a row that brings no value. */
  readonly gives: ActualColumn['gives']
  /** Whether no row is without a value. */
  readonly required: boolean
  /** Whether the indexes that hold it have NULL where the largest value stands. */
  readonly nullsLargest: boolean
}

export class Table {
  readonly name: string
  readonly quoted: string
  readonly columns: readonly Column[]
  readonly byProperty: ReadonlyMap<string, Column>
  /** The columns that writes set: neither the id nor what the database works out. */
  readonly written: readonly Column[]
  /** Whether one of them keeps what is shown as it was (`Equality.leavesShown`). */
  readonly leavesShown: boolean
  /** The sets of them that rows have brought. */
  readonly sets: ColumnSets
  /** Properties whose values the database works out: no write gives them back. */
  readonly computed: readonly string[]
  readonly id: Column | undefined
  /** Counts the writes of a row; undefined for tables whose rows are not counted. */
  readonly version: Column | undefined
  /** Where the id comes from of rows that bring none. */
  readonly newId: NewId | undefined
  /** Whether an INSERT stores every row that it is given: no trigger may leave one out, here or behind a view. */
  readonly storesEvery: boolean
  /** Whether the id comes back as it was written, and the database neither works anything out nor changes it. */
  readonly isPlain: boolean
  /** Whether whole rows come back as they were written. */
  readonly keepsRows: boolean
  /** Whether an UPDATE gives the row as it is stored. */
  readonly returnsUpdated: boolean
  /** Whether an INSERT does. */
  readonly returnsInserted: boolean
  /** Whether new rows are read as they were handed in, whatever they lack. */
  readonly takesAsGiven: boolean
  /** The columns of the id: one, the parts of a compound one in their order, or none. */
  readonly key: readonly Column[]
  /** The extra column in quotes; undefined for tables without one. */
  readonly extra: string | undefined
  /** What rows are ordered by when nothing else decides: the id, or the order in which they were stored. */
  readonly lastOrder: string
  /** What tells rows apart, in quotes, where `Dialect.storedOrder` does not (`ActualTable`). */
  readonly storedBy: readonly string[] | undefined
  /** As they are in the database. */
  readonly indexes: readonly IndexDesign[]
  /** The one of the model's words, by which searches find rows; undefined where the database has none like it. */
  readonly textIndex: IndexDesign | undefined
  readonly rules: NonNullable<ActualTable['rules']>
  /** Whether policies of the database say who sees which rows. */
  readonly isSecured: boolean
  /** Every property, declared or not. */
  readonly whole: Selection
  /** Whether the id alone tells rows apart, so that they can be read by it batch by batch. */
  readonly isKeyed: boolean
  /** The column that is the table's key instead of the id, where the model's settings name one (`key`). */
  readonly keyedBy: Column | undefined
  /** Statements that lately read more than they may, or what the database does not write as JavaScript does. */
  readonly refrained = new Refrained()
  /** Those of all columns, the model's or not; databases do not tell case apart where it matters. */
  readonly #names: ReadonlySet<string>
  readonly #single = new Map<string, Selection>()
  readonly #actual: ActualTable
  readonly #extraColumn: string
  readonly #peers: (model: StoredModel) => Table | undefined
  #withoutCallbacks: Table | undefined
  #withinTransaction: Table | undefined
  readonly #projections = new WeakMap<Selection, Projection>()
  readonly #projectionsByContent = new StatementCache<Projection>(200)
  #projectionsMade = 0

  /**
   * @param number distinguishes the tables of a connector in statement keys
   * @param actual the table as it is
   * @param peers the tables of the connector's other models, as far as they are known
   * @throws FBK_SQL_COLUMN_CONFLICT when two properties would share a column
   */
  constructor (
    readonly model: StoredModel,
    readonly dialect: Dialect,
    readonly number: number,
    actual: ActualTable,
    extraColumn: string,
    peers: (model: StoredModel) => Table | undefined = () => undefined
  ) {
    this.#peers = peers
    const keys = dialect.settingKeys
    this.#actual = actual
    this.#extraColumn = extraColumn
    this.name = actual.name
    this.#names = new Set(actual.columns.map(({ name }) => name.toLowerCase()))
    this.quoted = quotedName({ schema: tableName(model, dialect).schema, name: actual.name }, dialect.quote)
    this.columns = model.properties.map((property, index) => {
      const column = findColumn(actual, columnName(property, keys))
      const name = column?.name ?? columnName(property, keys)
      return {
        index,
        property,
        name,
        quoted: dialect.quote(name),
        format: dialect.format(property.type, column?.type, column?.example),
        type: column?.type,
        domains: column?.domains ?? [],
        sequence: column?.sequence,
        keeps: column === undefined || dialect.keeps(property.type, column.type),
        gives: column?.gives,
        required: column?.required === true,
        nullsLargest: hasNullsLargest(actual, name)
      }
    })
    refuseSharedColumns(
      model.name,
      this.columns.map(({ name, property }) => ({ name, property: property.name }))
    )
    this.byProperty = new Map(this.columns.map(column => [column.property.name, column]))
    this.id = model.id === undefined ? undefined : this.byProperty.get(model.id.name)
    this.version = model.version && this.byProperty.get(model.version.name)
    this.newId = this.id && newIdOf(this.id, model.name, dialect)
    const computed = new Set(actual.columns.filter(({ computed }) => computed === true).map(({ name }) => name))
    this.written = this.columns.filter(column => column !== this.id && !computed.has(column.name))
    this.leavesShown = this.written.some(({ format }) => format.equality?.leavesShown === true)
    this.sets = new ColumnSets(this.written)
    this.computed = this.columns.filter(({ name }) => computed.has(name)).map(({ property }) => property.name)
    this.isPlain = this.computed.length === 0 && this.id?.keeps !== false && actual.triggers === undefined
    this.storesEvery = actual.triggers === undefined && !actual.isView
    this.returnsUpdated = dialect.returning && actual.triggers !== 'unseen'
    this.returnsInserted = dialect.tellsInserted() && actual.triggers !== 'unseen'
    this.keepsRows = this.isPlain && this.written.every(({ keeps }) => keeps)
    this.key = model.key.map(({ name }) => this.byProperty.get(name) as Column)
    const extra = findColumn(actual, extraName(model, extraColumn, keys))
    this.extra = extra === undefined ? undefined : dialect.quote(extra.name)
    this.takesAsGiven = this.keepsRows && extra !== undefined && this.written.every(({ gives }) => gives === undefined)
    this.whole = { names: this.columns.map(({ property }) => property.name), extra: 'all' }
    this.indexes = actual.indexes
    this.textIndex = this.#findTextIndex()
    this.rules = actual.rules ?? []
    this.isSecured = actual.isSecured === true
    this.storedBy = actual.storedBy?.map(dialect.quote)
    const primary = actual.columns.filter(({ keyPosition }) => keyPosition > 0)
    this.isKeyed = !actual.isView && primary.length === 1 && this.id !== undefined && primary[0]?.name === this.id.name
    const key = keyName(model, keys)
    const keyedBy = key === undefined ? undefined : this.byProperty.get(key)
    this.keyedBy = primary.length === 1 && primary[0]?.name === keyedBy?.name ? keyedBy : undefined
    this.lastOrder = this.key.length === 0
      ? this.#storedOrder(actual)
      : this.key.map(({ format, quoted }) => format.sorted(quoted)).join(', ')
  }

  #findTextIndex (): IndexDesign | undefined {
    const { textIndex } = this.model
    if (textIndex === undefined) return undefined
    const names = textIndex.properties.map(property => this.byProperty.get(property)?.name)
    const language = this.dialect.searchLanguage(textIndex.language)
    return this.indexes.find(({ text, columns }) => text?.language === language &&
      columns.length === names.length && columns.every(({ name }, i) => name === names[i]))
  }

  #storedOrder (actual: ActualTable): string {
    // Rows of a view are stored nowhere.
    if (actual.isView) return this.columns.map(({ format, quoted }) => format.sorted(quoted)).join(', ')
    const column = this.dialect.rowColumn === undefined ? undefined : findColumn(actual, this.dialect.rowColumn)
    return column === undefined
      ? this.storedBy?.join(', ') ?? this.dialect.storedOrder
      : this.dialect.quote(column.name)
  }

  /**
   * The same table for requests whose conditions JavaScript tests outside of the database (`Dialect.withoutCallbacks`);
   * itself where that is always so.
   */
  get withoutCallbacks (): Table {
    const { withoutCallbacks: dialect } = this.dialect
    if (dialect === undefined) return this
    return (this.#withoutCallbacks ??= new Table(
      this.model, dialect, -this.number, this.#actual, this.#extraColumn, model => this.#peers(model)?.withoutCallbacks
    ))
  }

  /** The same table for what is done in a transaction (`Dialect.withinTransaction`); itself where that is the same. */
  get withinTransaction (): Table {
    const { withinTransaction: dialect } = this.dialect
    if (dialect === undefined || this.textIndex === undefined) return this
    return (this.#withinTransaction ??= new Table(
      this.model, dialect, this.number + 0.5, this.#actual, this.#extraColumn,
      model => this.#peers(model)?.withinTransaction
    ))
  }

  /** The table of another model of the connector, read in the same way; undefined before its first use. */
  peerOf (model: StoredModel): Table | undefined {
    return this.#peers(model)
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
    return (column === this.id && this.isKeyed) ||
      this.indexes.some(({ columns, exceptBlank, live, text }) =>
        exceptBlank !== true && live === undefined && text === undefined && columns[0]?.name === column.name)
  }

  /** The selection of one property: the same each time, as `projection` finds what it made by it. */
  only (property: string): Selection {
    let select = this.#single.get(property)
    if (select === undefined) {
      select = { names: [property], extra: 'none' }
      this.#single.set(property, select)
    }
    return select
  }

  /** How to read a selection of properties; made once per selection. */
  projection (select: Selection): Projection {
    const known = this.#projections.get(select)
    if (known !== undefined) return known
    const content = JSON.stringify([select.names, select.extra])
    let projection = this.#projectionsByContent.get(content)
    if (projection === undefined) {
      projection = compileProjection(this, select, this.#projectionsMade++)
      this.#projectionsByContent.set(content, projection)
    }
    this.#projections.set(select, projection)
    return projection
  }
}

/** Whether there are indexes on a column, and all of them have NULL where the largest value stands. */
function hasNullsLargest ({ indexes }: ActualTable, name: string): boolean {
  const parts = indexes.flatMap(({ text, columns }) =>
    text === undefined ? columns.filter(column => column.name === name) : [])
  return parts.length > 0 && parts.every(({ nullsLargest }) => nullsLargest === true)
}
