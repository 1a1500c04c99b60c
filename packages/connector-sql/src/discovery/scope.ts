/** Which tables discovery is asked for (discovery.md, section 2). */
import type { Catalogue, CatalogueTable } from '../dialects/catalogue.js'
import type { Connection } from '../dialects/driver.js'
import { NoSuchTableError } from '../errors.js'

export interface ScopeOptions {
  /** The schema (PostgreSQL), the database (MySQL). Default: that of the data source. `schema` is the same. */
  readonly owner?: string | undefined
  readonly schema?: string | undefined
  /** All schemas but those of the system, where none is named. Default: false. */
  readonly all?: boolean | undefined
  /** Views as well. Default: false. */
  readonly views?: boolean | undefined
  readonly limit?: number | undefined
  readonly offset?: number | undefined
  readonly skip?: number | undefined
}

const schemaOf = ({ owner, schema }: ScopeOptions): string | undefined => owner ?? schema

/** The tables that the options name, in the order of schemas and names. */
export async function tablesIn (
  catalogue: Catalogue, connection: Connection, options: ScopeOptions
): Promise<CatalogueTable[]> {
  const named = schemaOf(options)
  const schemas = named === undefined && options.all === true
    ? (await catalogue.schemas(connection)).map(({ schema }) => schema)
    : [named]
  const found: CatalogueTable[] = []
  for (const schema of schemas) found.push(...await catalogue.tables(connection, { schema, tables: undefined }))
  const wanted = options.views === true ? found : found.filter(({ kind }) => kind === 'table')
  const start = options.offset ?? options.skip ?? 0
  return wanted.slice(start, options.limit === undefined ? undefined : start + options.limit)
}

/** One table or view; undefined where there is none of that name. */
export async function tableNamed (
  catalogue: Catalogue, connection: Connection, name: string, options: ScopeOptions
): Promise<CatalogueTable | undefined> {
  const [table] = await catalogue.tables(connection, { schema: schemaOf(options), tables: [name] })
  return table
}

/**
 * The tables of these names, in the order in which they were found.
 * @throws FBK_SQL_NO_SUCH_TABLE
 */
export function onlyNamed (found: readonly CatalogueTable[], names: readonly string[]): CatalogueTable[] {
  const missing = names.find(name => !found.some(table => table.name === name))
  if (missing !== undefined) throw new NoSuchTableError(missing)
  return found.filter(({ name }) => names.includes(name))
}

/** Keys of other tables, of any schema that is looked at, that lead to one. */
export async function keysTo (
  catalogue: Catalogue, connection: Connection, name: string, options: ScopeOptions
): Promise<Array<{ readonly from: CatalogueTable, readonly key: CatalogueTable['foreignKeys'][number] }>> {
  const schema = schemaOf(options) ?? await catalogue.currentSchema(connection)
  const found = await tablesIn(catalogue, connection, { all: true })
  return found.flatMap(from => from.foreignKeys
    .filter(({ target }) => target.schema === schema && target.table === name)
    .map(key => ({ from, key })))
}
