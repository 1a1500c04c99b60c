/** The functions of an application that add middleware and routes. */
import { METHODS } from 'node:http'
import { InvalidConfigError } from '../errors.js'
import type { Chain } from '../middleware/chain.js'
import { onlyFor, spelled, type Handler, type Paths } from './express-handler.js'
import type { LoopbackHost } from './loopback-host.js'
import { isApplication, mounted, tellMounted } from './mounted-application.js'
import { nativeFactoryOf } from './native-handler.js'

/** Where the application object keeps the paths on which middleware was put, for the audit. */
export const usedPaths = Symbol('fastback.usedPaths')

/** What the functions need of the application. */
export interface MiddlewareHost extends LoopbackHost {
  readonly chain: Chain
  /** Refuses additions that come too late. */
  mayAdd(what: string): void
  /** What applications that are made part of it are told. */
  application(): object
}

/** What `middlewareFromConfig` is told of a factory. */
export interface FactoryConfig {
  phase: string
  enabled?: boolean
  params?: unknown
  paths?: Paths
  methods?: string[]
  verbs?: string[]
}

const verbs = [...METHODS.map(method => method.toLowerCase()), 'del', 'all']

/** `use`, `get`, `post` …, `all`, `route`, `param`, `middleware`, `middlewareFromConfig`, `defineMiddlewarePhases`. */
export function middlewareMethods (host: MiddlewareHost, getSetting: (name: string) => unknown) {
  const { chain } = host

  const used: Array<ReadonlyArray<string | RegExp>> = []

  function add (phase: string | undefined, paths: Paths | undefined, handlers: readonly Handler[]): void {
    host.mayAdd('middleware')
    const list = paths === undefined ? [] : [paths].flat() as Array<string | RegExp>
    if (paths !== undefined && handlers.some(handler => nativeFactoryOf(handler) === undefined)) used.push(list)
    for (const handler of handlers) {
      const step = nativeFactoryOf(handler)?.(list, host)
      if (step !== undefined) chain.addNative(phase, step)
      else if (!isApplication(handler)) addExpress(phase, paths, handler)
      else {
        tellMounted(handler, host.application(), paths)
        addExpress(phase, paths, mounted(handler))
      }
    }
  }

  /** An empty list of paths is every path. */
  function addExpress (phase: string | undefined, paths: Paths | undefined, handler: Handler): void {
    const everywhere = paths === undefined || (Array.isArray(paths) && paths.length === 0)
    chain.addExpress(phase, router => router.use(everywhere ? '/' : spelled(paths), handler))
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
