/** The phases of a call: `auth`, then `invoke`, and what an application puts before, between and after them. */
import type { ModelRegistry } from '@fastback/core'
import { callWithNext, mayCallBack } from '@fastback/core/remote'
import { UnknownPhaseError } from '../errors/startup-errors.js'
import { matches } from '../hooks/match.js'

/** A function of a phase. */
export type PhaseHandler = (context: any, next: (error?: unknown) => void) => unknown

/** What a call itself does in its phases. */
export interface CallSteps {
  before (): unknown
  call (): unknown
  after (): unknown
}

const steps = ['before', 'use', 'after'] as const
type Step = (typeof steps)[number]

/**
 * A phase with its functions: `before`, `use` and `after` add one each, and run in this order.
 *
 * ```js
 * remotes.phases.find('invoke').before((ctx, next) => { started.set(ctx, Date.now()); next() })
 * ```
 */
export class Phase {
  readonly handlers: Readonly<Record<Step, PhaseHandler[]>> = { before: [], use: [], after: [] }
  readonly #changed: () => void

  constructor (readonly id: string, changed: () => void) {
    this.#changed = changed
  }

  before (handler: PhaseHandler): this { return this.#add('before', handler) }
  use (handler: PhaseHandler): this { return this.#add('use', handler) }
  after (handler: PhaseHandler): this { return this.#add('after', handler) }

  #add (step: Step, handler: PhaseHandler): this {
    this.handlers[step].push(handler)
    this.#changed()
    return this
  }
}

/**
 * The phases that calls go through, in their order.
 *
 * ```js
 * remotes.phases.addBefore('invoke', 'tenant').use((ctx, next) => {
 *   ctx.args.options.tenant = ctx.req.headers['x-tenant']
 *   next()
 * })
 * ```
 */
export class CallPhases {
  /** How often functions were added: anyone who has looked knows whether to look again. */
  version = 0
  readonly #phases: Phase[] = []
  #authorization: PhaseHandler | undefined

  constructor () {
    this.add(['auth', 'invoke'])
  }

  /** Whether nothing was added, so that a call is nothing but its hooks and its function. */
  get isPlain (): boolean {
    return this.version === 0
  }

  /** Decides first whether the call may happen. */
  get authorization (): PhaseHandler | undefined {
    return this.#authorization
  }

  set authorization (handler: PhaseHandler | undefined) {
    this.#authorization = handler
    this.version++
  }

  getPhaseNames (): string[] {
    return this.#phases.map(({ id }) => id)
  }

  toArray (): Phase[] {
    return [...this.#phases]
  }

  find (id: string): Phase | null {
    return this.#phases.find(phase => phase.id === id) ?? null
  }

  first (): Phase | undefined { return this.#phases[0] }
  last (): Phase | undefined { return this.#phases.at(-1) }

  /** Adds one phase, or several, at the end; gives what it made. */
  add (id: string): Phase
  add (ids: readonly string[]): Phase[]
  add (ids: string | readonly string[]): Phase | Phase[] {
    return typeof ids === 'string' ? this.#insert(this.#phases.length, ids) : ids.map(id => this.add(id))
  }

  /** @throws FBK_REST_UNKNOWN_PHASE */
  addBefore (other: string, id: string): Phase { return this.#insert(this.#indexOf(other), id) }
  /** @throws FBK_REST_UNKNOWN_PHASE */
  addAfter (other: string, id: string): Phase { return this.#insert(this.#indexOf(other) + 1, id) }

  /**
   * Adds a function to `auth`, `auth:before`, `invoke:after` …
   * @throws FBK_REST_UNKNOWN_PHASE
   */
  registerHandler (name: string, handler: PhaseHandler): void {
    const [, id, step = 'use'] = /^(.*?)(?::(before|use|after))?$/s.exec(name) as unknown as [string, string, Step?]
    const phase = this.#phases[this.#indexOf(id)] as Phase
    phase[step](handler)
  }

  /** The same for calls of the methods that a pattern names: `**`, `Note.*`, `Note.prototype.publish`. */
  registerFor (name: string, pattern: string, handler: PhaseHandler): void {
    this.registerHandler(name, (context: { readonly method: { readonly stringName: string } }, next) => {
      if (matches(pattern, context.method.stringName)) return handler(context, next)
      next()
    })
  }

  /** Takes a call through all phases; an error of one ends it. */
  async run (context: object, call: CallSteps): Promise<void> {
    for (const { id, handlers } of this.#phases) {
      for (const step of steps) {
        if (id === 'auth' && step === 'use') await this.#authorize(context)
        if (id === 'invoke') await this.#own(step, call)
        for (const handler of handlers[step]) {
          await callWithNext(next => handler(context, next), mayCallBack(handler, 1))
        }
      }
    }
  }

  async #authorize (context: object): Promise<void> {
    const decide = this.#authorization
    if (decide !== undefined) await callWithNext(next => decide(context, next), mayCallBack(decide, 1))
  }

  #own (step: Step, call: CallSteps): unknown {
    return step === 'before' ? call.before() : step === 'use' ? call.call() : call.after()
  }

  #insert (index: number, id: string): Phase {
    const known = this.find(id)
    if (known !== null) return known
    const phase = new Phase(id, () => { this.version++ })
    this.#phases.splice(index, 0, phase)
    return phase
  }

  #indexOf (id: string): number {
    const index = this.#phases.findIndex(phase => phase.id === id)
    if (index === -1) throw new UnknownPhaseError(id)
    return index
  }
}

const kPhases = Symbol('fastback.phases')

/**
 * The phases of an application's calls, kept with its registry.
 *
 * ```js
 * phasesOf(app.registry).addBefore('invoke', 'tenant').use((ctx, next) => { next() })
 * ```
 */
export const phasesOf = (registry: Pick<ModelRegistry, 'slot'>): CallPhases =>
  registry.slot(kPhases, () => new CallPhases())
