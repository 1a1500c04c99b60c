/** `@fastback/studio`: data, API, models, rights and activity of an application on one page. */
export { studio, studio as default } from './plugin.js'
export type { StudioOptions } from './options.js'
export * as errors from './errors.js'
