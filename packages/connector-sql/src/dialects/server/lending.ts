/** Connections of a pool, lent one after another to those who wait for one. */
import type { PoolUsage } from '@fastback/core'
import { caused, databaseUnavailable } from '../../errors.js'
import type { ServerSettings } from '../../server-settings.js'
import type { ServerDriver } from './driver.js'
import { inTime, DatabaseSilent, WaitingList, type Waiting } from './in-time.js'

/** Who waits for a connection, and gets one of the two. */
export interface Borrower<Client> extends Waiting {
  /** The connection is set up, and nobody else's until it is given back. It must not throw. */
  taken (client: Client): void
  refused (error: unknown): void
}

/**
 * A connection that is given back goes at once to who has waited longest: neither the driver's pool nor a promise
 * stands between a response and the next statement. What nobody waits for goes back to the pool.
 */
export class Lending<Client extends object, Result> {
  readonly #driver: ServerDriver<Client, Result>
  #size: number
  /** Milliseconds that setting a connection up may take. */
  readonly #connecting: number
  readonly #waiting: WaitingList<Borrower<Client>>
  /** Connections that are set up. */
  readonly #ready = new WeakSet<Client>()
  /** Those that somebody has, and those that the pool was asked for. */
  #used = 0
  #opening = 0

  constructor (driver: ServerDriver<Client, Result>, { poolSize, connectionTimeout }: ServerSettings) {
    this.#driver = driver
    this.#size = poolSize
    this.#connecting = connectionTimeout
    this.#waiting = new WaitingList(connectionTimeout, borrower => {
      borrower.refused(caused(databaseUnavailable(), new DatabaseSilent()))
    })
  }

  get usage (): PoolUsage {
    return { used: this.#used, size: this.#size, waiting: this.#waiting.size }
  }

  /** From now on it lends no more than so many at a time. */
  limit (size: number): void {
    this.#size = size
  }

  /** Lends a connection as soon as there is one, or says that there is none in time. */
  lend (borrower: Borrower<Client>): void {
    this.#waiting.add(borrower)
    this.#openForThem()
  }

  /** `lend`, as a promise. */
  borrow (): Promise<Client> {
    return new Promise((resolve, reject) => { this.lend({ until: 0, taken: resolve, refused: reject }) })
  }

  /** Gives a connection back; a lost one is closed. */
  giveBack (client: Client, lost: boolean): void {
    const next = lost ? undefined : this.#waiting.shift()
    if (next !== undefined) {
      next.taken(client)
      return
    }
    this.#used--
    this.#driver.release(client, lost)
    this.#openForThem()
  }

  /** Asks the pool for as many connections as are waited for, and as it has. */
  #openForThem (): void {
    while (this.#opening < this.#waiting.size && this.#used + this.#opening < this.#size) {
      this.#opening++
      this.#driver.connect(client => { this.#opened(client) }, error => { this.#failed(error) })
    }
  }

  #opened (client: Client): void {
    if (this.#ready.has(client)) this.#lendOpened(client)
    else this.#setUp(client)
  }

  #setUp (client: Client): void {
    inTime(this.#connecting, this.#driver.setUp(client)).then(() => {
      this.#ready.add(client)
      this.#lendOpened(client)
    }, (error: unknown) => {
      this.#driver.release(client, true)
      this.#failed(error)
    })
  }

  #lendOpened (client: Client): void {
    this.#opening--
    this.#used++
    this.giveBack(client, false)
  }

  /** Where none is available, nothing would be gained by waiting for one again. */
  #failed (error: unknown): void {
    this.#opening--
    this.#waiting.shift()?.refused(error)
    this.#openForThem()
  }
}
