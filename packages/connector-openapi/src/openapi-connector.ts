import type { Connector, ConnectorContext, DataSourceSettings, JoinedDataSource, ModelClass, StoredModel } from '@fastback/core'
import { observerMethods, RowlessConnector } from '@fastback/core/connector'
import { closeRowMethods, ownRemoteMethod, setRemoteMethod } from '@fastback/core/remote'
import { clientSettings, Service, type ServiceFunction } from '@fastback/connector-rest/service'
import { readClientSettings } from '@fastback/service-client'
import { openApi, type Api } from './api.js'
import { OperationsOnlyError } from './errors.js'
import { functionOf, routeOf } from './functions.js'
import { listOf, objectOf } from './json.js'
import type { NamedOperation } from './names.js'
import type { ApiOperation } from './operations.js'
import { readSettings, type OpenApiSettings } from './settings.js'

/** Operations without a tag have this one. */
const tagsOf = ({ tags }: ApiOperation): readonly string[] => tags.length === 0 ? ['default'] : tags

interface OperationFunction extends NamedOperation { readonly call: ServiceFunction }

/**
 * An API that a document describes, as a data source. It keeps no rows: its models get a method for each operation
 * (service-connectors.md, section 9).
 */
export class OpenApiConnector extends RowlessConnector implements Connector {
  readonly name = 'openapi'
  readonly generatedIdType = 'string'
  readonly defaultMigration = 'none'
  readonly modelBase = 'Model'
  readonly settings: OpenApiSettings
  readonly service: Service
  readonly #targets = new Set<object>()
  #api: Api | undefined
  #functions: readonly OperationFunction[] = []

  /** @throws FBK_CORE_DATA_SOURCE_SETTINGS */
  constructor (given: DataSourceSettings, readonly context: ConnectorContext) {
    super()
    this.settings = readSettings(given, context.dataSource)
    this.service = new Service(readClientSettings(clientSettings(given), context.dataSource), context)
    Object.assign(this, observerMethods(this.service.observers))
  }

  /** The description, as OpenAPI 3; undefined before it has been read. */
  get document (): Readonly<Record<string, unknown>> | undefined {
    return this.#api?.document
  }

  /** Functions by tag and name: `connector.apis.pets.listPets`. Operations without a tag are under `default`. */
  get apis (): Readonly<Record<string, Readonly<Record<string, ServiceFunction>>>> {
    const apis = new Map<string, Map<string, ServiceFunction>>()
    for (const { name, aliases, operation, call } of this.#functions) {
      for (const tag of tagsOf(operation)) {
        const functions = apis.get(tag) ?? new Map<string, ServiceFunction>()
        apis.set(tag, functions)
        for (const each of [name, ...aliases]) functions.set(each, call)
      }
    }
    // Tags are words of others: `fromEntries` makes members of them, and nothing else (security.md, S-162).
    return Object.fromEntries([...apis].map(([tag, functions]) => [tag, Object.fromEntries(functions)]))
  }

  /** @throws FBK_OPENAPI_DOCUMENT, FBK_OPENAPI_CREDENTIALS */
  async connect (): Promise<void> {
    const api = await openApi(this.settings, this.context, this.service)
    this.#api = api
    this.#functions = api.operations.map(each => (
      { ...each, call: functionOf(each.operation, this.settings.positional === true, api.call) }
    ))
    for (const target of this.#targets) this.#join(target)
  }

  async disconnect (): Promise<void> {
    this.#api = undefined
    await this.service.close()
  }

  /** Any response will do. */
  async ping (): Promise<void> {
    const url = this.#api?.base
    if (url !== undefined) await this.service.client.request({ name: 'ping', method: 'HEAD', url })
  }

  attach (): void {}

  joined (dataSource: JoinedDataSource): void {
    this.#targets.add(dataSource)
    dataSource.registry.on('modelAttached', given => {
      const Model = given as ModelClass
      if (Model.dataSource !== dataSource) {
        this.#targets.delete(Model)
        return
      }
      this.#targets.add(Model)
      this.#join(Model)
    })
  }

  /** Puts the functions on a model, or on the data source; what is there already stays. */
  #join (target: object): void {
    const Model = 'modelName' in target ? target as ModelClass : undefined
    const functions = Model === undefined ? this.#functions : this.#functionsOf(Model)
    for (const { name, aliases, call } of functions) {
      for (const each of [name, ...aliases]) {
        if (!(each in target)) {
          Object.defineProperty(target, each, { value: call, writable: true, configurable: true, enumerable: true })
        } else if (!Object.hasOwn(target, each)) {
          const { log, dataSource } = this.context
          log.warn({ dataSource }, `"${each}" is there already, and no operation of that name is put in its place`)
        }
      }
    }
    if (Model !== undefined) this.#share(Model, functions)
  }

  /** Of a model that names tags (`"openapi": { "tags": ["pet"] }`), the operations that have one of them. */
  #functionsOf ({ settings, modelName }: ModelClass): readonly OperationFunction[] {
    const { tags: wanted } = objectOf(settings.openapi)
    if (wanted === undefined) return this.#functions
    const tags = listOf(wanted)
    const found = this.#functions.filter(({ operation }) => tagsOf(operation).some(tag => tags.includes(tag)))
    if (found.length === 0 && this.#api !== undefined) {
      this.context.log.warn({ model: modelName }, 'No operation has one of the tags that the model names in "openapi.tags"')
    }
    return found
  }

  #share (Model: ModelClass, functions: readonly OperationFunction[]): void {
    closeRowMethods(Model)
    for (const { name, operation } of functions) {
      const isFree = Object.hasOwn(Model, name) && ownRemoteMethod(Model, name) === undefined
      if (isFree) setRemoteMethod(Model, name, routeOf(operation, name))
    }
  }

  getTypes (): string[] { return ['openapi'] }

  protected noRows (model: StoredModel, method: string): Error {
    return new OperationsOnlyError(this.context.dataSource, model.name, method)
  }
}

/** Observers of `before execute` and `after execute` (SC-H1). */
export interface OpenApiConnector extends ReturnType<typeof observerMethods> {}
