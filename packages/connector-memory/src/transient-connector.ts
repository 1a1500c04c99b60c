import { randomBytes, randomInt } from 'node:crypto'
import type { Condition, Connector, Id, Query, Row, StoredModel } from '@fastback/core'
import { projectRow } from '@fastback/core/connector'
import { copyRow } from './copy.js'

/**
 * Keeps nothing: rows are given their id and forgotten. For models that are only validated, passed on or nested in
 * others (LoopBack's `transient`). Every operation on a row that should be there finds none.
 */
export class TransientConnector implements Connector {
  readonly name = 'transient'
  readonly generatedIdType: 'number' | 'string'
  readonly defaultMigration = 'none'

  /** @param idType the type of generated ids: the setting `defaultIdType` */
  constructor (idType: 'number' | 'string' = 'string') {
    this.generatedIdType = idType
  }

  connect (): void {}
  disconnect (): void {}
  ping (): void {}

  /** The type of ids that it gives out, as LoopBack's code asks. */
  getDefaultIdType (): unknown {
    return this.generatedIdType === 'number' ? Number : String
  }

  /** Kinds of store that it is, as LoopBack's code asks. */
  getTypes (): string[] {
    return ['db', 'nosql', 'transient']
  }

  attach (_model: StoredModel): void {}

  create (model: StoredModel, row: Row): Row {
    const made = copyRow(row)
    const { id } = model
    if (id !== undefined && (made[id.name] ?? null) === null) made[id.name] = this.generateId(model)
    return made
  }

  /** 24 hexadecimal digits, or for ids that are numbers one that those of other rows are unlikely to be. */
  generateId ({ id }: StoredModel): Id {
    return (id?.type.kind ?? this.generatedIdType) === 'string' ? randomBytes(12).toString('hex') : randomInt(1, 2 ** 47)
  }

  createMany (model: StoredModel, rows: readonly Row[]): Row[] {
    return rows.map(row => this.create(model, row))
  }

  find (_model: StoredModel, _query: Query): Row[] { return [] }
  findById (_model: StoredModel, _id: Id): undefined {}
  count (_model: StoredModel, _where: Condition | undefined): number { return 0 }
  updateAll (_model: StoredModel, _where: Condition | undefined, _changes: Row): number { return 0 }
  updateById (_model: StoredModel, _id: Id, _changes: Row): undefined {}
  replaceById (_model: StoredModel, _id: Id, _row: Row): undefined {}

  findOrCreate (model: StoredModel, query: Query, row: Row): { row: Row, created: boolean } {
    return { row: projectRow(this.create(model, row), query.select, model), created: true }
  }

  deleteAll (_model: StoredModel, _where: Condition | undefined): number { return 0 }
  autoupdate (_models: readonly StoredModel[]): void {}
  automigrate (_models: readonly StoredModel[]): void {}
  isActual (_models: readonly StoredModel[]): boolean { return true }
}
