/** `fastback discover`: models of the tables that a database has, in an application folder (discovery.md, 6 and 7). */
import path from 'node:path'
import type { DataSource, ModelRegistry } from '@fastback/core'
import { ChangeSet } from './changes/index.js'
import { NoDataSourceError } from './errors.js'
import { withApplication } from './load-application.js'
import {
  definitionFiles, definitionModuleOf, formFor, modelLayoutOf, namesOfFramework, planModels, runsTypeScript, sourceOf,
  type DiscoveredTableReport, type KnownModel, type Layout
} from './model-files/index.js'

/** Which tables, and how their columns become properties. */
export interface TableOptions {
  /** Names of tables and views. Default: all tables. */
  readonly tables?: readonly string[] | undefined
  /** Views as well. Default: false. */
  readonly views?: boolean | undefined
  /** Schema (PostgreSQL) or database (MySQL). Default: that of the data source. */
  readonly schema?: string | undefined
  /** `customers` becomes `Customers`. Default: false, `Customer`. */
  readonly keepPlural?: boolean | undefined
  /** Whole numbers of 64 bits as bigints or texts, which lose nothing. Default: `number`. */
  readonly bigints?: 'number' | 'bigint' | 'text' | undefined
  /** Decimal numbers as decimals or texts. Default: `number` where a number holds them, else `decimal`. */
  readonly decimals?: 'number' | 'decimal' | 'text' | undefined
  /** What columns of JSON hold. Default: `object`. */
  readonly json?: 'object' | 'any' | undefined
  /** Tables with several key columns are published. Default: false. */
  readonly compositeIds?: boolean | undefined
  /** Column by table that tells rows apart, for views and tables without a key. */
  readonly ids?: Readonly<Record<string, string>> | undefined
}

export interface DiscoverOptions extends TableOptions {
  /** Name of the data source. Default: the only one whose connector can be asked. */
  readonly dataSource?: string | undefined
  /** Whether everybody may do everything. Default: false, a rule denies all until others allow. */
  readonly open?: boolean | undefined
  /** Modules with TypeBox in place of JSON. Default: whether the folder has a `tsconfig.json`. */
  readonly typescript?: boolean | undefined
  readonly env?: string | undefined
}

export type { DiscoveredTableReport }

export interface Discovery {
  readonly changes: ChangeSet
  readonly dataSource: string
  readonly models: readonly DiscoveredTableReport[]
  /** Views that became no models, as nobody asked for them (`views`, or their names). */
  readonly leftOut: readonly string[]
}

/**
 * Plans the models of a data source's tables. Nothing is written before `changes` are (`carryOut`).
 *
 * ```js
 * const { changes, models } = await discover('my-app', { dataSource: 'db', tables: ['customer'] })
 * console.log(changes.diff())
 * ```
 * @throws FBK_CLI_NO_FOLDER, FBK_CLI_NO_DATA_SOURCE, FBK_CLI_UNKNOWN_DATA_SOURCE, FBK_DISCOVERY_UNSUPPORTED,
 * FBK_SQL_NO_SUCH_TABLE, FBK_SQL_DISCOVERY_NAME
 */
export async function discover (
  dir: string, { dataSource, env, open, typescript, ...options }: DiscoverOptions = {}
): Promise<Discovery> {
  const folder = path.resolve(dir)
  const layout = modelLayoutOf(folder)
  const changes = new ChangeSet(folder)
  const name = dataSource ?? onlyOne(changes, layout)
  const asked = { env, stores: [name] }
  const source = sourceOf(folder, layout, runsTypeScript)
  const { found, inCode, leftOut } = await withApplication(source, asked, async ({ stores, registry }) => {
    const inCode = modelsInCode(registry, changes, layout)
    const reserved = reservedNames(changes, layout).filter(each => !inCode.some(other => other.name === each))
    const store = stores.get(name) as DataSource
    const found = await store.discover({ ...options, reserved, careful: true })
    return { inCode, found, leftOut: await viewsBeside(store, options) }
  })
  const planning = { dataSource: name, isOpen: open === true, form: formFor(changes, layout, typescript), inCode }
  return { changes, dataSource: name, models: planModels(changes, layout, found, planning), leftOut }
}

async function viewsBeside (store: DataSource, { tables, views, schema }: TableOptions): Promise<string[]> {
  if (tables !== undefined || views === true) return []
  const asked = { views: true, ...(schema === undefined ? {} : { schema }) }
  const all = await store.discoverModelDefinitions(asked) as Array<{ readonly type: string, readonly name: string }>
  return all.filter(({ type }) => type === 'view').map(({ name }) => name)
}

/**
 * Tables and views that a data source has.
 *
 * ```js
 * const tables = await listTables('my-app') // [{ type: 'table', name: 'customer', owner: 'public' }, …]
 * ```
 * @throws as `discover`
 */
export async function listTables (
  dir: string, { dataSource, env }: Pick<DiscoverOptions, 'dataSource' | 'env'> = {}
): Promise<Array<{ readonly type: 'table' | 'view', readonly name: string, readonly owner: string }>> {
  const folder = path.resolve(dir)
  const layout = modelLayoutOf(folder)
  const name = dataSource ?? onlyOne(new ChangeSet(folder), layout)
  return await withApplication(sourceOf(folder, layout, runsTypeScript), { env, stores: [name] }, async ({ stores }) =>
    await (stores.get(name) as DataSource).discoverModelDefinitions({ views: true })) as never
}

/** What tables cannot be called: models of the framework, and those that the folder configures without a file. */
function reservedNames (changes: ChangeSet, layout: Layout): string[] {
  const files = definitionFiles(changes, layout)
  const configured = Object.keys((changes.readJson(layout.modelConfig) ?? {}) as object)
  return [...namesOfFramework, ...configured].filter(name => !files.has(name))
}

/**
 * The data source that can be meant: the only one, or the only one with a relational database; `db` of an application
 * in code.
 */
function onlyOne (changes: ChangeSet, { dataSources, exports }: Layout): string {
  if (exports !== undefined) return 'db'
  const all = Object.entries((changes.readJson(dataSources) ?? {}) as Record<string, { connector?: unknown }>)
    .filter(([name]) => !name.startsWith('$'))
  const relational = all.filter(([, settings]) => /sql|postgres|maria/i.test(String(settings?.connector)))
  const candidates = relational.length > 0 ? relational : all
  const [first] = candidates
  if (first === undefined || candidates.length > 1) throw new NoDataSourceError(all.map(([name]) => name).join(', ') || 'none')
  return first[0]
}

/** Models whose definitions are modules. */
const modelsInCode = (registry: ModelRegistry, changes: ChangeSet, layout: Layout): KnownModel[] =>
  Object.values(registry.models).flatMap(({ modelName, definition }) => {
    const { source, settings, properties, relations } = definition
    const file = layout.exports === undefined ? source : definitionModuleOf(changes, layout, modelName)
    return file === undefined || file.endsWith('.json')
      ? []
      : [{ name: modelName, file, definition: { ...settings, properties, relations } }]
  })
