import { InvalidDefinitionError } from '../errors.js'
import { hookNames, type HookName, type Observer } from '../hooks.js'
import type { ModelClass } from '../interfaces/model-class.js'

/**
 * Adds a listener of an operation hook. Several listeners run in the order they were added, those of base models first.
 * @param options `first`: it comes before those that the model has already
 * @throws FBK_CORE_INVALID_DEFINITION for a hook that does not exist
 */
export function observe (this: ModelClass, hook: HookName, observer: Observer, { first = false } = {}): void {
  if (!hookNames.includes(hook)) {
    throw new InvalidDefinitionError(
      `model "${this.modelName}"`,
      `there is no operation hook "${String(hook)}"; there are: ${hookNames.join(', ')}`
    )
  }
  const observers = this.state.observers.get(hook)
  if (observers === undefined) this.state.observers.set(hook, [observer])
  else if (first) observers.unshift(observer)
  else observers.push(observer)
  this.state.invalidate()
}
