/** What the package says of itself. No type of the driver is among these: it need not be installed to read them. */
import type { Connector, DataSourceSettings } from '@fastback/core'

/** What a data source says, as written. Unknown keys are left to others. */
export interface MongodbDataSourceSettings extends DataSourceSettings {
  /** `mongodb://user:password@host:27017/database` or `mongodb+srv://…`. It wins over the settings one by one. */
  readonly url?: string
  /** Default `localhost`. A list `a:27017,b:27017` may stand here as well. */
  readonly host?: string
  /** Default 27017. */
  readonly port?: number | string
  /** Default: that of the URL, else `test`. */
  readonly database?: string
  readonly user?: string
  readonly username?: string
  readonly password?: string
  /** Database that knows the user. Default: the driver's (`admin`, or the database of the URL). */
  readonly authSource?: string
  /** What `connector.generatedIdType` is: `objectId` (default), or `number` for ids that are counted from 1 on. */
  readonly generatedIds?: 'objectId' | 'number'
  /** Only generated ids, and properties that say `dataType: 'ObjectID'`, are ObjectIDs. Default false. */
  readonly strictObjectIDCoercion?: boolean
  /** Stores geopoints as GeoJSON, with indexes of the kind 2dsphere. Default false: `{ lat, lng }`. */
  readonly enableGeoIndexing?: boolean
  /** Whether there are transactions. Default: true where the URL or `replicaSet` names a replica set. */
  readonly transactions?: boolean
  /** After how many milliseconds a transaction is rolled back when nothing ended it. Default 30000. */
  readonly transactionTimeout?: number
  /** Milliseconds that the database may work on one operation; 0 for any time. Default 30000. */
  readonly operationTimeout?: number
  /** Milliseconds to wait for a server. Default 5000. */
  readonly connectionTimeout?: number
  /** Most connections at a time. Default 10. */
  readonly poolSize?: number
  /** Connects with the first operation instead of at the start. Default false. */
  readonly lazyConnect?: boolean
  /** Collection for counted ids and locks. Default `_fastback`. */
  readonly internalCollection?: string
}

/**
 * The connector of a data source, with what it has beside what every connector has.
 *
 * ```ts
 * import type { Collection } from 'mongodb'
 * const notes = (registry.dataSources.db.connector as MongodbConnector).collection('Note') as Collection
 * ```
 */
export interface MongodbConnector extends Connector {
  /** The driver's client, a `MongoClient`. Throws `FBK_MONGODB_NOT_CONNECTED`. */
  readonly client: object
  /** The driver's database, a `Db`. Throws `FBK_MONGODB_NOT_CONNECTED`. */
  readonly db: object
  /**
   * The driver's `Collection` of a model, or the one of that name: for what models do not say. What it gives are
   * documents, with ObjectIDs; never put objects from outside into a filter of yours.
   */
  collection (name: string): object
}
