/**
 * The validations declared on a model and its bases, without those that were removed; and LoopBack's
 * `Model.validations`, by which code removes them.
 */
import type { ModelClass } from '../interfaces/model-class.js'
import type { ModelState } from '../interfaces/model-state.js'
import type { Validation } from '../interfaces/validation.js'
import type { ValidationConfig } from './config.js'

/**
 * Those of base models first. A model that removes validations of a property removes its bases' as well, for itself and
 * for models that extend it. As in LoopBack, what is declared on a model is not for those that extend it where the
 * application's setting `inheritValidations` is false, unless the validation says `inherited: true`.
 */
export function declaredValidations (state: ModelState): Validation[] {
  const areInherited = state.Model.registry.settings.inheritValidations !== false
  let validations: Validation[] = []
  for (const each of state.chain()) {
    const declared = areInherited || each === state ? each.validations : each.validations.filter(saysInherited)
    validations = [...validations.filter(({ property }) => !each.droppedValidations.has(property)), ...declared]
  }
  return validations.filter(({ only }) => only === undefined || only === state.Model)
}

const saysInherited = ({ options }: Validation): boolean =>
  (options as ValidationConfig | undefined)?.inherited === true

const wasDropped = (state: ModelState, property: string): boolean =>
  state.chain().some(({ droppedValidations }) => droppedValidations.has(property))

/** Removes all validations of a property, that of `required` among them. */
function drop (Model: ModelClass, property: string): void {
  const { state } = Model
  state.droppedValidations.add(property)
  state.validations.splice(0, Infinity, ...state.validations.filter(validation => validation.property !== property))
  if (state.definition.properties[property]?.required !== undefined) {
    state.defineProperty(property, { ...state.definition.properties[property], required: false })
  }
  state.invalidate()
}

/** What code sees of a validation: LoopBack's name for its kind, and what it was declared with. */
interface ListedValidation { readonly validation: string, readonly options: object }

/**
 * `delete Model.validations` removes them all, those of bases too. Nothing tells of it: it is seen when validations are
 * read or declared the next time, or find something wrong.
 */
export function settleValidations (Model: ModelClass): void {
  if (Object.hasOwn(Model, 'validations')) return
  showValidations(Model)
  for (const property of Object.keys(validationsOf(Model))) drop(Model, property)
}

/** Puts `validations` on a class, where it can be deleted. */
export function showValidations (Model: ModelClass): void {
  const get = function (this: ModelClass): Record<string, ListedValidation[]> {
    settleValidations(this)
    return validationsOf(this)
  }
  Object.defineProperty(Model, 'validations', { get, configurable: true, enumerable: false })
}

/**
 * The validations of a model by property, as LoopBack shows them: `Model.validations.email` is a list, and `delete
 * Model.validations.email` removes all of them.
 */
function validationsOf (Model: ModelClass): Record<string, ListedValidation[]> {
  const listed: Record<string, ListedValidation[]> = {}
  const list = (property: string, validation: string, options: object = {}): void => {
    (listed[property] ??= []).push({ validation, options })
  }
  for (const [name, { required, type }] of Object.entries(Model.state.definition.properties)) {
    if (required !== undefined && required !== false) list(name, 'presence')
    // A date that is none is refused when values are converted.
    if ((type === Date || type === 'date') && !wasDropped(Model.state, name)) list(name, 'date')
  }
  for (const { property, kind, options } of declaredValidations(Model.state)) list(property, kind, options)
  return new Proxy(listed, {
    deleteProperty (target, property) {
      if (typeof property === 'string') drop(Model, property)
      return Reflect.deleteProperty(target, property)
    }
  })
}
