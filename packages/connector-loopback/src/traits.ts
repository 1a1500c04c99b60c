/** What a legacy connector can be trusted with. */
import { methodOf, takesOptions } from './call.js'
import type { LegacyDataSource } from './legacy/data-source.js'

export interface Traits {
  /** The connector's name, by which properties say what is for it. */
  readonly connector: string
  /** A store of tables: no properties but the declared ones, missing values are null, objects are JSON text. */
  readonly relational: boolean
  /**
   * Conditions are kept to. Connectors that take no options (rest) hand the filter on to whatever is at the other end,
   * which may not know it: each row is looked at again, and nothing is changed or removed by condition.
   */
  readonly filters: boolean
  /**
   * Conditions, order and page are all the connector's work, as in LoopBack, each as its store means it; setting
   * `exactQueries` of the data source takes that back.
   */
  readonly trusted: boolean
  /** Conditions and orders may be about paths into objects, and about properties that the definition does not have. */
  readonly documents: boolean
  /** There is `ilike`. */
  readonly ignoresCase: boolean
  /** Text compares exactly; where a collation decides, `Ä` may equal `a`. */
  readonly exactText: boolean
  /** Null comes before all values. */
  readonly nullsFirst: boolean
  /** Statements may end in `FOR UPDATE`. */
  readonly locks: boolean
}

const exactStores = ['postgresql', 'sqlite3', 'sqlite', 'oracle', 'db2', 'dashdb']
const nullsFirstStores = ['mysql', 'sqlite3', 'sqlite', 'mssql']
const documentStores = ['mongodb', 'cloudant', 'couchdb', 'couchdb2', 'cosmosdb']
const lockingStores = ['postgresql', 'mysql', 'oracle']

export function traitsOf (dataSource: LegacyDataSource): Traits {
  const connector = dataSource.complete ?? {}
  const name = String(connector.name)
  const relational = dataSource.isRelational()
  const filters = takesOptions(connector, 'all', 2)
  return {
    connector: name,
    relational,
    filters,
    trusted: filters && dataSource.settings.exactQueries !== true,
    documents: documentStores.includes(name),
    ignoresCase: name === 'postgresql',
    exactText: !relational || exactStores.includes(name),
    nullsFirst: relational && nullsFirstStores.includes(name),
    locks: lockingStores.includes(name) && methodOf(connector, 'buildWhere') !== undefined &&
      methodOf(connector, 'tableEscaped') !== undefined
  }
}
