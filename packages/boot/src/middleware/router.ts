/**
 * Express' own router, loaded when a folder first asks for one. Only the router: its request and response are not
 * needed before a request reaches it.
 */
import { createRequire } from 'node:module'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { isLiteral, namesNoFile, pathnameOf } from './paths.js'

type Handle = ((...args: never[]) => unknown) & { readonly stack?: readonly Layer[] }

/** One layer of an Express router's stack. */
export interface Layer {
  readonly name: string
  readonly regexp: RegExp & { readonly fast_slash?: boolean }
  readonly path?: string
  readonly route?: { readonly path: unknown, readonly stack: readonly unknown[] }
  handle: Handle
  match (path: string): boolean
}

/** An Express router: a function with a stack of layers. */
export interface Router {
  (req: IncomingMessage, res: ServerResponse, next: (error?: unknown) => void): void
  stack: Layer[]
  params: Record<string, unknown>
  _params: unknown[]
  use (...args: unknown[]): this
  route (path: unknown): unknown
  param (...args: unknown[]): this
  [method: string]: unknown
}

export type RouterFactory = (options?: { caseSensitive?: boolean, strict?: boolean, mergeParams?: boolean }) => Router

/** Express' `Router`. */
export function routerFactory (): RouterFactory {
  return createRequire(import.meta.url)('express/lib/router/index.js') as RouterFactory
}

/** Whether a layer handles errors only. */
export function isErrorLayer (layer: Layer): boolean {
  return layer.route === undefined && layer.handle.length === 4
}

const kPlain = Symbol('fastback.plainFiles')

/**
 * Express' file server undoes every escape: `/private%2Fkey` would be the file `/private/key`, and pass by what guards
 * `/private`. A layer that holds it, or a router with it, lets such requests go by (security.md, S-70).
 */
export function refuseEscapedPaths (layer: Layer): void {
  const serve = layer.handle as Handle & { [kPlain]?: true }
  serve.stack?.forEach(refuseEscapedPaths)
  if (serve.name !== 'serveStatic' || serve[kPlain] === true) return
  const plain = function serveStatic (...args: [IncomingMessage, ServerResponse, () => void]): void {
    const [req, , next] = args
    if (namesNoFile(pathnameOf(req.url as string))) next()
    else (serve as (...given: unknown[]) => void)(...args)
  }
  layer.handle = Object.assign(plain as Handle, { [kPlain]: true as const })
}

/** Whether some layer might act on a request that is not in error. Routers within routers are looked into. */
export function mayHandle (stack: readonly Layer[], pathname: string): boolean {
  return stack.some(layer => {
    if (isErrorLayer(layer)) return false
    let rest = pathname
    if (layer.regexp.fast_slash !== true) {
      try {
        if (!layer.match(pathname)) return false
      } catch {
        // An undecodable parameter: Express answers 400.
        return true
      }
      rest = pathname.slice(layer.path?.length ?? 0)
    }
    if (layer.route !== undefined || layer.handle.stack === undefined) return true
    return mayHandle(layer.handle.stack, rest.startsWith('/') ? rest : `/${rest}`)
  })
}

/**
 * The literal paths of the routes in a stack, or undefined when it holds anything else: middleware, patterns, routers
 * mounted on a path (whose path Express does not keep).
 */
export function literalRoutes (stack: readonly Layer[]): string[] | undefined {
  const paths: string[] = []
  for (const layer of stack) {
    if (isErrorLayer(layer)) continue
    if (layer.route !== undefined) {
      const routePaths = [layer.route.path].flat()
      if (!routePaths.every(isLiteral)) return undefined
      paths.push(...routePaths as string[])
    } else {
      const inner =
        layer.regexp.fast_slash === true && layer.handle.stack !== undefined
          ? literalRoutes(layer.handle.stack)
          : undefined
      if (inner === undefined) return undefined
      paths.push(...inner)
    }
  }
  return paths
}
