/**
 * The order in which a request is handled: steps that run natively, and runs of Express layers, sorted by phase.
 * Express layers that follow one another share one Express router, so that they see each other as they would in an
 * Express application.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { MaybePromise } from '@fastback/core'
import { pathnameOf, type PathMatcher } from './paths.js'
import {
  isErrorLayer,
  refuseEscapedPaths,
  literalRoutes,
  mayHandle,
  routerFactory,
  type Layer,
  type Router
} from './router.js'
import { Phases } from './phases.js'

/** `next`: go on with the next step. `fastify`: this request is for Fastify's routes. `done`: the step answers. */
export type Outcome = 'next' | 'fastify' | 'done'

/** A step that needs no Express. */
export interface NativeStep {
  /** As configured: `loopback#rest`. */
  readonly name: string
  /** Undefined: every path. */
  readonly matches?: PathMatcher | undefined
  /** In upper case; empty or undefined: every method. */
  readonly methods?: readonly string[] | undefined
  /** Acts on a request; throwing starts error handling. */
  handle? (request: FastifyRequest, reply: FastifyReply): MaybePromise<Outcome>
  /** Answers a request that is in error. */
  fail? (error: unknown, request: FastifyRequest, reply: FastifyReply): void
  /** The step stands for Fastify's routes under its paths. */
  readonly handsOver?: boolean
  /** The step only prepares requests for Express layers; without them Fastify's hooks do its work. */
  readonly forExpress?: boolean
  /** Only for requests that Express layers act on: for all others Fastify did what it does. */
  readonly withExpress?: boolean
  /** The only paths that the step acts on, where these can be said. */
  readonly literalPaths?: readonly string[] | undefined
}

export type Step = { readonly native: NativeStep } | { readonly router: Router, readonly layers: readonly Layer[] }

/** Something in the order; without step and router a place that was kept for what comes later. */
interface Entry {
  readonly phase: string | undefined
  readonly native?: NativeStep
  readonly router?: Router
  readonly hook?: PluginHook
}

/**
 * An `onRequest` hook of a Fastify plugin. Fastify runs it by itself where nothing stands before it that it would
 * overtake; behind Express layers it is a step, for the requests that those act on; behind the routes it always is.
 */
interface PluginHook { place: 'fastify' | 'behind express' | 'behind routes' }

/** Where an error waits for the Express router that goes on with it. */
export const failure = Symbol('fastback.failure')

/** Where control goes to Fastify's routes when no step before asked for it. */
const handOver: NativeStep = { name: 'routes', handsOver: true, handle: () => 'fastify' }

export class Chain {
  readonly phases = new Phases()
  readonly #entries: Entry[] = []
  /** Parameter handlers of the application (`app.param`), for all Express layers. */
  readonly #params: unknown[][] = []
  #steps: readonly Step[] | undefined
  #earlySteps: readonly NativeStep[] | undefined
  #errorLayers: boolean | undefined

  /** @param options how paths of Express layers are compared; asked whenever layers are added */
  constructor (readonly options: () => { caseSensitive?: boolean, strict?: boolean } = () => ({})) {}

  /** Adds a native step to a phase (or, without one, where `app.use` puts things). */
  addNative (phase: string | undefined, native: NativeStep): void {
    this.phases.position(phase)
    this.#entries.push({ phase, native })
    this.#changed()
  }

  /**
   * Keeps a place in a phase for the `onRequest` hooks of a Fastify plugin, which come when Fastify loads it.
   * @returns adds one of them there, and tells for a request whether Fastify is to run the hook itself
   */
  placeForHooks (phase: string): (handle: NonNullable<NativeStep['handle']>) => (request: FastifyRequest) => boolean {
    this.phases.position(phase)
    const place: Entry = { phase }
    this.#entries.push(place)
    return handle => {
      const hook: PluginHook = { place: 'fastify' }
      this.#entries.splice(this.#entries.indexOf(place), 0, { phase, hook, native: { name: 'onRequest', handle } })
      this.#changed()
      return request => {
        this.#steps ??= this.#build()
        return (
          hook.place === 'fastify' ||
          (hook.place === 'behind express' && !this.reaches(pathnameOf(request.raw.url as string)))
        )
      }
    }
  }

