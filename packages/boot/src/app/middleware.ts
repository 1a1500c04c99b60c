/** The parts of an application that add middleware and routes. */
import { METHODS } from 'node:http'
import { InvalidConfigError } from '../errors.js'
import type { Chain, NativeStep } from '../middleware/chain.js'
import { exchangeOf, outerNext, type ExpressRequest, type Next } from '../middleware/exchange.js'
import type { LoopbackHost } from './loopback-host.js'
import { expressPath, matchPaths, namesNoFile, pathnameOf } from '../middleware/paths.js'
import { refuseEscapedPaths, type Router } from '../middleware/router.js'

type Handler = ((...args: any[]) => unknown) & {
  readonly handle?: unknown
  readonly set?: unknown
  readonly stack?: unknown
}
type Paths = string | RegExp | ReadonlyArray<string | RegExp>

/**
 * Marks a handler that stands for Fastify's side, so that it is given a place in the order and not called:
 * `loopback.rest()`.
 */
const nativeHandler = Symbol('fastback.nativeHandler')

/** Where the application object keeps the paths on which middleware was put, for the audit. */
export const usedPaths = Symbol('fastback.usedPaths')

/**
 * Makes the step of a marked handler for the paths it is mounted on, and tells the application of it; undefined: it is
 * called like any other.
 */
export type NativeFactory = (
  paths: ReadonlyArray<string | RegExp>, host: LoopbackHost
) => NativeStep | undefined

/** What the functions need of the application. */
export interface MiddlewareHost extends LoopbackHost {
  readonly chain: Chain
  /** Refuses additions that come too late. */
  mayAdd(what: string): void
  /** What applications that are made part of it are told. */
  application(): object
}

const spelled = (paths: Paths): Paths =>
  Array.isArray(paths) ? paths.map(expressPath) : expressPath(paths as string | RegExp)

const verbs = [...METHODS.map(method => method.toLowerCase()), 'del', 'all']

/** `use`, `get`, `post` …, `all`, `route`, `param`, `middleware`, `middlewareFromConfig`, `defineMiddlewarePhases`. */
export function middlewareMethods (host: MiddlewareHost, getSetting: (name: string) => unknown) {
  const { chain } = host

  const used: Array<ReadonlyArray<string | RegExp>> = []

  function add (phase: string | undefined, paths: Paths | undefined, handlers: readonly Handler[]): void {
    host.mayAdd('middleware')
    if (paths !== undefined && handlers.some(handler => !(nativeHandler in handler))) {
      used.push([paths].flat() as Array<string | RegExp>)
    }
    for (const handler of handlers) {
      const native = (handler as { [nativeHandler]?: NativeFactory })[nativeHandler]
      const step = native?.(paths === undefined ? [] : ([paths].flat() as Array<string | RegExp>), host)
      if (step !== undefined) {
        chain.addNative(phase, step)
        continue
      }
      const isOther = isApplication(handler)
      const mounted = isOther ? mount(handler) : handler
      if (isOther) tellMounted(handler, host.application(), paths)
      const everywhere = paths === undefined || (Array.isArray(paths) && paths.length === 0)
      chain.addExpress(phase, router => router.use(everywhere ? '/' : spelled(paths), mounted))
    }
  }

  /** Express' `app.use([path], ...handlers)`; handlers may be lists. */
  function use (this: unknown, ...args: unknown[]): unknown {
    const first = [args[0]].flat(Infinity)[0]
    const [paths, rest] = typeof first === 'function' ? [undefined, args] : [args[0] as Paths, args.slice(1)]
    const handlers = rest.flat(Infinity)
    const functions = handlers.filter((handler): handler is Handler => typeof handler === 'function')
    if (functions.length === 0 || functions.length < handlers.length) {
      throw new TypeError('app.use() requires middleware functions')
    }
    add(undefined, paths, functions)
    return this
  }

  /** `middleware(phase, [paths], handler)`. */
  function middleware (this: unknown, phase: string, paths: Paths | Handler | undefined, handler?: Handler): unknown {
    const [on, run] = typeof paths === 'function' ? [undefined, paths] : [paths, handler]
    if (typeof run !== 'function') throw new TypeError('app.middleware() requires a handler function')
    add(phase, on, [run])
    return this
  }

  /** `middlewareFromConfig(factory, { phase, enabled, params, paths, methods })`. */
  function middlewareFromConfig (
    this: unknown,
    factory: (...params: unknown[]) => Handler,
    config: FactoryConfig
  ): unknown {
    if (config.enabled === false) return this
    const params = config.params === undefined ? [] : [config.params].flat()
    const handler = factory(...params)
    if (typeof handler !== 'function') {
      throw new InvalidConfigError(config.phase, 'the middleware factory returned no function')
    }
    const methods = (config.methods ?? config.verbs ?? []).map(method => method.toUpperCase())
    add(config.phase, config.paths, [
      methods.length === 0 || methods.includes('ALL') ? handler : onlyFor(methods, handler)
    ])
    return this
  }

  function defineMiddlewarePhases (this: unknown, names: string | string[]): unknown {
    chain.phases.define(names)
    return this
  }

  function route (path: Paths): unknown {
    host.mayAdd('a route')
    return chain.addExpress(undefined, router => router.route(spelled(path)))
  }

  function param (this: unknown, ...args: unknown[]): unknown {
    chain.addParam(args)
    return this
  }

  const byVerb = Object.fromEntries(
    verbs.map(verb => [
      verb,
      function (this: unknown, path: Paths, ...handlers: unknown[]): unknown {
        if (verb === 'get' && handlers.length === 0) return getSetting(path as string)
        host.mayAdd('a route')
        chain.addExpress(undefined, router => {
          ;(router[verb === 'del' ? 'delete' : verb] as Handler)(spelled(path), ...handlers)
        })
        return this
      }
    ])
  )

  return { ...byVerb, [usedPaths]: used, use, middleware, middlewareFromConfig, defineMiddlewarePhases, route, param }
}

