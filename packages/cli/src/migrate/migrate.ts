/** `fastback migrate`: the databases' tables, brought to what the models say. */
import type { DataSource, MigrationPlan, ModelRegistry } from '@fastback/core'
import type { ApplicationSource, LoadOptions } from '../application.js'
import { NotDroppableError } from '../errors.js'
import { withApplication } from '../load-application.js'
import { filesOf, readMigrationFiles, writeMigrationFile, type FileOf } from './files.js'
import { emptyPlan, Store } from './store.js'

export interface MigrateOptions extends LoadOptions {
  /** Names of the data sources. Default: all. */
  readonly dataSources?: readonly string[] | undefined
  /** Drops and makes the tables: all rows are lost. Default: false. */
  readonly rebuild?: boolean | undefined
  /** Look, and change nothing. */
  readonly dryRun?: boolean | undefined
  /** Columns that no property has and that are dropped: `Table.column`. Default: none. */
  readonly allowDrop?: readonly string[] | undefined
  /** A folder: the changes are written into a new file of it, and not made. */
  readonly write?: string | undefined
  /** A folder: its files are applied that were not before, in their order, and nothing else is changed. */
  readonly files?: string | undefined
}

export interface Migrated extends MigrationPlan {
  readonly models: readonly string[]
  /** Whether the tables were as the models say before. */
  readonly upToDate: boolean
  readonly changed: boolean
  /** With `write`: the path of the file. */
  readonly written?: string
  /** With `files`: the names of those that were applied, or with `dryRun` are to be. */
  readonly applied?: readonly string[]
}

/**
 * Brings the tables of an application's data sources up to date, keeping rows. A folder is booted with its models in
 * memory, so that models which boot scripts attach are there, and no boot script finds a database without tables.
 *
 * ```js
 * const [db] = await migrate('my-app', { dryRun: true })
 * console.log(db.upToDate, db.changes, db.differences)
 * ```
 * @param source a folder, a module that exports an application, or the application
 * @throws FBK_CLI_UNKNOWN_DATA_SOURCE; FBK_CLI_NOT_DROPPABLE for a column in `allowDrop` that is not there or has a
 * property; FBK_CLI_MIGRATION_FILES for a folder of files that cannot be used; the coded errors of `@fastback/boot`,
 * `@fastback/core` and the connectors
 */
export async function migrate (source: ApplicationSource, options: MigrateOptions = {}): Promise<Migrated[]> {
  return await withStores(source, options, async (stores, known) => {
    const files = options.files === undefined && options.write === undefined
      ? []
      : await readMigrationFiles((options.files ?? options.write) as string, known)
    const drops = await dropsOf(stores, options.allowDrop ?? [])
    const results: Migrated[] = []
    for (const store of stores) results.push(await migrateOne(store, drops.get(store) ?? [], files, options))
    return results
  })
}

/**
 * What `migrate` would do, by data source, and what it would leave.
 *
 * ```js
 * for (const { changes } of await planMigration('my-app')) console.log(changes.flatMap(({ statements }) => statements))
 * ```
 * @throws as `migrate`
 */
export async function planMigration (
  source: ApplicationSource, options: Pick<MigrateOptions, 'env' | 'dataSources' | 'allowDrop'> = {}
): Promise<MigrationPlan[]> {
  const found = await migrate(source, { ...options, dryRun: true })
  return found.map(({ dataSource, changes, differences }) => ({ dataSource, changes, differences }))
}

async function withStores<T> (
  source: ApplicationSource, { env, dataSources }: MigrateOptions,
  use: (stores: readonly Store[], known: readonly string[]) => Promise<T>
): Promise<T> {
  return await withApplication(source, { env, stores: dataSources ?? 'all' }, async ({ registry, stores }) =>
    await use([...stores].map(([name, store]) => new Store(name, store.connector, modelsOf(registry, name))),
      Object.keys(registry.dataSources)))
}

const modelsOf = (registry: ModelRegistry, name: string): ReturnType<DataSource['storedModels']> =>
  registry.dataSources[name]?.storedModels() ?? []

/** Each name is a column of one data source; nothing is changed before all are known. */
async function dropsOf (stores: readonly Store[], allowDrop: readonly string[]): Promise<Map<Store, string[]>> {
  const drops = new Map<Store, string[]>()
  if (allowDrop.length === 0) return drops
  const there: string[] = []
  for (const store of stores) {
    const droppable = await store.droppable()
    there.push(...droppable)
    drops.set(store, allowDrop.filter(name => droppable.includes(name)))
  }
  const unknown = allowDrop.find(name => !there.includes(name))
  if (unknown !== undefined) throw new NotDroppableError(unknown, there.join(', ') || 'none')
  return drops
}

async function migrateOne (
  store: Store, allowDrop: readonly string[], all: readonly FileOf[],
  { rebuild = false, dryRun = false, write, files: folder }: MigrateOptions
): Promise<Migrated> {
  const { name: dataSource } = store
  const models = store.models.map(({ name }) => name).sort()
  const files = filesOf(all, dataSource)
  if (folder !== undefined) {
    const applied = dryRun ? await store.pending(files) : await store.applyFiles(files)
    const { changes, differences } = await store.plan([])
    const changed = !dryRun && applied.length > 0
    const upToDate = applied.length === 0 && changes.length === 0
    return { dataSource, models, upToDate, changed, applied, changes, differences }
  }
  const { changes, differences } = rebuild && !dryRun ? emptyPlan : await store.plan(allowDrop)
  const upToDate = changes.length === 0 && await store.isActual()
  const found = { dataSource, models, upToDate, changed: false, changes, differences }
  if (write !== undefined) {
    const written = changes.length === 0 || dryRun
      ? undefined
      : await writeMigrationFile(write, all, { dataSource, changes, differences }, await store.pending(files))
    return { ...found, ...(written === undefined ? {} : { written }) }
  }
  const changed = !dryRun && models.length > 0 && (rebuild || !upToDate)
  if (changed) await (rebuild ? store.rebuild() : store.update(allowDrop))
  return { ...found, changed }
}
