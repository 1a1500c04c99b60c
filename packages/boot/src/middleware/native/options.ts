/** What the mappings of middleware names to Fastify's plugins have in common. */
import { MiddlewareError } from '../../errors.js'
import type { MiddlewareConfig } from '../../load/middleware-config.js'
import type { AnyPlugin } from '../any-plugin.js'

/** A Fastify plugin that stands for a middleware, with its options. */
export interface PluginUse {
  readonly plugin: AnyPlugin
  readonly options: object
}

export type Mapping = (config: MiddlewareConfig, warn: (message: string) => void) => Promise<PluginUse>

/**
 * One parameter of an entry as an object of options; none is an empty one.
 * @throws FBK_BOOT_MIDDLEWARE for what is no object
 */
export function optionsOf (given: unknown, where: string): Record<string, unknown> {
  if (given === undefined || given === null || given === true) return {}
  if (typeof given !== 'object' || Array.isArray(given)) {
    throw new MiddlewareError(where, '"params" must be an object of options')
  }
  return given as Record<string, unknown>
}
