/** `@fastback/loopback`: stands for the package `loopback`. */
import { createLoopbackModule } from './loopback.js'

export const loopback = createLoopbackModule()
export default loopback
export type { Loopback, LoopbackOptions } from './loopback.js'
export * as errors from './errors.js'
