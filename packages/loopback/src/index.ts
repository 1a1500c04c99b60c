/** `@fastback/loopback`: stands for the package `loopback`. */
import { createLoopbackModule } from './loopback.js'

/**
 * Makes an application, as `require('loopback')` does; its properties (`loopback.Model`, `loopback.createDataSource`,
 * …) are of the models that the applications of a process share.
 *
 * ```js
 * const loopback = require('loopback')
 * const app = loopback()
 * app.get('restApiRoot') // '/api'
 * ```
 * @throws FBK_LOOPBACK_SECOND_BOOT where the folder has a `loopback-boot` of its own
 */
export const loopback = createLoopbackModule()
export default loopback
export { boot } from './boot.js'
export { Connector, DataSource, DateString, GeoPoint, ModelBuilder, Transaction, ValidationError } from './juggler.js'
export type { Loopback } from './loopback.js'
export type { LoopbackOptions } from './applications.js'
export * as errors from './errors.js'
