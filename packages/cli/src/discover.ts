/** `fastback discover`: models of the tables that a database has, in an application folder (discovery.md, 6 and 7). */
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { DataSource, DiscoveredModel, ModelRegistry } from '@fastback/core'
import { ChangeSet } from './changes/index.js'
import { NoDataSourceError } from './errors.js'
import { withApplication } from './load-application.js'
import { definitionFiles, formFor, layoutOf, planModel, tableModel, type DefinitionForm, type Layout } from './model-files/index.js'

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
  /** Whole numbers of 64 bits as texts, which lose nothing. Default: `number`. */
  readonly bigints?: 'number' | 'text' | undefined
  /** Decimal numbers as texts. Default: `number`, where a number holds them. */
  readonly decimals?: 'number' | 'text' | undefined
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

/** What became of one table. */
export interface DiscoveredTableReport {
  readonly model: string
  readonly table: string
  readonly file: string
  readonly state: 'new' | 'changed' | 'same'
  /** Rule and reason: what was left out, what lost something, what is gone from the database. */
  readonly notes: readonly string[]
}

export interface Discovery {
  readonly changes: ChangeSet
  readonly dataSource: string
  readonly models: readonly DiscoveredTableReport[]
}

const denied = { accessType: '*', principalType: 'ROLE', principalId: '$everyone', permission: 'DENY' }

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
  const layout = layoutOf(folder)
  const changes = new ChangeSet(folder)
  const name = dataSource ?? onlyOne(changes, layout)
  const { found, inCode } = await withApplication(folder, { env, stores: [name] }, async ({ stores, registry }) => {
    const inCode = modelsInCode(registry)
    const reserved = reservedNames(changes, layout).filter(each => !inCode.some(other => other.name === each))
    return { inCode, found: await (stores.get(name) as DataSource).discover({ ...options, reserved }) }
  })
  const planning = { dataSource: name, isOpen: open === true, form: formFor(changes, typescript), inCode }
  return { changes, dataSource: name, models: planModels(changes, layout, found, planning) }
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
  const name = dataSource ?? onlyOne(new ChangeSet(folder), layoutOf(folder))
  return await withApplication(folder, { env, stores: [name] }, async ({ stores }) =>
    await (stores.get(name) as DataSource).discoverModelDefinitions({ views: true })) as never
}

/** What tables cannot be called: models of the framework, and those that the folder configures without a file. */
function reservedNames (changes: ChangeSet, layout: Layout): string[] {
  const files = definitionFiles(changes, layout)
  const configured = Object.keys((changes.readJson(layout.modelConfig) ?? {}) as object)
  return [...builtinModels, ...configured].filter(name => !files.has(name))
}

const builtinModels = [
  'Model', 'PersistedModel', 'KeyValueModel', 'User', 'AccessToken', 'ACL', 'Role', 'RoleMapping', 'Scope',
  'Application', 'Email', 'Change', 'Checkpoint'
]

/** The data source that can be meant: the only one, or the only one with a relational database. */
function onlyOne (changes: ChangeSet, { dataSources }: Layout): string {
  const all = Object.entries((changes.readJson(dataSources) ?? {}) as Record<string, { connector?: unknown }>)
    .filter(([name]) => !name.startsWith('$'))
  const relational = all.filter(([, settings]) => /sql|postgres|maria/i.test(String(settings?.connector)))
  const candidates = relational.length > 0 ? relational : all
  const [first] = candidates
  if (first === undefined || candidates.length > 1) throw new NoDataSourceError(all.map(([name]) => name).join(', ') || 'none')
  return first[0]
}

/** A model that the folder has. */
interface KnownModel { readonly name: string, readonly file: string, readonly definition: Definition }

/** Models whose definitions are modules. */
const modelsInCode = (registry: ModelRegistry): KnownModel[] =>
  Object.values(registry.models).flatMap(({ modelName, definition: { source, settings, properties, relations } }) =>
    source === undefined || source.endsWith('.json')
      ? []
      : [{ name: modelName, file: source, definition: { ...settings, properties, relations } }])

interface Planning {
  readonly dataSource: string
  readonly isOpen: boolean
  readonly form?: DefinitionForm
  readonly inCode?: readonly KnownModel[]
}

