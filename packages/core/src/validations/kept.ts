/**
 * Validations declared on a model's classes, less those that were taken back; and LoopBack's `Model.validations`, which
 * is how code takes them back.
 */
import type { ModelClass } from '../interfaces/model-class.js'
import type { ModelState } from '../interfaces/model-state.js'
import type { Validation } from '../interfaces/validation.js'

/**
 * Those of base models first. What a model takes back, it takes back of its bases as well, for itself and for models
 * that extend it.
 */
export function keptValidations (state: ModelState): Validation[] {
  let kept: Validation[] = []
  for (const each of state.chain()) {
    kept = [...kept.filter(({ property }) => !each.droppedValidations.has(property)), ...each.validations]
  }
  return kept.filter(({ only }) => only === undefined || only === state.Model)
}

/** Takes back all validations of a property, that of `required` among them. */
function drop (Model: ModelClass, property: string): void {
  const { state } = Model
  state.droppedValidations.add(property)
  state.validations.splice(0, Infinity, ...state.validations.filter(validation => validation.property !== property))
  if (state.definition.properties[property]?.required !== undefined) {
    state.defineProperty(property, { ...state.definition.properties[property], required: false })
  }
  state.invalidate()
}

/** What code sees of a validation: LoopBack's name for its kind. */
interface ShownValidation { readonly validation: string }

/**
 * The validations of a model by property, as LoopBack shows them: `Model.validations.email` is a list, and `delete
 * Model.validations.email` takes all of them back.
 */
export function validationsOf (Model: ModelClass): Record<string, ShownValidation[]> {
  const shown: Record<string, ShownValidation[]> = {}
  const show = (property: string, validation: string): void => { (shown[property] ??= []).push({ validation }) }
  for (const [name, { required }] of Object.entries(Model.state.definition.properties)) {
    if (required !== undefined && required !== false) show(name, 'presence')
  }
  for (const { property, kind } of keptValidations(Model.state)) show(property, kind)
  return new Proxy(shown, {
    deleteProperty (target, property) {
      if (typeof property === 'string') drop(Model, property)
      return Reflect.deleteProperty(target, property)
    }
  })
}
