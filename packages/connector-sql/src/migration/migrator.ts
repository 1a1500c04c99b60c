/** Brings tables to their models. */
import {
  chain,
  eachInTurn,
  errors,
  isPromise,
  UniqueIndexError,
  type MaybePromise,
  type StoredModel
} from '@fastback/core'
import type { Dialect, Session } from '../dialects/dialect.js'
import { caused } from '../errors.js'
import { adoptOverflow } from './adopt.js'
import { changesTo, findColumn, type ActualTable, type Change, type TableDesign } from './design.js'
import { designTable } from './table-design.js'

export class Migrator {
  constructor (readonly dialect: Dialect, readonly extraColumn: string, readonly dataSource: string) {}

  /** Creates tables, columns and indexes that are missing; all changes of one table or none. */
  update (session: Session, model: StoredModel): MaybePromise<void> {
    return chain(this.isActual(session, model), actual => {
      // Another process may be at it as well: what is missing is looked up again when nobody else can write.
      if (!actual) return session.atomically(within => this.#bring(within, model))
    })
  }

  #bring (session: Session, model: StoredModel): MaybePromise<void> {
    const design = designTable(model, this.dialect, this.extraColumn)
    return chain(this.dialect.introspect(session, design.name), actual =>
      this.#apply(
        session,
        model,
        actual === undefined ? design : presentDesign(design, actual),
        changesTo(design, actual)
      )
    )
  }

  /** Drops the table, rows and all, and creates it. */
  reset (session: Session, model: StoredModel): MaybePromise<void> {
    const design = designTable(model, this.dialect, this.extraColumn)
    return session.atomically(within =>
      this.#apply(within, model, design, [{ kind: 'drop table' }, ...changesTo(design, undefined)])
    )
  }

  isActual (session: Session, model: StoredModel): MaybePromise<boolean> {
    const design = designTable(model, this.dialect, this.extraColumn)
    return chain(this.dialect.introspect(session, design.name), actual => changesTo(design, actual).length === 0)
  }

  #apply (session: Session, model: StoredModel, design: TableDesign, changes: readonly Change[]): MaybePromise<void> {
    return chain(
      eachInTurn(changes, change => this.#make(session, model, design, change)),
      () => adoptOverflow(session, this.dialect, model, design, changes)
    )
  }

  #make (session: Session, model: StoredModel, design: TableDesign, change: Change): MaybePromise<void> {
    const refuse = (error: unknown): never => {
      const shown = this.dialect.translateError(error, { model })
      if (change.kind !== 'create index' || !(shown instanceof UniqueIndexError)) throw shown
      const columns = change.index.columns.map(({ name }) => name).join(', ')
      const why = `rows have the same ${columns}, so that the unique index "${change.index.name}" cannot be made`
      throw caused(new errors.MigrationError(this.dataSource, model.name, why), error)
    }
    try {
      const done = session.execute(this.dialect.migrate(change, design))
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
