/** `@fastback/core/live`: live queries, loaded when the first one is opened. */
export { openLiveQuery } from '../live/live-stream.js'
