/** `fastback migrate`: the databases' tables, brought to what the models say. */
import { createServer, readConfiguration, type Configuration } from '@fastback/boot'
import type { DataSource, ModelRegistry } from '@fastback/core'
import { UnknownDataSourceError } from './errors.js'

export interface MigrateOptions {
  /** Name of the environment. Default: NODE_ENV, else `development`. */
  readonly env?: string | undefined
  /** Names of the data sources. Default: all. */
  readonly dataSources?: readonly string[] | undefined
  /** Drops and makes the tables: all rows are lost. Default: false. */
  readonly rebuild?: boolean | undefined
  /** Look, and change nothing. */
  readonly dryRun?: boolean | undefined
}

export interface Migrated {
  readonly dataSource: string
  readonly models: readonly string[]
  /** Whether the tables were as the models say before. */
  readonly upToDate: boolean
  readonly changed: boolean
}

/** Where the real data source stands beside the one in memory. */
const stored = (name: string): string => `${name} (stored)`

/**
 * Brings the tables of a folder's data sources up to date, keeping rows. The folder is booted with its models in
 * memory, so that models which boot scripts attach are there, and no boot script finds a database without tables.
 *
 * ```js
 * await migrate('my-app', { dryRun: true })   // [{ dataSource: 'db', models: ['Note'], upToDate: false, changed: false
 * }]
 * ```
 * @throws the coded errors of `@fastback/boot`, `@fastback/core` and the connectors
 */
export async function migrate (dir: string, options: MigrateOptions = {}): Promise<Migrated[]> {
  const { env } = options
  const configuration = await readConfiguration(dir, { env })
  const names = chosen(configuration, options.dataSources)
  const dataSources: Record<string, Readonly<Record<string, unknown>>> = {}
  for (const { name, settings } of configuration.dataSources) {
    dataSources[name] = { connector: 'memory' }
    if (names.includes(name)) dataSources[stored(name)] = { ...settings, migrate: 'none' }
  }
  const server = await createServer(dir, { env, dataSources, log: false })
  try {
    const results: Migrated[] = []
    for (const name of names) results.push(await migrateOne(server.fastify.registry, name, options))
    return results
  } finally {
    await server.stop()
  }
}

function chosen ({ dataSources }: Configuration, wanted: readonly string[] | undefined): string[] {
  const names = dataSources.map(({ name }) => name)
  const unknown = wanted?.find(name => !names.includes(name))
  if (unknown !== undefined) throw new UnknownDataSourceError(unknown, names.join(', ') || 'none')
  return names.filter(name => wanted === undefined || wanted.includes(name))
}

async function migrateOne (
  registry: ModelRegistry,
  name: string,
  { rebuild = false, dryRun = false }: MigrateOptions
): Promise<Migrated> {
  const models = registry.dataSources[name]?.storedModels() ?? []
  const { connector } = registry.dataSources[stored(name)] as DataSource
  for (const model of models) connector.attach(model)
  const upToDate = await connector.isActual(models)
  const changed = !dryRun && models.length > 0 && (rebuild || !upToDate)
  if (changed) await (rebuild ? connector.automigrate(models) : connector.autoupdate(models))
  return { dataSource: name, models: models.map(model => model.name).sort(), upToDate, changed }
}
