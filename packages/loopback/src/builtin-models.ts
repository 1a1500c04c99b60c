/** LoopBack's built-in models as its package has them in files: `loopback/common/models/user.json` and `user.js`. */
import type { ModelClass, ModelDefinitionInput } from '@fastback/core'
import { applications } from './applications.js'

/**
 * The definition of a built-in model: a copy, which code may change.
 *
 * ```js
 * const { properties } = require('loopback/common/models/user.json')
 * ```
 */
export const builtinDefinition = (name: string): ModelDefinitionInput | undefined =>
  structuredClone(applications.builtinModel(name)?.definition)

/**
 * What the script of a built-in model does to a class: functions, hooks, validations.
 *
 * ```js
 * require('loopback/common/models/user')(Customer)
 * ```
 */
export const builtinSetUp = (name: string) => (Model: ModelClass): void => {
  applications.builtinModel(name)?.setUp?.(Model)
}
