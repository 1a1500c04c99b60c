/** `@fastback/loopback`: stands for the package `loopback`. */
import { createLoopbackModule } from './loopback.js'

/**
 * Makes an application, as `require('loopback')` does; its properties (`loopback.Model`, `loopback.createDataSource`,
 * …) are those of the application that was made last.
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
export type { Loopback, LoopbackOptions } from './loopback.js'
export * as errors from './errors.js'
