/** What separates the tables of a store from its models, as values that can be read before anything is done. */
import type { MaybePromise } from '../maybe-promise.js'
import type { StoredModel } from '../definition/stored-model.js'

/** One step that a migration takes. */
export interface PlannedChange {
  readonly kind: 'create table' | 'add column' | 'drop column' | 'create index' | 'drop index' | 'add foreign key'
    | 'drop foreign key' | 'create function' | 'drop function' | 'create policy' | 'drop policy' | 'grant'
    | 'enable row security' | 'disable row security'
  readonly model: string
  readonly table: string
  /** The column, or the columns of an index or key in their order; empty for a whole table. */
  readonly columns: readonly string[]
  /** Name of the index or foreign key. */
  readonly name?: string
  /** What rows that are there get in a column that is added, as JSON. Left out: nothing. */
  readonly fills?: string
  /** What is sent to the database, in this order. */
  readonly statements: readonly string[]
  /** What the database locks meanwhile, in its own words. */
  readonly lock: string
  /** Which statements of others wait for it. */
  readonly blocks: 'nothing' | 'writes' | 'reads and writes'
  /** Rows that are read or written; counted up to `mostCounted`. 0: the time does not depend on the rows. */
  readonly rows: number
}

/** Rows are counted up to here: a plan of a large table should not take long. */
export const mostCounted = 1_000_000

/** Something that differs and that no migration changes: a person decides. */
export interface PlannedDifference {
  /**
   * `type`: a column has not the type that its property asks for. `column`: it belongs to no property. `required`: rows
   * lack a required property. `not null`: the column refuses what the model lets pass. `not unique`: rows are the same
   * where a unique index should be. `null in unique index`: the index takes NULL for a value. `primary key`: the table
   * has another one. `not generated`: nobody gives ids out. `view`: the view lacks a column. `foreign key`: it cannot
   * be made. `text index`: no model searches by it.
   */
  readonly kind: 'type' | 'column' | 'required' | 'not null' | 'not unique' | 'null in unique index' | 'primary key'
    | 'not generated' | 'view' | 'foreign key' | 'text index'
  readonly model: string
  readonly table: string
  readonly columns: readonly string[]
  /** Name of the text index. */
  readonly name?: string
  /** What is the matter, and what can be done. */
  readonly message: string
  /** Rows that it is about, counted up to `mostCounted`; 0 where it is about none in particular. */
  readonly rows: number
}

/** The difference between models and tables of one data source. */
export interface MigrationPlan {
  readonly dataSource: string
  /** In the order in which they are made. */
  readonly changes: readonly PlannedChange[]
  readonly differences: readonly PlannedDifference[]
}

export interface MigrationOptions {
  /**
   * Columns that no property has and that are dropped, with all they hold: `Table.column`. Text indexes that no model
   * has any more: `Table.index`. Default: none.
   */
  readonly allowDrop?: readonly string[] | undefined
}

/** A file of statements, which is applied once. */
export interface MigrationFile {
  readonly name: string
  readonly text: string
}

/** A table that a model needs and that is not there. */
export interface MissingTable {
  readonly model: string
  readonly table: string
}

/** A column as the database has it. */
export interface DescribedColumn {
  readonly name: string
  /** As the database calls it: `varchar(20)`. */
  readonly type: string
  readonly nullable: boolean
  /** Position within the primary key, from 1; 0 outside of it. */
  readonly keyPosition: number
  /** The property whose column it is; undefined for a column of none. */
  readonly property: string | undefined
}

/** The table of a model as the database has it. */
export interface DescribedTable {
  /** With its schema, where the model names one. */
  readonly table: string
  /** Undefined: there is no such table. */
  readonly columns: readonly DescribedColumn[] | undefined
}

/** What a store with tables answers about them. */
export interface PlanSupport {
  /** The table of a model, as it is now. */
  describe? (model: StoredModel): Promise<DescribedTable>
  plan (models: readonly StoredModel[], options: MigrationOptions): Promise<Omit<MigrationPlan, 'dataSource'>>
  /** Models without a table, in the order of the models. */
  missing (models: readonly StoredModel[]): MaybePromise<MissingTable[]>
  /** Names of the files that were not applied yet. Throws where one was and has changed since, or broke off. */
  pending (files: readonly MigrationFile[]): Promise<string[]>
  /** Applies what is pending, in the order of the list, one process at a time. Gives the names of what it applied. */
  applyFiles (models: readonly StoredModel[], files: readonly MigrationFile[]): Promise<string[]>
}
