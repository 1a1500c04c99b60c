/** Databases that follow another one, and answer reads in its place. */
import type { Around, MaybePromise, StoreOptions } from '@fastback/core'
import { isPromise } from '@fastback/core/connector'
import type { Connections } from '../connections/connections.js'
import { isDatabaseSilent } from '../dialects/server/in-time.js'
import { Latest } from './latest.js'
import type { Mark } from './mark.js'
import { Replica, type ReplicaOptions } from './replica.js'
import { Written } from './written.js'

export interface ReplicasOptions extends Omit<ReplicaOptions, 'open'> {
  readonly opens: ReadonlyArray<() => Promise<Connections>>
  /** Where what is written is. */
  readonly primary: Connections
  /** Milliseconds that a read of somebody who wrote waits for a replica. */
  readonly wait: number
}

export class Replicas {
  readonly #replicas: readonly Replica[]
  readonly #written: Written
  readonly #wait: number
  /** Sessions that wrote in a transaction that is open. */
  readonly #within = new WeakMap<object, Set<string | undefined>>()
  #turn = 0

  constructor ({ opens, primary, wait, ...options }: ReplicasOptions) {
    this.#replicas = opens.map(open => new Replica({ ...options, open }))
    this.#wait = wait
    const { replication } = options
    const position = replication && new Latest(() => replication.written(primary.database.main))
    const at = (position?: bigint): Mark => ({ at: performance.now(), position })
    this.#written = new Written(() => position === undefined ? at() : position.get().then(at, () => at()))
    // Anyone who is there is found before the first read.
    for (const replica of this.#replicas) replica.start()
  }

  /**
   * Reads from a replica whose turn it is. Where there is none that answers, and has what the session wrote, the
   * primary does.
   */
  read<T> (
    session: string | undefined,
    onReplica: (connections: Connections) => MaybePromise<T>,
    onPrimary: () => MaybePromise<T>
  ): MaybePromise<T> {
    const up = this.#replicas.filter(({ isUp }) => isUp)
    return up.length === 0 ? onPrimary() : this.#readFrom(up, session, onReplica, onPrimary)
  }

  async #readFrom<T> (
    up: readonly Replica[],
    session: string | undefined,
    onReplica: (connections: Connections) => MaybePromise<T>,
    onPrimary: () => MaybePromise<T>
  ): Promise<T> {
    const mark = await this.#written.of(session)
    const fit = mark === undefined ? up : up.filter(replica => replica.has(mark))
    const among = fit.length > 0 ? fit : up
    const replica = among[this.#turn++ % among.length] as Replica
    if (mark !== undefined && !await replica.getsSoon(mark, this.#wait)) return await onPrimary()
    try {
      return await onReplica(replica.connections)
    } catch (error) {
      if (isAway(error)) replica.leaveOut(error)
      else if (!isReplicas(error)) throw error
      return await onPrimary()
    }
  }

  /** Does what changes rows, on the primary, and takes note of it. */
  write<T> ({ transaction, session }: StoreOptions, work: () => MaybePromise<T>): MaybePromise<T> {
    if (transaction !== undefined && transaction !== null) {
      const sessions = this.#within.get(transaction)
      if (sessions === undefined) this.#within.set(transaction, new Set([session]))
      else sessions.add(session)
      return work()
    }
    return this.#afterwards(work, () => { this.#written.wrote(session) })
  }

  /** Ends a transaction: what was written in it may hold for everybody. */
  commit<T> (transaction: unknown, work: () => MaybePromise<T>): MaybePromise<T> {
    const sessions = this.#within.get(transaction as object)
    if (sessions === undefined) return work()
    return this.#afterwards(work, () => { for (const session of sessions) this.#written.wrote(session) })
  }

  /** An error does not say that nothing was written. */
  #afterwards<T> (work: () => MaybePromise<T>, note: () => void): MaybePromise<T> {
    const result = work()
    if (isPromise(result)) return result.finally(note)
    note()
    return result
  }

  observe (around: Around | undefined): void {
    for (const replica of this.#replicas) replica.observe(around)
  }

  async close (): Promise<void> {
    await Promise.all(this.#replicas.map(replica => replica.close()))
  }
}

const codeOf = (error: unknown): unknown => (error as { code?: unknown } | null)?.code

/** Whether the replica does not answer. */
const isAway = (error: unknown): boolean => codeOf(error) === 'DATABASE_UNAVAILABLE' || isDatabaseSilent(error)

/**
 * Whether the primary may know better: a table that has not come yet, a read that stood in the way of what is replayed.
 * What took too long, and what the query itself is to blame for, would be the same there.
 */
function isReplicas (error: unknown): boolean {
  const { statusCode = 500 } = error as { statusCode?: number }
  return statusCode >= 500 && codeOf(error) !== 'DATABASE_TIMEOUT'
}
