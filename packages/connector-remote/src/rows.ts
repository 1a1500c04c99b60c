/** Rows of another application, for what the framework itself must know of them: who owns one, whether it is there. */
import type { Id, ModelClass, Query, Row, Selection, StoredModel, StoreOptions } from '@fastback/core'
import { filterJson, projectRow, whereJson } from '@fastback/core/connector'
import { RestRoutes } from '@fastback/rest/remoting'
import { badGateway } from '@fastback/service-client'
import { storedInstance } from './instances.js'
import { authorizationOf, errorOf, parsed, sharedClassOf, type Caller } from './remote-call.js'

/** The reads that a connector answers, as requests of this application's own. */
export class RemoteRows {
  constructor (readonly caller: Caller, readonly modelOf: (model: StoredModel) => ModelClass | undefined) {}

  async find (model: StoredModel, query: Query, { work }: StoreOptions): Promise<Row[]> {
    // A request from outside is bound by one more than a response may have.
    const limit = work !== undefined && query.limit === work.rows + 1 ? undefined : query.limit
    const names = model.properties.map(({ name }) => name)
    const filter = filterJson({ ...query, limit, select: { names, extra: 'all' } }, model)
    const rows = await this.#read(model, `?filter=${encodeURIComponent(JSON.stringify(filter))}`)
    if (!Array.isArray(rows)) throw badGateway(this.caller.dataSource, 'the response was no list')
    return rows.map(row => projectRow(this.#rowOf(model, row as Row), query.select, model))
  }

  async findById (model: StoredModel, id: Id, select: Selection): Promise<Row | undefined> {
    // No id leads above the place of the rows (SC-S2).
    if (['', '.', '..'].includes(String(id))) return undefined
    const row = await this.#read(model, `/${encodeURIComponent(String(id))}`)
    return row === undefined ? undefined : projectRow(this.#rowOf(model, row as Row), select, model)
  }

  async count (model: StoredModel, where: Parameters<typeof whereJson>[0] | undefined): Promise<number> {
    const asked = where === undefined ? '' : `?where=${encodeURIComponent(JSON.stringify(whereJson(where)))}`
    const told = await this.#read(model, `/count${asked}`) as { readonly count?: unknown } | undefined
    if (typeof told?.count !== 'number') throw badGateway(this.caller.dataSource, 'the response was no count')
    return told.count
  }

  /** What a GET answers; undefined for what is not there. */
  async #read (model: StoredModel, path: string): Promise<unknown> {
    const { settings: { url }, client } = this.caller
    const Model = this.modelOf(model)
    const [routes] = Model === undefined ? [] : new RestRoutes({ classes: () => [sharedClassOf(Model)] }).getClasses()
    const authorization = authorizationOf(this.caller.auth())
    const { statusCode, body } = await client.request({
      name: `${model.name} rows`,
      method: 'GET',
      url: `${url}${routes?.getPath() ?? `/${model.name}`}${path}`,
      headers: { accept: 'application/json', ...(authorization === undefined ? {} : { authorization }) }
    })
    const told = parsed(body)
    if (statusCode === 404) return undefined
    if (statusCode >= 400) throw errorOf(statusCode, told)
    if (told === null || typeof told !== 'object') throw badGateway(this.caller.dataSource, 'the response was no row')
    return told
  }

  /** Values of the types that properties have here. */
  #rowOf (model: StoredModel, row: Row): Row {
    const Model = this.modelOf(model)
    return Model === undefined ? row : (storedInstance(Model, row) as Instance).toObject()
  }
}

interface Instance { toObject (): Row }
