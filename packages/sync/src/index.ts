/**
 * `@fastback/sync`: change tracking and replication, as LoopBack 3 has them, with changes that are written in the
 * transaction of their row.
 *
 * ```js
 * await app.register(core, {
 *   dataSources: { db: { connector: memoryConnector } },
 *   definitions: [
 *     { name: 'Note', trackChanges: true, properties: { id: { type: 'string', id: true, defaultFn: 'guid' } } }
 *   ],
 *   models: { Note: { dataSource: 'db' } }
 * })
 * await app.register(sync)
 * ```
 */
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { installSync } from './install.js'
import type { SyncOptions } from './sync-settings.js'

export * as errors from './errors.js'
export { canonicalJson } from './canonical-json.js'
export type { ChangeRow, ChangeType } from './change.js'
export { Conflict } from './conflict.js'
export type { Update } from './create-updates.js'
export type { Difference } from './diff.js'
export { installSync } from './install.js'
export { syncModels } from './builtin-models.js'
export type { Pulled, PullRequest } from './pull.js'
export type { PulledChange } from './pull-pages.js'
export type { PushedChange } from './push-request.js'
export type { Pushed } from './push.js'
export type { PushResult } from './push-writer.js'
export type { ConflictContext } from './sync-conflict.js'
export type { ConflictPolicy, SyncOptions } from './sync-settings.js'
export type { Replicated, ReplicateOptions, Since } from './replicate.js'

/**
 * Gives the models of the context that ask for it (`trackChanges`, `enableRemoteReplication`) change lists and the
 * methods of replication. Register it after `@fastback/core` and before `@fastback/rest`.
 *
 * ```js
 * await app.register(sync)
 * ```
 * @throws FBK_SYNC_NO_SINGLE_ID
 */
export const sync = fp(async (app: FastifyInstance, options: SyncOptions): Promise<void> => {
  installSync(app.registry, options)
}, {
  name: '@fastback/sync',
  fastify: '5.x',
  dependencies: ['@fastback/core']
})
export default sync
