/** The operations that `registry.as` gives: which shared method each is judged as, and what it does. */
import type { CompiledModel, MaybePromise, ModelClass, OperationOptions, Row } from '@fastback/core'
import { asInternal, findOneRow, findRowById, type ClientWrite } from '@fastback/core/remote'

type Values = readonly any[]

/** One operation. */
export interface ActingOperation {
  /** As rules name it. */
  readonly method: string
  /** The function of the model. Default: the same name. */
  readonly calls: string
  /** How many arguments it takes before the options. */
  readonly takes: number
  /** Which of them is the id of the row at hand, or names it. */
  readonly id?: (model: CompiledModel, values: Values) => unknown
  /** Which of them has data. */
  readonly dataAt?: number
  /** What the data are for. */
  readonly write?: (Model: ModelClass, values: Values, options: OperationOptions) => MaybePromise<ClientWrite>
}

const idFirst = (_: CompiledModel, [id]: Values): unknown => id
const inData = ({ id }: CompiledModel, [data]: Values): unknown => (data as Row | undefined)?.[id?.name ?? 'id']

const creating: ClientWrite = { kind: 'create' }

const stored = async ({ compiled }: ModelClass, id: unknown, options: OperationOptions): Promise<Row | undefined> =>
  id === undefined || id === null ? undefined : await findRowById(compiled, id, undefined, asInternal(options))

const update = async (Model: ModelClass, [id]: Values, options: OperationOptions): Promise<ClientWrite> =>
  ({ kind: 'update', stored: await stored(Model, id, options) })

const replace = async (Model: ModelClass, [id]: Values, options: OperationOptions): Promise<ClientWrite> =>
  ({ kind: 'replace', stored: await stored(Model, id, options) })

/** An upsert is a create where there is no such row. */
const upsert = (kind: 'update' | 'replace') =>
  async (Model: ModelClass, values: Values, options: OperationOptions): Promise<ClientWrite> => {
    const row = await stored(Model, inData(Model.compiled, values), options)
    return row === undefined ? creating : { kind, stored: row }
  }

const upsertMatching = async (Model: ModelClass, [where]: Values, options: OperationOptions): Promise<ClientWrite> => {
  const row = await findOneRow(Model.compiled, { where }, options)
  return row === undefined ? creating : { kind: 'update', stored: row }
}

const read = (method: string, takes = 1): ActingOperation => ({ method, calls: method, takes })

/** By the names that they have on models. */
export const operations: Readonly<Record<string, ActingOperation>> = {
  find: read('find'),
  findOne: read('findOne'),
  findById: { ...read('findById', 2), id: idFirst },
  exists: { ...read('exists'), id: idFirst },
  count: read('count'),
  aggregate: read('aggregate'),
  createChangeStream: read('createChangeStream'),
  create: { method: 'create', calls: 'create', takes: 1, dataAt: 0, write: () => creating },
  patchById: { method: 'prototype.patchAttributes', calls: 'patchById', takes: 2, id: idFirst, dataAt: 1, write: update },
  replaceById: { method: 'replaceById', calls: 'replaceById', takes: 2, id: idFirst, dataAt: 1, write: replace },
  patchOrCreate: {
    method: 'patchOrCreate', calls: 'patchOrCreate', takes: 1, id: inData, dataAt: 0, write: upsert('update')
  },
  replaceOrCreate: {
    method: 'replaceOrCreate', calls: 'replaceOrCreate', takes: 1, id: inData, dataAt: 0, write: upsert('replace')
  },
  upsertWithWhere: { method: 'upsertWithWhere', calls: 'upsertWithWhere', takes: 2, dataAt: 1, write: upsertMatching },
  updateAll: { method: 'updateAll', calls: 'updateAll', takes: 2, dataAt: 1, write: () => ({ kind: 'update' }) },
  deleteById: { method: 'deleteById', calls: 'deleteById', takes: 1, id: idFirst },
  restoreById: { method: 'restoreById', calls: 'restoreById', takes: 1, id: idFirst },
  historyOf: { ...read('historyOf', 2), id: idFirst },
  revert: { method: 'revert', calls: 'revert', takes: 2, id: idFirst }
}
