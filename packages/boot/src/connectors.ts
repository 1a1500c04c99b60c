/**
 * Connectors by the names that data sources use. Their packages are loaded when a data source of the folder needs them.
 */
import path from 'node:path'
import type { ConnectorFactory, MaybePromise, ModelRegistry } from '@fastback/core'
import { chain, isPromise } from '@fastback/core/connector'
import { InvalidConfigError } from './errors.js'
import type { DataSourceConfig } from './load/data-sources.js'
import { Folder } from './load/folder.js'
import { loadModule, resolveModule } from './load/module.js'
import { loadPackage } from './load/package.js'
import { perform, settled, type Steps } from './steps.js'
import type * as Loopback from '@fastback/connector-loopback'
import type * as Memory from '@fastback/connector-memory'
import type * as MongoDb from '@fastback/connector-mongodb'
import type * as OpenApi from '@fastback/connector-openapi'
import type * as Push from '@fastback/push'
import type * as Redis from '@fastback/connector-redis'
import type * as Remote from '@fastback/connector-remote'
import type * as Rest from '@fastback/connector-rest'
import type * as Soap from '@fastback/connector-soap'
import type * as Sql from '@fastback/connector-sql'
import type * as Storage from '@fastback/storage'

interface Builtin {
  readonly names: readonly string[]
  load (): MaybePromise<ConnectorFactory>
}

const from = <T>(name: string, pick: (exports: T) => ConnectorFactory): MaybePromise<ConnectorFactory> =>
  chain(loadPackage<T>(name), pick)

const fileStores = ['loopback-component-storage', 'storage', '@fastback/storage']

/**
 * Whether a data source of these settings keeps files, not rows.
 *
 * ```js
 * keepsFiles({ connector: 'loopback-component-storage', root: './files' }) // true
 * ```
 */
export const keepsFiles = ({ connector }: { readonly connector?: unknown }): boolean =>
  typeof connector === 'string' && fileStores.includes(connector)

/** Names of connectors that call a service. */
const services: Readonly<Record<'openapi' | 'remote' | 'rest' | 'soap', readonly string[]>> = {
  openapi: ['openapi', 'loopback-connector-openapi'],
  remote: ['remote', 'loopback-connector-remote'],
  rest: ['rest', 'loopback-connector-rest'],
  soap: ['soap', 'loopback-connector-soap']
}

/**
 * Whether a data source of these settings calls a service, and keeps nothing itself.
 *
 * ```js
 * callsService({ connector: 'rest', baseURL: 'https://api.example' }) // true
 * ```
 */
export const callsService = ({ connector }: { readonly connector?: unknown }): boolean =>
  typeof connector === 'string' && Object.values(services).some(names => names.includes(connector))

/** Names of SQL connectors: LoopBack's, and those of the dialect. */
const databases: Readonly<Record<Sql.DialectName, readonly string[]>> = {
  sqlite: ['sqlite', 'sqlite3', 'loopback-connector-sqlite3', 'loopback-connector-sqlite'],
  postgres: ['postgres', 'postgresql', 'loopback-connector-postgresql'],
  mysql: ['mysql', 'mariadb', 'loopback-connector-mysql']
}

const builtins: readonly Builtin[] = [
  {
    names: ['memory', 'loopback-connector-memory', 'kv-memory'],
    load: () => from<typeof Memory>('@fastback/connector-memory', ({ memoryConnector }) => memoryConnector)
  },
  {
    names: ['transient'],
    load: () => from<typeof Memory>('@fastback/connector-memory', ({ transientConnector }) => transientConnector)
  },
  {
    names: ['redis', 'kv-redis', 'loopback-connector-kv-redis'],
    load: () => from<typeof Redis>('@fastback/connector-redis', ({ redisConnector }) => redisConnector)
  },
  {
    names: services.soap,
    load: () => from<typeof Soap>('@fastback/connector-soap', ({ soapConnector }) => soapConnector)
  },
  {
    names: services.remote,
    load: () => from<typeof Remote>('@fastback/connector-remote', ({ remoteConnector }) => remoteConnector)
  },
  {
    names: services.openapi,
    load: () => from<typeof OpenApi>('@fastback/connector-openapi', ({ openapiConnector }) => openapiConnector)
  },
  {
    names: services.rest,
    load: () => from<typeof Rest>('@fastback/connector-rest', ({ restConnector }) => restConnector)
  },
  {
    names: ['mongodb', 'loopback-connector-mongodb'],
    load: () => from<typeof MongoDb>('@fastback/connector-mongodb', ({ mongodbConnector }) => mongodbConnector)
  },
  {
    names: ['push', 'loopback-component-push', '@fastback/push'],
    load: () => from<typeof Push>('@fastback/push', ({ pushConnector }) => pushConnector)
  },
  {
    names: fileStores,
    // Folders of files are named from the folder above `server` (storage.md, ST-04).
    load: () => from<typeof Storage>('@fastback/storage', ({ storageConnector }) => (settings, context) =>
      storageConnector(settings, { ...context, baseDir: path.dirname(context.baseDir) }))
  },
  {
    names: ['sql', ...Object.values(databases).flat()],
    load: () => from<typeof Sql>('@fastback/connector-sql', ({ sqlConnector }) => sqlConnector)
  }
]

/**
 * The built-in connector of a name; undefined where there is none, or where this Node.js can only load it later.
 */
