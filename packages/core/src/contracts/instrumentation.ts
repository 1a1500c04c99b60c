/** Where it can be told what an application does: methods, hooks and what stores are asked. */
import type { ModelRegistry } from '../interfaces/model-registry.js'

/** A piece of work. Names are the application's own; nothing that a client sends is among them. */
export interface Step {
  readonly kind: 'method' | 'hook' | 'query'
  /** `Note.find` of a method, `Note before save` of a hook, the data source of a query. */
  readonly name: string
  readonly model?: string | undefined
  /** Of a query: what a store is asked, `find` or `SELECT`. */
  readonly operation?: string | undefined
  /** Of a query: its text, with placeholders. Statements that an application writes may hold more. */
  readonly text?: string | undefined
}

/** Does a piece of work, which may be a promise, and gives what it gives. */
export type Instrument = <T>(step: Step, work: () => T) => T

const kInstrument = Symbol('fastback.instrument')

interface Kept { instrument: Instrument | undefined }

const keptBy = (registry: Pick<ModelRegistry, 'slot'>): Kept =>
  registry.slot(kInstrument, () => ({ instrument: undefined }))

/**
 * What wants to be told of an application's work. Asked when routes are made and models compiled: never for a call.
 *
 * ```js
 * const told = instrumentOf(registry) // undefined: nobody listens
 * ```
 */
export const instrumentOf = (registry: Pick<ModelRegistry, 'slot'>): Instrument | undefined =>
  keptBy(registry).instrument

/** Keeps it, or undefined for none. */
export const registerInstrument = (registry: Pick<ModelRegistry, 'slot'>, instrument: Instrument | undefined): void => {
  keptBy(registry).instrument = instrument
}
