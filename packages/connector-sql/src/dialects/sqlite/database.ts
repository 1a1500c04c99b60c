/**
 * An open SQLite database: the connection that serves everything, and a second one for transactions where a file can
 * have two.
 */
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { ConnectorContext, MaybePromise } from '@fastback/core'
import { chain } from '@fastback/core/connector'
import { isInFile, type SqlSettings } from '../../settings.js'
import type { TickConnections, Database } from '../driver.js'
import { openingError } from './errors.js'
import { checkpoint } from './checkpoint.js'
import { Checkpointer } from './checkpointer.js'
import { loadDriver, type DriverContext, type SqliteDatabase } from './driver.js'
import type { SqliteDriver } from './driver-module.js'
import { tickConnections, SqliteConnection } from './connection.js'
import { endTick } from './prepared.js'
import { TickWrites } from './tick-writes.js'

/**
 * Opens what the settings name. A folder that does not exist yet is made.
 * @throws FBK_SQL_OPEN naming the file and what is wrong with it
 */
export function openDatabase (
  settings: SqlSettings,
  { dataSource, ...context }: DriverContext & Pick<ConnectorContext, 'dataSource'>
): MaybePromise<Database> {
  if (settings.database !== undefined) {
    return new SqliteConnections(settings, new SqliteConnection(settings.database, settings.statementCache))
  }
  return chain(loadDriver(context), driver => {
    let connection: SqliteConnection
    try {
      if (isInFile(settings)) mkdirSync(dirname(settings.location), { recursive: true })
      connection = openConnection(settings, driver)
    } catch (error) {
      throw openingError(error, dataSource, settings.location)
    }
    return new SqliteConnections(settings, connection, isInFile(settings) ? { driver, log: context.log } : undefined)
  })
}

function openConnection (settings: SqlSettings, driver: SqliteDriver): SqliteConnection {
  const database = driver.open(settings.location)
  try {
    configure(database, settings)
    return new SqliteConnection(database, settings.statementCache)
  } catch (error) {
    database.close()
    throw error
  }
}

/** The values are words from closed lists and whole numbers (`settings.ts`). */
function configure (database: SqliteDatabase, settings: SqlSettings): void {
  database.exec(`PRAGMA busy_timeout = ${settings.busyTimeout}`)
  if (isInFile(settings)) database.exec(`PRAGMA journal_mode = ${settings.journalMode}`)
  database.exec(`PRAGMA synchronous = ${settings.synchronous}`)
  database.exec(`PRAGMA wal_autocheckpoint = ${settings.walAutocheckpoint}`)
  database.exec(`PRAGMA cache_size = -${settings.cacheSize}`)
  database.exec(`PRAGMA foreign_keys = ${settings.foreignKeys ? 'ON' : 'OFF'}`)
}

/** Whether the file has a log (WAL): some file systems cannot have one, whatever the settings say. */
const hasLog = (connection: SqliteConnection): boolean => connection.query('PRAGMA journal_mode', [])[0]?.[0] === 'wal'

class SqliteConnections implements Database {
  readonly singleWriter = true
  readonly ofThisTick: TickConnections | undefined
  readonly #checkpointer: Checkpointer | undefined
  #spare: SqliteConnection | undefined

  /** @param file undefined where there is but the one connection */
  constructor (
    readonly settings: SqlSettings,
    readonly main: SqliteConnection,
    readonly file?: { readonly driver: SqliteDriver, readonly log: DriverContext['log'] }
  ) {
    // A database in memory takes no locks; without a log, readers would keep the writers of other processes waiting.
    if (file === undefined || !hasLog(main)) return
    const writes = new TickWrites(main)
    this.ofThisTick = tickConnections(main, writes)
    this.#checkpointer = new Checkpointer(
      { driver: file.driver.path, file: settings.location, pages: settings.walAutocheckpoint },
      {
        hold: () => { writes.hold() },
        release: () => { writes.release() },
        checkpoint: () => {
          endTick()
          return checkpoint(main.database)
        },
        giveUp: () => { this.#foldAt(settings.walAutocheckpoint) }
      },
      file.log
    )
    this.#foldAt(settings.walLimit)
    main.log.checkpointer = this.#checkpointer
  }

  /**
   * SQLite has one writer at a time, so one connection besides the main one is enough; it stays open for the next
   * transaction.
   */
  reserve (): SqliteConnection | undefined {
    if (this.file === undefined) return undefined
    const connection = this.#spare ?? this.#openSpare(this.file.driver)
    this.#spare = undefined
    return connection
  }

  #openSpare (driver: SqliteDriver): SqliteConnection {
    const connection = openConnection(this.settings, driver)
    connection.log.checkpointer = this.#checkpointer
    if (this.#checkpointer?.isAble === true) foldAt(connection, this.settings.walLimit)
    return connection
  }

  release (connection: SqliteConnection): void {
    if (connection !== this.main) this.#spare = connection
  }

  /** Pages of the log from which SQLite writes it back within a commit. */
  #foldAt (pages: number): void {
    for (const connection of [this.main, this.#spare]) if (connection !== undefined) foldAt(connection, pages)
  }

  close (): MaybePromise<void> {
    return chain(this.#checkpointer?.close(), () => {
      this.#spare?.close()
      if (this.settings.database === undefined) this.main.close()
    })
  }
}

const foldAt = (connection: SqliteConnection, pages: number): void => {
  connection.execute(`PRAGMA wal_autocheckpoint = ${pages}`)
}
