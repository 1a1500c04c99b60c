/** The settings of an SQL data source. */
import type { DataSourceSettings } from '@fastback/core'

/** What a data source says, as written. Unknown keys are left to others. */
export interface SqlDataSourceSettings extends DataSourceSettings {
  /** `sqlite:FILE`, `sqlite::memory:`, `postgres://…`, `mysql://…`. */
  readonly url?: string
  /** SQLite, LoopBack's way of writing it: a file name or `:memory:`. */
  readonly file?: string
  /** The same, as `loopback-connector-sqlite` has it. */
  readonly file_name?: string
  /**
   * SQLite: an open database (`node:sqlite` or better-sqlite3). It is not closed with the data source. Server
   * databases: the database's name.
   */
  readonly database?: unknown
  /** SQLite: `PRAGMA journal_mode`. Default `wal`. */
  readonly journalMode?: string
  /**
   * SQLite: `PRAGMA synchronous`. Default `normal`: an acknowledged write survives the end of the process, a power
   * failure may lose the last ones; `full` keeps those too.
   */
  readonly synchronous?: string
  /**
   * SQLite: how many pages of 4 kB the log of a file holds before they are written into the file itself, by a thread
   * beside the requests. Default 8000 (32 MB): SQLite's own 1000 cost writes a tenth and more. With `synchronous:
   * normal` a power failure may lose what is in the log.
   */
  readonly walAutocheckpoint?: number
  /**
   * SQLite: how many pages the log may hold at most: from there they are written back within the commit, and requests
   * wait for it (`PRAGMA wal_autocheckpoint`). At least `walAutocheckpoint`; default 30000 (120 MB), or that.
   */
  readonly walLimit?: number
  /**
   * SQLite: kilobytes of a database that each connection keeps in memory, `PRAGMA cache_size`. Default 16000, where
   * SQLite's own is 2000: a page that is not kept is asked of the system each time.
   */
  readonly cacheSize?: number
  /** SQLite: how long to wait for a lock of another process, in milliseconds. Default 5000. */
  readonly busyTimeout?: number
  /**
   * Whether relations to models of the same data source are foreign keys of the database. SQLite enforces those of
   * existing tables only with it. Default false.
   */
  readonly foreignKeys?: boolean
  /**
   * Prepared statements kept per connection. Default 500. At least 2; with servers also 0 for none (poolers that share
   * connections between clients).
   */
  readonly statementCache?: number
  /** After how many milliseconds a transaction is rolled back when nothing ended it. Default 30000. */
  readonly transactionTimeout?: number
  /** Name of the column for what the other columns cannot carry. Default `_extra`. */
  readonly extraColumn?: string
  /**
   * Servers, LoopBack's way of writing it, where there is no `url`. Defaults are the driver's (localhost, the port of
   * the database).
   */
  readonly host?: string
  readonly port?: number | string
  readonly user?: string
  readonly username?: string
  readonly password?: string
  /** PostgreSQL: the schema of the tables. Default: the first of the user's search path, `public` as a rule. */
  readonly schema?: string
  /** PostgreSQL: how the connections are called in the server's lists. Default `fastback`. */
  readonly applicationName?: string
  /** Servers: true for TLS, or the options of Node's `tls.connect`. Default false. */
  readonly ssl?: unknown
  /** Servers: most connections at a time. Default 10. LoopBack's `max` and `connectionLimit` are the same. */
  readonly poolSize?: number
  /** Servers: milliseconds to wait for a connection. Default 5000. */
  readonly connectionTimeout?: number
  /** Servers: milliseconds after which a connection that nobody uses is closed; 0 for never. Default 30000. */
  readonly idleTimeout?: number
  /** Servers: milliseconds that the database may work on one statement; 0 for any time. Default 30000. */
  readonly statementTimeout?: number
  /**
   * Servers: databases that follow this one, and answer reads in its place: URLs, or what is different of these
   * settings (`{ "host": "replica-1" }`). Default: none.
   */
  readonly replicas?: ReadonlyArray<string | Readonly<Record<string, unknown>>>
  /** Milliseconds for which a replica that failed is left out. Default 5000. */
  readonly replicaRetry?: number
  /** PostgreSQL: milliseconds that who wrote waits until a replica has that; then the primary answers. Default 100. */
  readonly replicaWait?: number
  /**
   * Milliseconds for which who wrote reads from the primary. Default: PostgreSQL asks its standbys how far they are;
   * elsewhere 2000.
   */
  readonly primaryAfterWrite?: number
  /**
   * PostgreSQL: `{ "role": "app_request" }`: what is done for the caller of a request is done as this role of the
   * database, which the policies of `fastback migrate --row-security` bind. Default: as the user of the connection.
   */
  readonly rowSecurity?: { readonly role: string }
}
