/** Brings tables to their models. */
import {
  errors, type MaybePromise, type MigrationOptions, type MigrationPlan, type StoredModel
} from '@fastback/core'
import { chain, eachInSequence, isPromise } from '@fastback/core/connector'
import type { Connection } from '../dialects/driver.js'
import { caused } from '../errors.js'
import { adoptExtra } from './adopt.js'
import { changesTo, presentDesign, sameName } from './compare.js'
import { keyChangesTo, keysOf } from './compare-keys.js'
import type { KeyChange, TableDesign, TableStep } from './design.js'
import { planTables } from './planner.js'
import type { PlanContext } from './plan-context.js'
import { designTable } from './table-design.js'
import { whyRefused } from './why-refused.js'

/** What processes that change tables wait for. */
export const migrationLock = 'migrate'

export class Migrator {
  constructor (readonly context: PlanContext) {}

  /** What `update` of these models would do, and what it would leave. */
  plan (
    connection: Connection, models: readonly StoredModel[], options: MigrationOptions
  ): Promise<Omit<MigrationPlan, 'dataSource'>> {
    return planTables(connection, models, this.context, options)
  }

  /**
   * Creates tables, columns and indexes that are missing; all changes of one table or none.
   * @param drops `Table.column`, of this table or others
   */
  update (connection: Connection, model: StoredModel, drops: readonly string[] = []): MaybePromise<void> {
    return chain(this.#look(connection, model, drops), ({ changes }) => {
      if (changes.length === 0) return
      // Another process may be at it as well: what is missing is looked up again.
      return this.#alone(connection, within => this.#bring(within, model, drops))
    })
  }

  /** Nobody else changes tables meanwhile, however long it takes. */
  #alone (connection: Connection, work: (connection: Connection) => MaybePromise<void>): MaybePromise<void> {
    return connection.atomically(within =>
      chain(chain(within.takeTime(), () => within.lock(migrationLock)), () => work(within)))
  }

  #bring (connection: Connection, model: StoredModel, drops: readonly string[]): MaybePromise<void> {
    return chain(this.#look(connection, model, drops), ({ design, changes }) =>
      this.#apply(connection, model, design, changes))
  }

  #look (
    connection: Connection, model: StoredModel, drops: readonly string[]
  ): MaybePromise<{ design: TableDesign, changes: TableStep[] }> {
    const design = this.#designOf(model)
    return chain(this.context.dialect.introspect(connection, design), actual => ({
      design: actual === undefined ? design : presentDesign(design, actual),
      changes: changesTo(design, actual, columnsOf(drops, actual?.name ?? design.name))
    }))
  }

  #designOf (model: StoredModel): TableDesign {
    return designTable(model, this.context.dialect, this.context.extraColumn)
  }

  /** Drops the table, rows and all, and creates it. */
  reset (connection: Connection, model: StoredModel): MaybePromise<void> {
    const design = this.#designOf(model)
    return this.#alone(connection, within => chain(this.context.dialect.introspect(within, design), actual => {
      // What a text index has beside the table does not go with it everywhere.
      const texts = actual?.indexes.filter(({ text }) => text !== undefined) ?? []
      const drops = texts.map((index): TableStep => ({ kind: 'drop index', index }))
      return this.#apply(within, model, design, [...drops, { kind: 'drop table' }, ...changesTo(design, undefined)])
    }))
  }

  isActual (connection: Connection, model: StoredModel): MaybePromise<boolean> {
    return chain(this.#look(connection, model, []), ({ changes }) => changes.length > 0
      ? false
      : chain(this.#lookAtKeys(connection, model), keys => keys.length === 0))
  }

  /** Makes the foreign keys that are missing, once all tables are there. */
  updateKeys (connection: Connection, model: StoredModel): MaybePromise<void> {
    return chain(this.#lookAtKeys(connection, model), changes => changes.length === 0
      ? undefined
      : this.#alone(connection, within =>
        chain(this.#lookAtKeys(within, model), changes => this.#apply(within, model, this.#designOf(model), changes))))
  }

  /** Drops the model's own foreign keys: no table can be dropped that keys lead to. */
  dropKeys (connection: Connection, model: StoredModel): MaybePromise<void> {
    const { dialect } = this.context
    const design = this.#designOf(model)
    if (!dialect.altersKeys) return
    return chain(keysOf(connection, dialect, design), keys => {
      const own = design.foreignKeys.filter(({ name }) => keys.some(key => sameName(key.name, name)))
      return this.#apply(connection, model, design, own.map(key => ({ kind: 'drop foreign key', key })))
    })
  }

  #lookAtKeys (connection: Connection, model: StoredModel): MaybePromise<KeyChange[]> {
    const { dialect } = this.context
    const design = this.#designOf(model)
    if (design.foreignKeys.length === 0 || !dialect.altersKeys) return []
    return chain(keysOf(connection, dialect, design), keys => keyChangesTo(design, keys))
  }

  #apply (
    connection: Connection, model: StoredModel, design: TableDesign, steps: readonly TableStep[]
  ): MaybePromise<void> {
    const added = steps.flatMap(step => step.kind === 'add column' ? [step.column] : [])
    return chain(
      eachInSequence(steps, step => this.#make(connection, model, design, step)),
      () => adoptExtra(connection, this.context.dialect, model, design, added)
    )
  }

  #make (connection: Connection, model: StoredModel, design: TableDesign, step: TableStep): MaybePromise<void> {
    const { dialect, dataSource } = this.context
    const refuse = (error: unknown): never => {
      const translated = dialect.translateError(error, { model })
      const why = whyRefused(step, design, translated)
      throw why === undefined ? translated : caused(new errors.MigrationError(dataSource, model.name, why), error)
    }
    try {
      const done = eachInSequence(dialect.migrate(step, design), statement => connection.execute(statement))
      return isPromise(done) ? done.catch(refuse) : done
    } catch (error) {
      return refuse(error)
    }
  }
}

/** The columns of one table among `Table.column`. */
const columnsOf = (names: readonly string[], table: string): string[] =>
  names.filter(name => sameName(name.slice(0, table.length + 1), `${table}.`)).map(name => name.slice(table.length + 1))