/** Plans new models, and what is new in those that the folder has (DR-10). */
export function planModels (
  changes: ChangeSet, layout: Layout, found: readonly DiscoveredModel[],
  { dataSource, isOpen, form = 'json', inCode = [] }: Planning
): DiscoveredTableReport[] {
  const files = definitionFiles(changes, layout)
  const inJson = [...files].map(([name, file]) => ({ name, file, definition: changes.readJson(file) as Definition }))
  const known: KnownModel[] = [...inJson, ...inCode]
  return found.map(({ public: isPublic, notes = [], ...definition }) => {
    const table = tableOf(definition as Definition)
    const same = known.find(each => table !== undefined && tableOf(each.definition) === table) ??
      known.find(({ name }) => name === definition.name)
    const report = { model: same?.name ?? definition.name, table: table ?? definition.name }
    if (same !== undefined && inCode.includes(same)) {
      return { ...report, file: same.file, state: 'same', notes: [...notes, ...newFor(same, definition as Definition)] }
    }
    if (same !== undefined) {
      const gone = refresh(changes, same.file, same.definition, definition as Definition)
      const isChanged = changes.changes.some(({ file }) => file === same.file)
      return { ...report, file: same.file, state: isChanged ? 'changed' : 'same', notes: [...notes, ...gone] }
    }
    const whole = { ...definition, acls: isOpen ? [] : [denied] }
    const key = ownSettings(definition.options)?.key
    const file = planModel(changes, layout, {
      ...(form === 'json' || key === undefined ? { definition: whole } : tableModel(whole, key)),
      form,
      dataSource,
      isPublic: isPublic !== false
    })
    return { ...report, file, state: 'new', notes }
  })
}

interface Definition {
  readonly options?: Readonly<Record<string, unknown>>
  readonly properties?: Readonly<Record<string, unknown>>
  readonly relations?: Readonly<Record<string, unknown>>
  readonly [key: string]: unknown
}

/** Where the settings of databases stand. */
const databases = ['postgresql', 'mysql', 'sqlite3', 'postgres', 'mariadb', 'sqlite'] as const

interface OwnSettings { readonly key: string, readonly settings: Readonly<Record<string, unknown>> }

function ownSettings (holder: unknown): OwnSettings | undefined {
  const members = (holder ?? {}) as Readonly<Record<string, OwnSettings['settings']>>
  const key = databases.find(name => typeof members[name] === 'object')
  return key === undefined ? undefined : { key, settings: members[key] as OwnSettings['settings'] }
}

/** `schema.table`; undefined for models that name none. */
function tableOf ({ options, ...definition }: Definition): string | undefined {
  const found = ownSettings(options) ?? ownSettings(definition)
  return typeof found?.settings.table === 'string' ? `${String(found.settings.schema)}.${found.settings.table}` : undefined
}

/**
 * Brings what the database says into a file: settings of columns, new properties, new relations. What a person wrote
 * stays.
 * @returns what the database no longer has
 */
function refresh (changes: ChangeSet, file: string, present: Definition, found: Definition): string[] {
  const byColumn = new Map(Object.entries(present.properties ?? {}).map(([name, property]) =>
    [String(ownSettings(property)?.settings.columnName ?? name).toLowerCase(), name]))
  for (const [name, property] of Object.entries(found.properties ?? {})) {
    const own = ownSettings(property) as OwnSettings
    const column = String(own.settings.columnName).toLowerCase()
    const there = byColumn.get(column)
    byColumn.delete(column)
    if (there === undefined) changes.setJson(file, ['properties', name], property)
    else if (!isDeepStrictEqual(ownSettings(present.properties?.[there])?.settings, own.settings)) {
      changes.setJson(file, ['properties', there, own.key], own.settings)
    }
  }
  const relations = Object.entries(present.relations ?? {})
  for (const [name, relation] of Object.entries(found.relations ?? {})) {
    if (!relations.some(([, other]) => joinsAlike(other, relation)) && present.relations?.[name] === undefined) {
      changes.setJson(file, ['relations', name], relation)
    }
  }
  return [...byColumn.entries()]
    .filter(([, name]) => ownSettings(present.properties?.[name]) !== undefined)
    .map(([column, name]) => `DR-10: the table has no column "${column}" any more; the property "${name}" stays`)
}

/** What a definition in code lacks: it is told, and its author writes it. */
function newFor ({ file, definition }: KnownModel, found: Definition): string[] {
  const columns = Object.entries(definition.properties ?? {}).map(([name, property]) =>
    String(ownSettings(property)?.settings.columnName ?? name).toLowerCase())
  return [
    ...Object.entries(found.properties ?? {})
      .map(([name, property]) => [name, String(ownSettings(property)?.settings.columnName)] as const)
      .filter(([, column]) => !columns.includes(column.toLowerCase()))
      .map(([name, column]) => `DR-10: the column "${column}" is new; add the property "${name}" in ${file}`),
    ...Object.entries(found.relations ?? {})
      .filter(([name, relation]) => definition.relations?.[name] === undefined &&
        !Object.values(definition.relations ?? {}).some(other => joinsAlike(other, relation)))
      .map(([name]) => `DR-10: the relation "${name}" is new; add it in ${file}`)
  ]
}

/** Relations are the same whatever they are called. */
const joinsAlike = (a: unknown, b: unknown): boolean => {
  const joined = ({ type, model, foreignKey, through }: Record<string, unknown>) =>
    ({ type, model, foreignKey, through })
  return isDeepStrictEqual(joined(a as Record<string, unknown>), joined(b as Record<string, unknown>))
}
