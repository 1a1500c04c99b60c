/**
 * Connectors by the names that data sources use. Their packages are loaded when a data source of the folder needs them.
 */
import type { ConnectorFactory, MaybePromise, ModelRegistry } from '@fastback/core'
import { chain, isPromise } from '@fastback/core/connector'
import { InvalidConfigError } from './errors.js'
import type { DataSourceConfig } from './load/data-sources.js'
import type { Folder } from './load/folder.js'
import { isRecord } from './load/is-record.js'
import { loadModule, resolveModule } from './load/module.js'
import { loadPackage } from './load/package.js'
import { settled, type Steps } from './steps.js'
import type * as Memory from '@fastback/connector-memory'
import type * as Redis from '@fastback/connector-redis'
import type * as Sql from '@fastback/connector-sql'

interface Builtin {
  readonly names: readonly string[]
  load (): MaybePromise<ConnectorFactory>
}

const from = <T>(name: string, pick: (exports: T) => ConnectorFactory): MaybePromise<ConnectorFactory> =>
  chain(loadPackage<T>(name), pick)

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
    names: ['mongodb', 'loopback-connector-mongodb'],
    load: async () => (await import('@fastback/connector-mongodb')).mongodbConnector
  },
  {
    names: [
      'sql',
      'sqlite',
      'sqlite3',
      'loopback-connector-sqlite3',
      'postgres',
      'postgresql',
      'loopback-connector-postgresql',
      'mysql',
      'mariadb',
      'loopback-connector-mysql'
    ],
    load: () => from<typeof Sql>('@fastback/connector-sql', ({ sqlConnector }) => sqlConnector)
  }
]

/**
 * The built-in connector of a name, for data sources that code makes (`app.dataSource('db', { connector: 'sql' })`);
 * undefined where there is none, or where this Node.js can only load it later.
 */
export function builtinConnector (name: string): ConnectorFactory | undefined {
  const factory = builtins.find(({ names }) => names.includes(name))?.load()
  return isPromise(factory) ? undefined : factory
}

/**
 * Registers the connectors that the data sources name: built-in ones, those of extensions, and connectors of the
 * folder's own (`./connectors/mine`, or a package that exports a connector factory).
 * @throws FBK_BOOT_INVALID_CONFIG for a package that is no connector; names that nobody knows are left to the registry
 * to refuse
 */
export function * registerConnectors (
  { connectors }: ModelRegistry,
  folder: Folder,
  dataSources: readonly DataSourceConfig[]
): Steps<void> {
  const wanted = new Set(['memory', ...dataSources.map(({ settings }) => settings.connector)])
  for (const { names, load } of builtins) {
    if (names.some(name => wanted.has(name))) connectors.register(names, yield * settled(load()))
  }
  for (const {
    name,
    settings: { connector },
    source
  } of dataSources) {
    if (connectors.has(connector) || resolveModule(folder, connector) === undefined) continue
    const { exports } = yield * loadModule(folder, connector, source)
    if (typeof exports !== 'function') {
      throw new InvalidConfigError(source, `data source "${name}": "${connector}" ${whatIsWrong(exports)}`)
    }
    connectors.register(connector, exports as ConnectorFactory)
  }
}

function whatIsWrong (exports: unknown): string {
  const ofLoopback = isRecord(exports) && 'initialize' in exports
  return ofLoopback
    ? 'is a LoopBack 3 connector; use "sql" or "memory", or a connector written for Fastback'
    : 'exports no connector factory'
}
