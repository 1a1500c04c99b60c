/** `@fastback/events`: background jobs and webhooks of models. */
export { events, events as default } from './plugin.js'
export type { EventsOptions } from './options.js'
export * as errors from './errors.js'
