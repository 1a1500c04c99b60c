/** How tables are looked at and changed. */
import type { MaybePromise, PropertyType, StoredModel } from '@fastback/core'
import type { Catalogue } from './catalogue.js'
import type { ActualTable, Change, KeyChange, TableDesign, TableStep } from '../migration/design.js'
import type { TableName } from '../tables/table-name.js'
import type { Connection } from './driver.js'

/** Names, introspection and changes of tables. */
export interface TableMigration {
  /**
   * Where models and properties keep settings for this database: `{ "sqlite3": { "table": "…" } }`. The first that is
   * there wins.
   */
  readonly settingKeys: readonly string[]
  /**
   * Which of these settings of a model says where its table is, if not where the data source looks: `schema`. MySQL's
   * is `database`, since LoopBack wrote `schema` there and never read it. Undefined: there is one place only.
   */
  readonly schemaKey: 'schema' | 'database' | undefined
  /** What happens to tables at start when the data source does not say. */
  readonly defaultMigration: 'update' | 'none'
  /** Names that no column can have, as the database keeps them for itself. */
  readonly reservedColumns: ReadonlySet<string>
  /** The name of an index as the database can have it: shorter, where there is a bound. */
  indexName (name: string): string
  /**
   * Name of a column of counting numbers that tables without an id are made with; undefined where `storedOrder` keeps
   * the order anyway.
   */
  readonly rowColumn: string | undefined
  /** A table or view as it is in the database; undefined when there is none. */
  introspect (connection: Connection, table: TableName): MaybePromise<ActualTable | undefined>
  /**
   * The same with examples of values where types do not say in which form these are. Looks at few rows. Undefined:
   * types say everything.
   */
  readonly withExamples?: (connection: Connection, table: ActualTable, model: StoredModel) => MaybePromise<ActualTable>
  /** Names of all tables and views of a schema; undefined: where the data source looks. */
  tableNames (connection: Connection, schema: string | undefined): MaybePromise<string[]>
  /** What there is, models or not. */
  readonly catalogue: Catalogue
  /** The statements for a step, in their order. */
  migrate (step: TableStep, design: TableDesign): readonly string[]
  /** What a change locks. */
  lockOf (change: Change | KeyChange): ChangeLock
  /** Whether foreign keys can be made and dropped by themselves; otherwise they come with the table or the column. */
  readonly altersKeys: boolean
  /** Statements around work in which foreign keys are not looked at; none where they can be dropped first. */
  keysUnchecked (connection: Connection): MaybePromise<{ readonly before: string, readonly after: string } | undefined>
  /**
   * Whether a column of the declared type has room for every value of a property as it is, so that it need not be the
   * type that the property would get.
   */
  holds (type: PropertyType, declaredType: string): boolean
  /**
   * The default that makes a UUID of a row that brings none, in a column of the declared type; undefined where that has
   * no room for one.
   */
  uuidDefault (declaredType: string): string | undefined
  /** The one way to write a type that has several names, in small letters; sizes as they are. */
  canonicalType (type: string): string
}

export interface ChangeLock {
  /** As the database calls it. */
  readonly lock: string
  /** Which statements of others wait for it. */
  readonly blocks: 'nothing' | 'writes' | 'reads and writes'
  /** Whether all rows are read or written meanwhile. */
  readonly wholeTable: boolean
}
