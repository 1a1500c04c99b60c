/** `fastback migrate`: the databases' tables, brought to what the models say. */
import type { DataSource, ModelRegistry } from '@fastback/core'
import type { ApplicationSource, LoadOptions } from './application.js'
import { withApplication } from './load-application.js'

export interface MigrateOptions extends LoadOptions {
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

/**
 * Brings the tables of an application's data sources up to date, keeping rows. A folder is booted with its models in
 * memory, so that models which boot scripts attach are there, and no boot script finds a database without tables.
 *
 * ```js
 * await migrate('my-app', { dryRun: true })   // [{ dataSource: 'db', models: ['Note'], upToDate: false, changed: false
 * }]
 * ```
 * @param source a folder, a module that exports an application, or the application
 * @throws FBK_CLI_UNKNOWN_DATA_SOURCE; the coded errors of `@fastback/boot`, `@fastback/core` and the connectors
 */
export async function migrate (source: ApplicationSource, options: MigrateOptions = {}): Promise<Migrated[]> {
  const { env, dataSources = 'all' } = options
  return await withApplication(source, { env, stores: dataSources }, async ({ registry, stores }) => {
    const results: Migrated[] = []
    for (const [name, store] of stores) results.push(await migrateOne(registry, name, store, options))
    return results
  })
}

async function migrateOne (
  registry: ModelRegistry,
  name: string,
  { connector }: DataSource,
  { rebuild = false, dryRun = false }: MigrateOptions
): Promise<Migrated> {
  const models = registry.dataSources[name]?.storedModels() ?? []
  for (const model of models) connector.attach(model)
  const upToDate = await connector.isActual(models)
  const changed = !dryRun && models.length > 0 && (rebuild || !upToDate)
  if (changed) await (rebuild ? connector.automigrate(models) : connector.autoupdate(models))
  return { dataSource: name, models: models.map(model => model.name).sort(), upToDate, changed }
}
