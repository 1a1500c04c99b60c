/** What processes of one application tell each other, and what carries it. */
import type { MaybePromise } from '../maybe-promise.js'

/** As much of a log as a bus uses. */
export interface BusLog {
  warn (details: object, message: string): void
  debug (details: object, message: string): void
}

/** Who hears of a topic. Both are needed: what nobody hears of for sure must not be kept as if it were. */
export interface BusListener {
  /** What another process published, in the order in which that process did. Never what this one published. */
  message (payload: unknown): void
  /** Messages may be lost: what was made of them, or was not told, is to be looked at again. */
  reset (): void
  /**
   * Whether anybody else is there has changed: while nobody is, nothing has to be prepared for them. Called before
   * anything that they publish is.
   */
  others? (areThere: boolean): void
}

/**
 * Tells other processes of the same application what happened: `registry.bus`. Without a driver it is in-process:
 * nobody else is there, and `publish` does nothing.
 *
 * ```js
 * const stop = registry.bus.subscribe('prices', {
 *   message: ({ id }) => { prices.delete(id) },
 *   reset: () => { prices.clear() }
 * })
 * registry.bus.publish('prices', { id: 7 })
 * ```
 */
export interface Bus {
  /** The driver's name; undefined: in-process. */
  readonly driver: string | undefined
  /**
   * Whether another process may hear what is published: one was heard of, or it is not known yet that there is none.
   */
  readonly hasOthers: boolean
  /**
   * Tells all other processes, at least once each, or they are told `reset`. What is published while the connection is
   * lost is told when it is back. Returns at once.
   * @param payload plain JSON; its text has at most `mostCharacters` characters
   * @throws FBK_CORE_BUS_PAYLOAD for a longer one
   */
  publish (topic: string, payload: unknown): void
  /** Calls the listener from now on. Returns a function that ends this. */
  subscribe (topic: string, listener: BusListener): () => void
}

/** What a driver tells the bus that uses it. */
export interface BusLink {
  /** A text that a member sent, this one or another; texts of one member in the order in which it sent them. */
  receive (text: string): void
  /** Texts may be missing here. */
  gap (): void
  /** The connection is lost; the bus calls `connect` again. */
  lost (error: unknown): void
}

/** Carries texts between processes. Everything else (numbers, gaps, what waits, trying again) is the bus's business. */
export interface BusDriver {
  /**
   * Connects and begins to receive; called again after `link.lost`, or after `send` failed, and leaves what was before.
   * @returns whether everything that was sent since the last connection is received as well (or was), so that
   * nothing is missing
   */
  connect (link: BusLink): Promise<boolean>
  /** Sends texts, in this order. When it rejects some of them may have been sent: they come again, and do no harm. */
  send (texts: readonly string[]): Promise<void>
  /** Leaves everything. Safe to call twice, and before `connect`. */
  close (): Promise<void>
}

/** What a driver is made with besides its own setting. */
export interface BusContext {
  /** Members hear only those of the same namespace. */
  readonly namespace: string
  /** Folder that file names are relative to. */
  readonly baseDir: string
  readonly log: BusLog
  /** The connector of a data source, by its name; undefined where there is no such data source. */
  connector (dataSource: string): unknown
}

/**
 * Makes a driver from the setting under its name (`"bus": { "redis": "redis://localhost" }`).
 *
 * ```js
 * registry.busDrivers.set('pigeons', (setting, context) => new PigeonDriver(setting, context.namespace))
 * ```
 * @throws FBK_CORE_BUS_SETTINGS for a setting that it cannot use
 */
export type BusDriverFactory = (setting: unknown, context: BusContext) => MaybePromise<BusDriver>

/** Characters that the JSON of a payload may have, so that every driver carries it. */
export const mostCharacters = 4000

/** Bytes that a text of the bus has at most. */
export const mostBytes = 7900

/** A connector's own way to tell other processes: `connector.bus`. */
export interface BusOffer {
  /** The driver's name. */
  readonly driver: string
  /** Whether it stores nothing, so that it may be chosen where nobody asked for it (`"auto"`). */
  readonly storesNothing: boolean
  make (context: BusContext): BusDriver
}
