/** Tables of models as the database has them, each looked at once; and those that are being migrated. */
import type { MaybePromise, StoredModel } from '@fastback/core'
import { chain, isPromise } from '@fastback/core/connector'
import type { Dialect } from '../dialects/dialect.js'
import type { Connection } from '../dialects/driver.js'
import { TableMissingError } from '../errors.js'
import { tableName } from './naming.js'
import { Table } from './table.js'

export class KnownTables {
  readonly #dialect: Dialect
  readonly #extraColumn: string
  /** By the compiled form of the model: what was prepared for an earlier one goes with it. */
  #tables = new WeakMap<StoredModel, Table>()
  #made = 0
  /** By the name of the model. */
  readonly #migrating = new Map<string, Promise<void>>()

  /** @param extraColumn the column of properties that no other column is for */
  constructor (dialect: Dialect, extraColumn: string) {
    this.#dialect = dialect
    this.#extraColumn = extraColumn
  }

  /** Undefined before its first use, and after a migration. */
  get (model: StoredModel): Table | undefined {
    return this.#tables.get(model)
  }

  has (model: StoredModel): boolean {
    return this.#tables.has(model)
  }

  forget (model: StoredModel): void {
    this.#tables.delete(model)
  }

  /** For another database. */
  forgetAll (): void {
    this.#tables = new WeakMap()
  }

  /** Looks at the table of a model. @throws FBK_SQL_TABLE_MISSING; what the driver throws */
  load (connection: Connection, model: StoredModel): MaybePromise<void> {
    const wanted = tableName(model, this.#dialect)
    return chain(this.#dialect.introspect(connection, wanted), actual => {
      if (actual === undefined) {
        throw new TableMissingError(model.name, [wanted.schema ?? [], wanted.name].flat().join('.'))
      }
      return chain(this.#dialect.withExamples?.(connection, actual, model) ?? actual, known => {
        const peers = (other: StoredModel): Table | undefined => this.#tables.get(other)
        this.#tables.set(model, new Table({
          model, dialect: this.#dialect, number: ++this.#made, actual: known, extraColumn: this.#extraColumn, peers
        }))
      })
    })
  }

  /** Until the migration of a model's table is over; undefined where there is none. */
  migrationOf ({ name }: StoredModel): Promise<void> | undefined {
    return this.#migrating.size === 0 ? undefined : this.#migrating.get(name)
  }

  /** Migrates tables: what was known of them is forgotten, and who wants to know waits until it is over. */
  whileMigrating (models: readonly StoredModel[], work: () => MaybePromise<void>): MaybePromise<void> {
    for (const model of models) this.#tables.delete(model)
    const done = work()
    if (!isPromise(done)) return
    const settled: Promise<void> = done
      .catch(() => {})
      .then(() => {
        for (const { name } of models) if (this.#migrating.get(name) === settled) this.#migrating.delete(name)
      })
    for (const { name } of models) this.#migrating.set(name, settled)
    return done
  }
}
