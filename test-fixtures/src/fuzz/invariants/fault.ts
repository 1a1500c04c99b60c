/** What must hold of every response, whatever was asked. Each rule says in a few words what is wrong, or nothing. */
import type { Facts, RowChange, ServerFault } from '../inside/protocol.js'
import type { Operation } from '../routes.js'
import type { Answer } from '../wire.js'
import type { WireRequest } from '../wire-request.js'

export interface Observation {
  readonly request: WireRequest
  readonly operation: Operation
  readonly answer: Answer
  /** Errors of the server during the request. */
  readonly faults: readonly ServerFault[]
  /** Rows changed by it; undefined where other requests went on at the same time. */
  readonly changes: readonly RowChange[] | undefined
}

export interface Setting {
  readonly facts: Facts
  /** Absolute path of the application folder. */
  readonly dir: string
  /** Absolute path of the product's code. */
  readonly checkout: string
  /** Operations that answer 5xx on purpose. */
  readonly mayFail: ReadonlySet<string>
}

/** @returns what is wrong, without anything that differs from one occurrence to the next in front of the colon */
export type Invariant = (observed: Observation, setting: Setting) => string | undefined
