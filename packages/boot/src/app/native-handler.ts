/**
 * Handlers that stand for Fastify's side, as `loopback.rest()` does: the application gives them a place in the order of
 * its middleware, and does not call them.
 */
import type { NativeStep } from '../middleware/chain.js'
import { matchPaths } from '../middleware/paths.js'
import type { Handler } from './express-handler.js'
import type { LoopbackHost } from './loopback-host.js'

const nativeHandler = Symbol('fastback.nativeHandler')

/**
 * Makes the step of a marked handler for the paths it is mounted on, and tells the application of it; undefined: it is
 * called like any other.
 */
export type NativeFactory = (
  paths: ReadonlyArray<string | RegExp>, host: LoopbackHost
) => NativeStep | undefined

/** A handler that a step stands for. */
export function markNative (handler: Handler, factory: NativeFactory): Handler {
  return Object.assign(handler, { [nativeHandler]: factory })
}

export const nativeFactoryOf = (handler: Handler): NativeFactory | undefined =>
  (handler as { [nativeHandler]?: NativeFactory })[nativeHandler]

/** The step that stands for Fastify's routes under some paths. */
export function handOverStep (name: string, paths: ReadonlyArray<string | RegExp>): NativeStep {
  return { name, handsOver: true, matches: matchPaths(paths), handle: () => 'fastify' }
}