function builtinConnector (name: string): ConnectorFactory | undefined {
  const factory = builtins.find(({ names }) => names.includes(name))?.load()
  return isPromise(factory) ? undefined : factory
}

/** On `initialize` of a built-in connector's module: its name. */
const kBuiltin = Symbol('fastback.builtin connector')

/** A built-in connector in the form of LoopBack's modules, for code that hands them about. */
export interface ConnectorModule {
  readonly name: string
  /** Makes the connector and leaves it in `dataSource.connector`. */
  initialize (dataSource: ModuleHost, callback?: (error?: unknown) => void): void
}

interface ModuleHost { name?: string; readonly settings?: object; connector?: unknown }

/**
 * A built-in connector as a module.
 *
 * ```js
 * new DataSource({ connector: connectorModule('memory') })
 * ```
 */
export function connectorModule (name: string): ConnectorModule {
  const initialize: ConnectorModule['initialize'] = (dataSource, callback) => {
    const factory = builtinConnector(name) as ConnectorFactory
    const context = { dataSource: dataSource.name ?? name, baseDir: process.cwd(), log: silent }
    dataSource.connector = factory({ ...dataSource.settings, connector: name }, context)
    callback?.()
  }
  return { name, initialize: Object.assign(initialize, { [kBuiltin]: name }) }
}

/** A built-in connector, by the name that its module has. */
function named (name: string): ConnectorFactory | undefined {
  const factory = builtinConnector(name)
  return factory && ((settings, context) => factory({ ...settings, connector: name }, context))
}

const silent = { warn () {}, info () {}, debug () {} }

/**
 * What data sources may bring in place of a name, other than a connector factory; undefined for anything else.
 *
 * ```js
 * registry.connectors.adapt = adaptConnector
 * ```
 */
export function adaptConnector (given: unknown): ConnectorFactory | undefined {
  if (given === null || (typeof given !== 'object' && typeof given !== 'function')) return undefined
  // Arrow functions are factories, and nothing has to be loaded to know it.
  if (typeof given === 'function' && given.prototype === undefined && !('initialize' in given)) return undefined
  const builtin = (given as { initialize?: { [kBuiltin]?: string } }).initialize?.[kBuiltin]
  if (builtin !== undefined) return named(builtin)
  const loaded = loadPackage<typeof Loopback>('@fastback/connector-loopback')
  return isPromise(loaded) ? undefined : adapted(loaded, given)
}

const adapted = ({ isLoopbackConnector, loopbackConnector }: typeof Loopback, given: unknown) =>
  isLoopbackConnector(given) ? loopbackConnector(given) : undefined

/** Names of modules that a connector's name may mean, as in LoopBack: a file, `loopback-connector-NAME`, a package. */
const modulesOf = (name: string): string[] =>
  name.startsWith('.') || path.isAbsolute(name) || name.startsWith('loopback-connector-')
    ? [name]
    : [`loopback-connector-${name}`, name]

/** The connector that a name means in a folder: a file of it, or one of its packages; undefined where there is none. */
function * folderConnector (
  folder: Folder, connector: string, source: string
): Steps<ConnectorFactory | undefined> {
  const named = modulesOf(connector).find(name => resolveModule(folder, name) !== undefined)
  if (named === undefined) return undefined
  const { exports } = yield * loadModule(folder, named, source)
  const loopback = yield * settled(loadPackage<typeof Loopback>('@fastback/connector-loopback'))
  const factory = adapted(loopback, exports) ?? exports
  if (typeof factory === 'function') return factory as ConnectorFactory
  throw new InvalidConfigError(source, `"${named}" exports neither a connector factory nor a connector of LoopBack`)
}

/**
 * Registers the connectors that the data sources name: built-in ones, those of extensions, and connectors of the
 * folder's own or of its packages, made for Fastback (`export default settings => connector`) or for LoopBack
 * (`exports.initialize`).
 * @throws FBK_BOOT_INVALID_CONFIG for a package that is no connector; names that nobody knows are left to the registry
 * to refuse
 */
export function * registerConnectors (
  { connectors }: ModelRegistry,
  folder: Folder,
  dataSources: readonly DataSourceConfig[]
): Steps<void> {
  connectors.known = builtins.flatMap(({ names }) => names)
  const wanted = new Set(['memory', ...dataSources.map(({ settings }) => settings.connector)])
  for (const { names, load } of builtins) {
    if (names.some(name => wanted.has(name))) connectors.register(names, yield * settled(load()))
  }
  for (const { settings: { connector }, source } of dataSources) {
    if (typeof connector !== 'string' || connectors.has(connector)) continue
    const factory = yield * folderConnector(folder, connector, source)
    if (factory !== undefined) connectors.register(connector, factory)
  }
}

/**
 * Connectors of names that code uses (`app.dataSource('db', { connector: 'sqlite3' })`): built-in ones, else those of
 * the folder (without one: of the program) where they can be loaded at once.
 *
 * ```js
 * registry.connectors.lookUp = name => connectorByName(name)
 * ```
 */
export function connectorByName (name: string, folder = Folder.ofProgram()): ConnectorFactory | undefined {
  const builtin = builtinConnector(name)
  if (builtin !== undefined) return builtin
  const found = perform(folderConnector(folder, name, `data source with the connector "${name}"`))
  return isPromise(found) ? undefined : found
}
