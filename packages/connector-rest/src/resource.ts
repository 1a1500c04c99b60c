/** Models over resources of a service: an address of all rows and of each (service-connectors.md, SC-C1 to SC-C11). */
import type { Condition, Id, Query, Row, Selection, StoredModel, StoreOptions } from '@fastback/core'
import { compileCondition } from '@fastback/core/connector'
import { badGateway } from '@fastback/service-client'
import { notSupported, resourceError } from './errors.js'
import { filterOf, idOf, onlyId, partedWhere } from './filter.js'
import { isRow, rowOf } from './rows.js'
import type { Service } from './service.js'
import type { RestSettings } from './settings.js'
import { copying } from './template/render.js'

interface Asked {
  readonly method: string
  readonly id?: Id
  readonly qs?: Record<string, unknown>
  readonly body?: Row
}

interface Answered {
  readonly status: number
  readonly body: unknown
}

export class Resources {
  readonly #constants: () => unknown
  /** Last segments of addresses, by model (SC-C1). */
  readonly #names = new Map<string, string>()

  constructor (readonly settings: RestSettings, readonly service: Service) {
    this.#constants = copying(settings.request)
  }

  /** @param plural the plural name of the model */
  name ({ modelName, settings }: { readonly modelName: string, readonly settings: object }, plural: string): void {
    const { resourceName } = settings as { readonly resourceName?: unknown }
    this.#names.set(modelName, typeof resourceName === 'string' ? resourceName : plural)
  }

  /** Of the answer only the id counts (SC-C2). */
  async create (model: StoredModel, row: Row): Promise<Row> {
    const { body } = await this.#succeed(model, 'create', { method: 'POST', body: row })
    const { id } = model
    if (id === undefined || !isRow(body) || body[id.name] === undefined) return row
    return { ...row, [id.name]: rowOf(body, model)[id.name] }
  }

  /** Of what is found those rows that rules of access leave to the caller. */
  async find (model: StoredModel, query: Query, options: StoreOptions): Promise<Row[]> {
    const { rules, others } = partedWhere(query.where)
    if (rules === undefined) return await this.#find(model, query, options)
    const id = onlyId({ ...query, where: others }, model)
    // What is out of sight looks as what is not there.
    const found = id === undefined
      ? await this.#find(model, { ...query, select: wholeRows(model) }, options)
      : [await this.findById(model, id, { ...options, mayBeMissing: true })].filter(row => row !== undefined)
    return found.filter(compileCondition(rules))
  }

  async #find (model: StoredModel, query: Query, options: StoreOptions): Promise<Row[]> {
    const id = onlyId(query, model)
    if (id !== undefined) {
      const row = await this.findById(model, id, options)
      return row === undefined ? [] : [row]
    }
    const filter = filterOf(query, options, model)
    const isEmpty = Object.keys(filter).length === 0
    const qs = this.settings.filterStyle !== 'json' ? filter : isEmpty ? {} : { filter: JSON.stringify(filter) }
    const { body } = await this.#succeed(model, 'find', { method: 'GET', qs })
    if (!Array.isArray(body) || !body.every(isRow)) throw this.#unexpected(model, 'a list of rows')
    return body.map(row => rowOf(row, model))
  }

  /** A row that is not there is an error (SC-C5), but for who says that it may be missing. */
  async findById (model: StoredModel, id: Id, { mayBeMissing = false }: StoreOptions): Promise<Row | undefined> {
    const { status, body } = await this.#ask(model, 'findById', { method: 'GET', id })
    if (status === 404 && mayBeMissing) return undefined
    mustSucceed(status)
    if (!isRow(body)) throw this.#unexpected(model, 'a row')
    return rowOf(body, model)
  }

  /** Only of one id can be told whether it is there (SC-C6, SC-C7). */
  async count (model: StoredModel, where: Condition | undefined): Promise<number> {
    const id = idOf(where, model)
    if (id === undefined) throw notSupported(model.name, 'the number of its rows')
    const { status } = await this.#ask(model, 'exists', { method: 'GET', id })
    if (status === 404) return 0
    mustSucceed(status)
    return 1
  }

  /** As LoopBack's connector: the changes are PUT, unless the data source says `patch` (SC-C8). */
  async updateById (model: StoredModel, id: Id, changes: Row): Promise<Row> {
    const method = this.settings.patch === true ? 'PATCH' : 'PUT'
    const { body } = await this.#succeed(model, 'updateAttributes', { method, id, body: changes })
    return this.#written(model, id, changes, body)
  }

  async replaceById (model: StoredModel, id: Id, row: Row): Promise<Row> {
    await this.#succeed(model, 'replaceById', { method: 'PUT', id, body: row })
    return this.#written(model, id, row, undefined)
  }

  /** SC-C9, SC-C10. */
  async deleteAll (model: StoredModel, where: Condition | undefined): Promise<number> {
    const id = idOf(where, model)
    if (id === undefined && where !== undefined) throw notSupported(model.name, 'the removal of some rows')
    if (id === undefined && this.settings.allowDeleteAll !== true) {
      throw notSupported(model.name, 'the removal of all rows, unless its data source says "allowDeleteAll"')
    }
    const { body } = await this.#succeed(model, 'deleteAll', { method: 'DELETE', ...(id === undefined ? {} : { id }) })
    return isRow(body) && typeof body.count === 'number' ? body.count : 1
  }

  #written (model: StoredModel, id: Id, sent: Row, body: unknown): Row {
    const row = isRow(body) ? rowOf(body, model) : { ...sent }
    if (model.id !== undefined) row[model.id.name] = id
    return row
  }

  async #succeed (model: StoredModel, name: string, asked: Asked): Promise<Answered> {
    const answered = await this.#ask(model, name, asked)
    mustSucceed(answered.status)
    return answered
  }

  async #ask (model: StoredModel, name: string, { method, id, qs, body }: Asked): Promise<Answered> {
    const address = `${this.settings.baseURL}/${this.#names.get(model.name) ?? model.name}`
    const uri = id === undefined ? address : `${address}/${segmentOf(id)}`
    const request = { ...this.#constants() as object, method, uri, qs, body, json: true }
    const exchange = await this.service.execute(request, { name: `${model.name}.${name}` })
    return { status: exchange.response?.statusCode ?? 200, body: exchange.body }
  }

  #unexpected (model: StoredModel, what: string): Error {
    return badGateway(this.service.context.dataSource, `the resource of model "${model.name}" does not answer ${what}`)
  }
}

/** Whoever tests a row has to have all of it. */
const wholeRows = ({ properties }: StoredModel): Selection =>
  ({ names: properties.map(({ name }) => name), extra: 'all' })

/** An id is one segment of a path, whatever it is (SC-S2). */
function segmentOf (id: Id): string {
  const text = String(id)
  if (/^\.{0,2}$/.test(text)) throw resourceError(404)
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\uFFFD'))
}

/** @throws what the response says, unless it is a success (SC-C9) */
function mustSucceed (status: number): void {
  if (status < 200 || status > 299) throw resourceError(status)
}