  /**
   * Adds Express layers: `declare` is called with a fresh router and returns what its caller wants from it (a route,
   * for instance).
   */
  addExpress<T> (phase: string | undefined, declare: (router: Router) => T): T {
    this.phases.position(phase)
    const router = routerFactory()(this.options())
    const result = declare(router)
    this.#entries.push({ phase, router })
    this.#changed()
    return result
  }

  /** Forgets the hooks of plugins: they come again. */
  forgetHooks (): void {
    const kept = this.#entries.filter(({ hook }) => hook === undefined)
    this.#entries.splice(0, this.#entries.length, ...kept)
    this.#changed()
  }

  addParam (args: unknown[]): void {
    this.#params.push(args)
    this.#changed()
  }

  #changed (): void {
    this.#steps = undefined
    this.#earlySteps = undefined
    this.#errorLayers = undefined
  }

  /** All steps in order. */
  get steps (): readonly Step[] {
    return (this.#steps ??= this.#build())
  }

  #build (): Step[] {
    const end = this.phases.position('routes:after') - 0.5
    const positioned = this.#entries.map(entry => ({ ...entry, position: this.phases.position(entry.phase) }))
    positioned.push({ phase: undefined, native: handOver, position: end })
    const steps: Step[] = []
    let run: Layer[] = []
    const flush = (): void => {
      if (run.length > 0) steps.push({ router: this.#routerOf(run), layers: run })
      run = []
    }
    let place: PluginHook['place'] = 'fastify'
    for (const { native, router, hook } of positioned.sort((a, b) => a.position - b.position)) {
      if (router !== undefined) {
        if (place === 'fastify') place = 'behind express'
        run.push(...router.stack)
        continue
      }
      if (native === undefined) continue
      if (hook !== undefined) hook.place = place
      if (hook?.place === 'fastify') continue
      flush()
      steps.push({
        native:
          hook?.place === 'behind express' ? { ...native, withExpress: true } : native
      })
      if (native.handsOver === true) place = 'behind routes'
    }
    flush()
    return steps
  }

  #routerOf (layers: readonly Layer[]): Router {
    const router = routerFactory()(this.options())
    for (const args of this.#params) router.param(...args)
    // An error from before this run of layers goes on within it.
    router.use((req: { [failure]?: unknown }, _res: unknown, next: (error?: unknown) => void) => { next(req[failure]) })
    router.stack.push(...layers)
    layers.forEach(refuseEscapedPaths)
    return router
  }

  /** Whether there are Express layers at all. */
  get hasExpress (): boolean {
    return this.#entries.some(entry => entry.router !== undefined)
  }

  /** Whether there are Express layers that handle errors. */
  get hasErrorLayers (): boolean {
    return (this.#errorLayers ??= this.steps.some(step => 'router' in step && step.layers.some(isErrorLayer)))
  }

  /** Whether some Express layer might act on a request for this path. */
  reaches (pathname: string): boolean {
    return this.steps.some(step => 'router' in step && mayHandle(step.layers, pathname))
  }

  /** Whether a native step wants a request for this path before Fastify's routes have it. */
  concernsEarly (pathname: string): boolean {
    return this.#early.some(step => step.matches === undefined || step.matches(pathname))
  }

  get #early (): readonly NativeStep[] {
    return (this.#earlySteps ??= this.steps
      .slice(0, this.steps.findIndex(step => 'native' in step && step.native === handOver))
      .flatMap(step => 'native' in step && actsEarly(step.native) ? [step.native] : []))
  }

  /**
   * The only paths that something must see before Fastify's routes do, or undefined when that cannot be said: then
   * every request is looked at.
   */
  get literalPaths (): readonly string[] | undefined {
    const paths: string[] = []
    for (const step of this.steps) {
      if ('native' in step && step.native === handOver) break
      const own = 'router' in step ? literalRoutes(step.layers) : actsEarly(step.native) ? step.native.literalPaths : []
      if (own === undefined) return undefined
      paths.push(...own)
    }
    return [...new Set(paths)]
  }

  /**
   * The index after the first step that gives requests for this path to Fastify: where handling goes on when Fastify's
   * side fails.
   */
  afterRoutes (pathname: string): number {
    return (
      1 +
      this.steps.findIndex(
        step => 'native' in step && step.native.handsOver === true && step.native.matches?.(pathname) !== false
      )
    )
  }
}

/** Whether a step has to see a request before Fastify's routes when it stands before them. */
function actsEarly (step: NativeStep): boolean {
  return step.handle !== undefined && step.handsOver !== true && step.forExpress !== true && step.withExpress !== true
}
