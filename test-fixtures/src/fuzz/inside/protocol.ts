/** What the runner asks the module inside the server process, over the process's IPC channel. */
import type { Cost } from './gauge.js'

/**
 * Header on every response that Fastify sends: the number of the request, and whether a connector was asked to write
 * (`12 true`). Saves a question where none was.
 */
export const requestHeader = 'x-fuzz-request'

export interface ModelFacts {
  readonly name: string
  readonly properties: readonly string[]
  readonly hidden: readonly string[]
  readonly protected: readonly string[]
  readonly relations: readonly RelationFacts[]
  /** Names of the models that it extends. */
  readonly bases: readonly string[]
  readonly id: string | undefined
  /** Ids of the rows that are there at the start. */
  readonly ids: readonly unknown[]
}

export interface RelationFacts {
  readonly name: string
  readonly type: string
  readonly model: string | undefined
  readonly through: string | undefined
}

export interface AccountFacts {
  readonly model: string
  readonly id: unknown
  readonly email: string
  /** Where the module made the account. */
  readonly password: string | undefined
  readonly token: string
  readonly what: string
}

export interface Facts {
  readonly models: readonly ModelFacts[]
  readonly accounts: readonly AccountFacts[]
  /** Values of hidden properties: texts that no response may contain. */
  readonly secrets: readonly string[]
}

/** What a request did to the rows of one model, by id as text. */
export interface RowChange {
  readonly model: string
  readonly created: readonly string[]
  readonly removed: readonly string[]
  readonly changed: readonly string[]
  /** Rows before, as JSON, of those removed and changed. */
  readonly before: Readonly<Record<string, string>>
}

export interface Ending {
  /** Something was thrown that nobody caught: the process is about to end. */
  readonly dying: boolean
  /** Properties of built-in prototypes that were not there when the application had started. */
  readonly pollution: readonly string[]
  /** Rows that changed without their connector's being asked to, and changes that nobody asked for. */
  readonly unseen: readonly RowChange[]
  /** Milliseconds of the processor that the session took. */
  readonly cpu: number
}

/** An error that was answered with a status of 500 or above. */
export interface ServerFault { readonly stack: string, readonly url: string }

export interface Questions {
  facts: { asked: undefined, answer: Facts }
  /** Rows changed since this was asked last, by the request of this number; undefined: by any later than `after`. */
  changes: { asked: { request: number | undefined, after: number }, answer: RowChange[] }
  /**
   * Ends a session: looks at what no request can be blamed for, and puts all rows back to what they were at the start.
   */
  restore: { asked: undefined, answer: Ending }
  /** Bytes that are reachable after a collection: heap, and buffers outside of it. */
  memory: { asked: undefined, answer: number }
  /** Collects, and begins to look at what the requests from now on cost. */
  gauge: { asked: undefined, answer: null }
  /** What they cost until now. */
  cost: { asked: undefined, answer: Cost }
  /** Turns a look at every error that an error handler reads on or off; the response: those seen. */
  spy: { asked: boolean, answer: ServerFault[] }
  faults: { asked: undefined, answer: ServerFault[] }
}

export type Question = keyof Questions
