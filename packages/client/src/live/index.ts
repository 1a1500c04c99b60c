/**
 * `@fastback/client/live`: live queries of a Fastback server, over server-sent events. The wire is
 * packages/docs/live-protocol.md.
 */
export {
  createLiveClient, type LiveClient, type LiveClientOptions, type LiveFilter, type LiveModel, type LiveRow
} from './client.js'
export { afterChanges, type LiveChange } from './rows.js'
