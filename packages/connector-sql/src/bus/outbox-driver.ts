/**
 * Carries the bus by a table that everybody looks into now and then. Numbers are given out in the transaction of the
 * rows, one sender after the other: anyone who sees a number has seen, or can see, all before it.
 */
import type { MaybePromise } from '@fastback/core'
import type { BusDriver, BusLink } from '@fastback/core/bus'
import { chain, eachInSequence, sha256 } from '@fastback/core/connector'
import type { Connection } from '../dialects/driver.js'
import type { SqlSyntax } from '../dialects/sql-syntax.js'
import { OutboxStatements } from './outbox-statements.js'

export interface OutboxSettings {
  /** Milliseconds between two looks. Default: 50. */
  readonly interval?: number
  /** Messages that are kept for who cannot look for a while. Default: 10,000. */
  readonly keep?: number
}

/** Runs work on a connection of the data source. */
export type OnConnection = <T>(work: (connection: Connection) => MaybePromise<T>) => MaybePromise<T>

/** Messages that are read at once. */
const batch = 500

export class OutboxBus implements BusDriver {
  readonly #bus: string
  readonly #sql: OutboxStatements
  readonly #interval: number
  readonly #keep: number
  #last: number | undefined
  #timer: NodeJS.Timeout | undefined
  #looking: Promise<void> | undefined
  /** Which connection is the one that counts: what looks for an earlier one stops. */
  #connection = 0

  constructor (
    namespace: string,
    readonly on: OnConnection,
    syntax: SqlSyntax,
    { interval = 50, keep = 10_000 }: OutboxSettings
  ) {
    // Short, and the same text in every character set and collation.
    this.#bus = sha256(namespace, 'hex')
    this.#sql = new OutboxStatements(syntax, batch)
    this.#interval = interval
    this.#keep = keep
  }

  async connect (link: BusLink): Promise<boolean> {
    await this.close()
    await this.on(connection => eachInSequence(this.#sql.tables, sql => connection.execute(sql)))
    const last = await this.#known() ?? await this.#begin()
    // Whoever emptied the tables took messages with them.
    if (this.#last !== undefined && last < this.#last) this.#last = undefined
    const isWhole = this.#last !== undefined
    this.#last ??= last
    this.#look(link, this.#connection)
    return isWhole
  }

  /** A bus begins by the clock: one that began anew is seen to have. */
  async #begin (): Promise<number> {
    try {
      await this.on(connection => connection.rows(this.#sql.begin, [this.#bus, Date.now() * 1000]))
    } catch (error) {
      // Another member may have been faster.
      if (await this.#known() === undefined) throw error
    }
    return await this.#known() as number
  }

  async #known (): Promise<number | undefined> {
    return await this.on(connection => this.#lastOn(connection))
  }

  #lastOn (connection: Connection): MaybePromise<number | undefined> {
    return chain(connection.query(this.#sql.last, [this.#bus]), ([row]) =>
      row === undefined ? undefined : Number(row[0]))
  }

  async send (texts: readonly string[]): Promise<void> {
    await this.on(connection => connection.atomically(within =>
      chain(this.#take(within, texts.length), last => this.#write(within, texts, last))
    ))
  }

  /** Takes so many numbers; gives the last one. */
  #take (within: Connection, count: number): MaybePromise<number> {
    return chain(within.rows(this.#sql.take, [count, this.#bus]), () =>
      chain(this.#lastOn(within), last => {
        if (last === undefined) throw new Error('the tables of the bus were emptied')
        return last
      }))
  }

  #write (within: Connection, texts: readonly string[], last: number): MaybePromise<void> {
    return chain(this.#insert(within, texts, last - texts.length), () => this.#trim(within, last, texts.length))
  }

  #insert (within: Connection, texts: readonly string[], before: number): MaybePromise<void> {
    return eachInSequence([...texts.entries()], ([position, text]) =>
      chain(within.rows(this.#sql.insert, [this.#bus, before + position + 1, inAscii(text)]), () => {}))
  }

  /** Old messages go now and then, not with each new one. */
  #trim (within: Connection, last: number, added: number): MaybePromise<void> {
    const step = Math.max(1, Math.floor(this.#keep / 10))
    if (Math.floor(last / step) === Math.floor((last - added) / step)) return
    return chain(within.rows(this.#sql.trim, [this.#bus, last - this.#keep]), () => {})
  }

  async close (): Promise<void> {
    this.#connection++
    clearTimeout(this.#timer)
    await this.#looking
  }

  #look (link: BusLink, connection: number): void {
    const isCurrent = (): boolean => connection === this.#connection
    this.#timer = setTimeout(() => {
      this.#looking = this.#read(link, isCurrent).then(
        () => { if (isCurrent()) this.#look(link, connection) },
        (error: unknown) => { if (isCurrent()) link.lost(error) }
      )
    }, this.#interval).unref()
  }

  async #read (link: BusLink, isCurrent: () => boolean): Promise<void> {
    for (let isMore = true; isMore && isCurrent();) {
      const rows = await this.on(connection => connection.query(this.#sql.read, [this.#bus, this.#last]))
      if (!isCurrent()) return
      for (const [number, text] of rows) {
        if (Number(number) !== (this.#last as number) + 1) link.gap()
        this.#last = Number(number)
        link.receive(String(text))
      }
      isMore = rows.length === batch
    }
  }
}

/** JSON that every character set can hold. */
const inAscii = (json: string): string =>
  json.replace(/[\u0080-\uffff]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
