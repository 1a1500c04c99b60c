import type { MaybePromise } from '../maybe-promise.js'
import type { ModelClass } from './model-class.js'

/**
 * Rights of a caller that are no methods, and have names as methods do: rules of a model name them as `property`. Part
 * of the options of an operation; set by `@fastback/acl`.
 */
export interface MethodRights {
  /** Whether a rule names the right and allows it to the caller; without one it is denied. */
  allows (Model: ModelClass, right: string): MaybePromise<boolean>
}
