/** Models from tables (discovery.md, DI-11, sections 5 and 6). */
import type { DiscoveredModel } from '@fastback/core'
import type { CatalogueTable } from '../dialects/catalogue.js'
import { DiscoveryNameError } from '../errors.js'
import { camelName, isUsable, modelNameOf } from './names.js'
import { propertiesOf, type PropertyOptions } from './properties.js'
import { relationsOf, type FoundRelations, type NamedTable } from './relations.js'

export interface NamingOptions {
  /** Makes names: `('table' | 'column', name)`; undefined leaves a name to the usual rule. */
  readonly nameMapper?: ((kind: 'table' | 'column', name: string) => string | undefined) | null | undefined
  /** Names stay as they are in the database. Default: false. */
  readonly disableDefaultNameMapper?: boolean | undefined
  /** `customers` becomes `Customers`. Default: false, `Customer`. */
  readonly keepPlural?: boolean | undefined
  /** Names that other models have: the table `user` becomes `UserRecord` where there is a `User`. */
  readonly reserved?: readonly string[] | undefined
}

export interface DiscoverOptions extends NamingOptions, PropertyOptions {
  /** The schema in which the data source looks for rows. Models of tables elsewhere say where they are. */
  readonly currentSchema?: string | undefined
  /** As `TableMigration.schemaKey`. */
  readonly schemaKey?: string | undefined
  /** Tables with several key columns are published (DR-2); no route of theirs has one id. Default: false. */
  readonly compositeIds?: boolean | undefined
  /** Column by table, for tables and views without a key (DR-3). */
  readonly ids?: Readonly<Record<string, string>> | undefined
}

/** Methods that need an id. */
const byId = ['findById', 'exists', 'replaceById', 'deleteById', 'prototype.patchAttributes', 'replaceOrCreate', 'patchOrCreate']
/** Methods that write. */
const writing = ['create', 'updateAll', 'upsertWithWhere', 'createChangeStream']

/**
 * The models of tables, in their order.
 * @param settingsKey where settings of the database stand: `postgresql`
 * @throws FBK_SQL_DISCOVERY_NAME
 */
export function modelsOf (
  tables: readonly CatalogueTable[], settingsKey: string, options: DiscoverOptions = {}
): DiscoveredModel[] {
  const warnings = new Map<string, string[]>()
  const named = namesOf(tables.map(table => withKey(table, options.ids?.[table.name])), options, warnings)
  const relations = relationsOf(named)
  return named.map(each => {
    const { table, model, properties: names } = each
    const found = propertiesOf(table, settingsKey, options)
    const { relations: own, notes, isPureJunction } = relations.get(model) as FoundRelations
    const key = table.primaryKey?.columns ?? []
    const keyProperty = key.length === 1 ? found.get(key[0] as string)?.definition : undefined
    const hasBytesAsKey = options.careful === true && keyProperty?.type === 'buffer'
    const isHidden = (key.length > 1 && options.compositeIds !== true) || isPureJunction
    const indexes = indexesOf(each)
    const all = [
      ...(warnings.get(model) ?? []),
      ...keyNotes(key.length, options.compositeIds === true, isPureJunction),
      ...(key.length === 0 ? [`DR-3: no key, ${table.kind === 'view' ? 'only read' : 'not addressed by an id'}`] : []),
      ...(hasBytesAsKey ? ['DR-3: its key is bytes, which no address holds: only lists'] : []),
      ...notes,
      ...[...found.values()].flatMap(property => property.notes)
    ]
    return {
      name: model,
      base: 'PersistedModel',
      ...(options.careful === true ? { strict: true } : {}),
      idInjection: false,
      ...(keyProperty?.generated === false ? { forceId: false as const } : {}),
      ...(table.comment === undefined ? {} : { description: table.comment }),
      options: {
        validateUpsert: true,
        [settingsKey]: { schema: table.schema, ...elsewhere(table, options), table: table.name },
        ...closed(table, key.length === 0 || hasBytesAsKey)
      },
      properties: Object.fromEntries([...found].map(([column, { definition }]) => [names.get(column), definition])),
      relations: own,
      ...(Object.keys(indexes).length === 0 ? {} : { indexes }),
      ...(isHidden ? { public: false as const } : {}),
      ...(all.length === 0 ? {} : { notes: all })
    }
  })
}

