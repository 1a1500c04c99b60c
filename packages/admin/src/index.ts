/** `@fastback/admin`: a page to look after the rows of an application's public models. */
export { admin, admin as default } from './plugin.js'
export type { AdminOptions } from './options.js'
export * as errors from './errors.js'
