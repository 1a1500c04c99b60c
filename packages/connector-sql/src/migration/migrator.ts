/** Brings tables to their models. */
import { errors, UniqueIndexError, type MaybePromise, type StoredModel } from '@fastback/core'
import { chain, eachInTurn, isPromise } from '@fastback/core/connector'
import type { Dialect } from '../dialects/dialect.js'
import type { Connection } from '../dialects/driver.js'
import { caused } from '../errors.js'
import { adoptExtra } from './adopt.js'
import { changesTo, findColumn, type ActualTable, type Change, type TableDesign } from './design.js'
import { designTable } from './table-design.js'

export class Migrator {
  constructor (readonly dialect: Dialect, readonly extraColumn: string, readonly dataSource: string) {}

  /** Creates tables, columns and indexes that are missing; all changes of one table or none. */
  update (connection: Connection, model: StoredModel): MaybePromise<void> {
    return chain(this.isActual(connection, model), actual => {
      // Another process may be at it as well: what is missing is looked up again when nobody else can write.
      if (!actual) return connection.atomically(within => this.#bring(within, model))
    })
  }

  #bring (connection: Connection, model: StoredModel): MaybePromise<void> {
    const design = designTable(model, this.dialect, this.extraColumn)
    return chain(this.dialect.introspect(connection, design), actual =>
      this.#apply(
        connection,
        model,
        actual === undefined ? design : presentDesign(design, actual),
        changesTo(design, actual)
      )
    )
  }

  /** Drops the table, rows and all, and creates it. */
  reset (connection: Connection, model: StoredModel): MaybePromise<void> {
    const design = designTable(model, this.dialect, this.extraColumn)
    return connection.atomically(within =>
      this.#apply(within, model, design, [{ kind: 'drop table' }, ...changesTo(design, undefined)])
    )
  }

  isActual (connection: Connection, model: StoredModel): MaybePromise<boolean> {
    const design = designTable(model, this.dialect, this.extraColumn)
    return chain(this.dialect.introspect(connection, design), actual => changesTo(design, actual).length === 0)
  }

  #apply (
    connection: Connection,
    model: StoredModel,
    design: TableDesign,
    changes: readonly Change[]
  ): MaybePromise<void> {
    return chain(
      eachInTurn(changes, change => this.#make(connection, model, design, change)),
      () => adoptExtra(connection, this.dialect, model, design, changes)
    )
  }

  #make (connection: Connection, model: StoredModel, design: TableDesign, change: Change): MaybePromise<void> {
    const refuse = (error: unknown): never => {
      const translated = this.dialect.translateError(error, { model })
      if (change.kind !== 'create index' || !(translated instanceof UniqueIndexError)) throw translated
      const columns = change.index.columns.map(({ name }) => name).join(', ')
      const why = `rows have the same ${columns}, so that the unique index "${change.index.name}" cannot be made`
      throw caused(new errors.MigrationError(this.dataSource, model.name, why), error)
    }
    try {
      const done = connection.execute(this.dialect.migrate(change, design))
      return isPromise(done) ? done.catch(refuse) : done
    } catch (error) {
      return refuse(error)
    }
  }
}

/** The design under the table's own name, and with the types that its columns have. */
function presentDesign (design: TableDesign, actual: ActualTable): TableDesign {
  const columns = design.columns.map(column => {
    const present = findColumn(actual, column.name)
    return present === undefined ? column : { ...column, type: present.type }
  })
  return { ...design, name: actual.name, columns }
}
