/** What must be there when a request comes, and what code of the application may fill in. */
import type { ModelRegistry, SharedMethod } from '@fastback/core'
import { hooksOf } from './match.js'

/**
 * Whether hooks of a method, or of its model, may fill in what is required: the model itself has the last word then.
 *
 * ```js
 * mayFillIn(create, app.registry) // true where the model has a hook "before save"
 * ```
 */
export const mayFillIn = (method: SharedMethod, registry: ModelRegistry): boolean =>
  method.model.compiled.hooks['before save'] !== undefined || hooksOf(method, registry).before.length > 0
