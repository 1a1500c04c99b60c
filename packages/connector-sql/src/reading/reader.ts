/** What it takes to read from a table: a connection, and what the request may still cost. */
import type { Condition, MaybePromise, Query, StoreOptions, Work } from '@fastback/core'
import { fewRows, isPromise } from '@fastback/core/connector'
import type { Connection } from '../dialects/driver.js'
import type { Connections } from '../connections/connections.js'
import type { Table } from '../tables/table.js'

export class Reader {
  /** Undefined for code in the process, which is not bound. */
  readonly work: Work | undefined
  readonly #options: StoreOptions
  readonly #connections: Connections | undefined

  /**
   * @param connections undefined within a transaction of the connector's own, whose connection nobody else gets
   * @param writes whether what is read is then changed
   */
  constructor (
    readonly connection: Connection,
    readonly table: Table,
    options: StoreOptions,
    connections: Connections | undefined,
    readonly writes = false
  ) {
    this.work = options.work
    this.#options = options
    this.#connections = connections
  }

  /** A reader that others do not get the event loop from: within a write of a database that runs in this process. */
  static within (connection: Connection, table: Table, work: Work | undefined): Reader {
    return new Reader(
      connection,
      table,
      work === undefined ? {} : { work: table.dialect.scans ? work : work.atOnce },
      undefined
    )
  }

  /** The same, but nobody else gets the event loop. */
  get atOnce (): Reader {
    return new Reader(
      this.connection,
      this.table,
      { ...this.#options, work: this.work?.atOnce } as StoreOptions,
      this.#connections,
      this.writes
    )
  }

  /** Whether so many rows are asked for that they are read batch by batch. */
  isLarge ({ limit, where }: Query): boolean {
    return this.work !== undefined && (limit === undefined || limit > fewRows) && !this.#areFewIds(where)
  }

  /**
   * An include by id reads no more rows than there are ids; it has no limit, since SQLite sorts more slowly with one.
   */
  #areFewIds (where: Condition | undefined): boolean {
    if (where?.kind !== 'in' || where.op !== 'inq' || where.values.length > fewRows) return false
    const { id, isKeyed } = this.table
    return isKeyed && where.path.path.length === 0 && where.path.property === id?.property.name
  }

  /**
   * Resolves when the connection may be used again, after others had their turn: one of them may have begun a
   * transaction on it.
   */
  ready (until?: number): MaybePromise<void> {
    if (this.#connections === undefined || this.#connections.for(this.#options, this.writes) !== undefined) return
    return this.#connections.whenIdle(until).then(until => this.ready(until))
  }
}

/** Calls `step` until it says that there is no more (false), without a promise as long as it gives none. */
export function repeat (step: () => MaybePromise<boolean>): MaybePromise<void> {
  for (;;) {
    const again = step()
    if (isPromise(again)) return again.then(yes => yes ? goOn(step) : undefined)
    if (!again) return
  }
}

async function goOn (step: () => MaybePromise<boolean>): Promise<void> {
  while (await step()) { /* the step does it */ }
}

/** Characters and bytes of a raw row, about. */
export function sizeOfRaw (raw: readonly unknown[]): number {
  let size = 0
  for (let i = 0; i < raw.length; i++) {
    const value = raw[i]
    size += typeof value === 'string' || value instanceof Uint8Array ? value.length : 8
  }
  return size
}

/** Characters of one batch, about. */
const batchSize = 262_144

/** How many rows the next batch had better have, so that it is neither large nor one of very many. */
export function nextBatch (rows: ReadonlyArray<readonly unknown[]>, most: number): number {
  let size = 0
  for (const raw of rows) size += sizeOfRaw(raw)
  return Math.max(10, Math.min(most, Math.floor(batchSize * rows.length / Math.max(1, size))))
}
