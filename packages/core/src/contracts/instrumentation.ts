/** Where it can be told what an application does: methods, hooks and what stores are asked. */
import type { StoreStatement } from '../data-source/explanation.js'
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

/** What is at hand during a step. It has values of users in it: they are for the process alone. */
export interface StepValues {
  /** Of a hook: the values that it may change. */
  readonly changing?: (() => Readonly<Record<string, unknown>> | undefined) | undefined
  /** Of a query of a store that is sent statements. */
  readonly statement?: StoreStatement | undefined
}

/** Does a piece of work, which may be a promise, and gives what it gives. */
export type Instrument = <T>(step: Step, work: () => T, values?: StepValues) => T

const kInstruments = Symbol('fastback.instruments')

/** What wants to know of an application's work, the first one outermost. */
class Instruments {
  #list: readonly Instrument[] = []

  get isEmpty (): boolean {
    return this.#list.length === 0
  }

  add (instrument: Instrument): void {
    if (!this.#list.includes(instrument)) this.#list = [...this.#list, instrument]
  }

  remove (instrument: Instrument): void {
    this.#list = this.#list.filter(each => each !== instrument)
  }

  /** All of them as one, whichever there are by then. */
  readonly around: Instrument = <T>(step: Step, work: () => T, values?: StepValues): T => {
    const [first] = this.#list
    if (this.#list.length === 1 && first !== undefined) return first(step, work, values)
    return this.#list.reduceRight<() => T>((inner, each) => () => each(step, inner, values), work)()
  }
}

export const instrumentsOf = (registry: Pick<ModelRegistry, 'slot'>): Instruments =>
  registry.slot(kInstruments, () => new Instruments())

/**
 * What wants to be told of an application's work. Asked when routes are made and models compiled: never for a call.
 *
 * ```js
 * const told = instrumentOf(registry) // undefined: nobody listens
 * ```
 */
export function instrumentOf (registry: Pick<ModelRegistry, 'slot'>): Instrument | undefined {
  const instruments = instrumentsOf(registry)
  return instruments.isEmpty ? undefined : instruments.around
}
