/**
 * `@fastback/client`: rows that are at hand without a line, and agree with a Fastback server when there is one. The
 * wire is packages/docs/sync-protocol.md.
 */
export { createClient, type Client, type ClientMembers, type SyncState, type Watched } from './client.js'
export type { Conflict, Refusal } from './conflicts.js'
export type { ConflictPolicy, ConflictSides, Resolution } from './engine/conflict-policy.js'
export type { ServerOptions } from './engine/transport.js'
export { ClientError, type ClientErrorCode } from './errors.js'
export type { CallOptions, LiveOptions, LiveRows, ModelApi } from './model-api.js'
export type { ClientOptions, ModelOptions, RowTypes } from './options.js'
export type { Filter, OrderTerm, Tests, Where } from './query/filter-types.js'
export { encoded, type Codec, type Id, type Store, type StoreChange, type StoreRange } from './store.js'
export { memoryStore } from './stores/memory.js'