/** Where the connector does not read `schema`, what it reads of a table that is not where it looks. */
const elsewhere = (
  { schema }: CatalogueTable, { currentSchema, schemaKey }: DiscoverOptions
): Record<string, string> =>
  schemaKey === undefined || schemaKey === 'schema' || schema === currentSchema ? {} : { [schemaKey]: schema }

function keyNotes (columns: number, isPublished: boolean, isPureJunction: boolean): string[] {
  if (columns > 1 && !(isPublished && isPureJunction)) {
    const what = isPublished ? 'no route has one id in its path' : 'public false'
    return [`DR-2: ${columns === 2 ? 'two' : columns} key columns, ${what}`]
  }
  return isPureJunction ? ['DR-7: it only joins two others, public false'] : []
}

/** A view, or a table without a key, gets the key that the options name. */
function withKey (table: CatalogueTable, column: string | undefined): CatalogueTable {
  if (column === undefined || !table.columns.some(({ name }) => name === column)) return table
  return { ...table, primaryKey: { name: column, columns: [column] } }
}

/** @param isListed its rows have no address */
function closed ({ kind }: CatalogueTable, isListed: boolean): Record<string, unknown> {
  const methods = [
    ...(isListed ? byId : []),
    ...(kind === 'view' ? [...writing, ...isListed ? [] : byId.slice(2)] : [])
  ]
  if (methods.length === 0) return {}
  return { remoting: { sharedMethods: Object.fromEntries(methods.map(name => [name, false])) } }
}

/** Indexes of several columns; those of one stand at their properties. */
function indexesOf ({ table, properties }: NamedTable): Record<string, unknown> {
  const several = table.indexes.filter(({ columns }) => columns.length > 1)
  return Object.fromEntries(several.map(({ name, unique, columns, descending }) => [name, {
    keys: Object.fromEntries(columns.map(column =>
      [properties.get(column), descending?.includes(column) === true ? -1 : 1])),
    ...(unique ? { options: { unique: true } } : {})
  }]))
}

function namesOf (
  tables: readonly CatalogueTable[], options: NamingOptions, warnings: Map<string, string[]>
): NamedTable[] {
  const { nameMapper, keepPlural = false } = options
  const asIs = nameMapper === null || options.disableDefaultNameMapper === true
  const mapped = (kind: 'table' | 'column', name: string): string => {
    const usual = asIs ? name : kind === 'table' ? modelNameOf(name, keepPlural) : camelName(name)
    const made = (typeof nameMapper === 'function' ? nameMapper(kind, name) : undefined) ?? usual
    if (!isUsable(made) || /[.\s]/.test(made)) throw new DiscoveryNameError(kind, name)
    return made
  }
  const models = new Set<string>()
  const reserved = new Set(options.reserved)
  return tables.map(table => {
    const notes: string[] = []
    const unique = (name: string, taken: Set<string>, what: string): string => {
      let free = name
      for (let number = 2; taken.has(free); number++) free = `${name}${number}`
      if (free !== name) notes.push(`DN-3: ${what} becomes "${free}", as "${name}" is taken`)
      taken.add(free)
      return free
    }
    const wanted = mapped('table', table.name)
    if (reserved.has(wanted)) notes.push(`DN-3: it is called "${wanted}Record", as there is another "${wanted}"`)
    const model = unique(reserved.has(wanted) ? `${wanted}Record` : wanted, models, `the table "${table.name}"`)
    const taken = new Set<string>()
    const properties = new Map(table.columns.map(({ name }) =>
      [name, unique(mapped('column', name), taken, `the column "${name}"`)]))
    if (notes.length > 0) warnings.set(model, notes)
    return { table, model, properties }
  })
}