export interface FactoryConfig {
  phase: string
  enabled?: boolean
  params?: unknown
  paths?: Paths
  methods?: string[]
  verbs?: string[]
}

interface Request {
  readonly method: string
}

/** Runs a handler for some methods only; handlers of errors stay such. */
export function onlyFor (methods: readonly string[], handler: Handler): Handler {
  const concerns = (req: Request): boolean => methods.includes(req.method.toUpperCase())
  // Express tells handlers of errors by their four parameters.
  if (handler.length > 3) {
    return (error: unknown, req: Request, res: unknown, next: Next) => {
      if (concerns(req)) handler(error, req, res, next)
      else next(error)
    }
  }
  return (req: Request, res: unknown, next: Next) => {
    if (concerns(req)) handler(req, res, next)
    else next()
  }
}

/** A step of Fastify's side for a handler, with its paths. */
export function markNative (handler: Handler, factory: NativeFactory): Handler {
  return Object.assign(handler, { [nativeHandler]: factory })
}

/** The step that stands for Fastify's routes under some paths. */
export function handOverStep (name: string, paths: ReadonlyArray<string | RegExp>): NativeStep {
  return { name, handsOver: true, matches: matchPaths(paths), handle: () => 'fastify' }
}

/** What Express tells an application that is made part of another one. */
function tellMounted (application: object, parent: object, paths: Paths | undefined): void {
  Object.assign(application, { mountpath: paths ?? '/', parent })
  ;(application as { emit?: (event: string, parent: object) => void }).emit?.('mount', parent)
}

const isApplication = (handler: Handler): boolean =>
  typeof handler.handle === 'function' && typeof handler.set === 'function'

/**
 * An application within this one, Express' or our own, gives the request its own methods; they are taken back when it
 * passes the request on.
 */
function mount (application: Handler & { readonly _router?: Pick<Router, 'stack'> }): Handler {
  return function mountedApplication (req: ExpressRequest, res: object, next: Next) {
    if (namesNoFile(pathnameOf(req.url as string))) application._router?.stack.forEach(refuseEscapedPaths)
    const { [exchangeOf]: exchange, [outerNext]: outer } = req
    const ofRequest = Object.getPrototypeOf(req) as object
    const ofResponse = Object.getPrototypeOf(res) as object
    req[exchangeOf] = undefined
    ;(application.handle as Handler)(req, res, (error?: unknown) => {
      Object.setPrototypeOf(req, ofRequest)
      Object.setPrototypeOf(res, ofResponse)
      Object.assign(req, { [exchangeOf]: exchange, [outerNext]: outer })
      if (exchange !== undefined) exchange.host.prepare(exchange.request, exchange.reply)
      next(error)
    })
  }
}
