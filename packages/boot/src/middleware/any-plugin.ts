/** Plugins of any options. */
import type { FastifyPluginAsync, FastifyPluginCallback } from 'fastify'

/** A plugin of either form, with options of its own kind. */
export type AnyPlugin = FastifyPluginAsync<any> | FastifyPluginCallback<any>
