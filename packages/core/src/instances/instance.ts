/**
 * Instances of models, as everything below the classes handles them: made from rows, told from plain objects, marked
 * as standing for a stored row.
 */
import type { CompiledModel } from '../interfaces/compiled-model.js'
import type { ModelClass } from '../interfaces/model-class.js'
import type { ModelInstance } from './model-instance.js'
import type { Row } from '../properties/types.js'
import { INCLUDED, setIncluded } from './included.js'
import { isMarked, PERSISTED, type Marked } from './marks.js'

/**
 * Whether a value is an instance of some model.
 *
 * ```js
 * isInstance(await Note.findOne()) // true
 * isInstance({ title: 'hello' }) // false
 * ```
 */
export const isInstance = isMarked as (value: unknown) => value is ModelInstance

/**
 * The compiled model of an instance, also of one whose data have a member `constructor`.
 *
 * ```js
 * compiledOf(await Note.findOne()) === Note.compiled // true
 * ```
 */
export function compiledOf (instance: object): CompiledModel {
  return (Object.getPrototypeOf(instance) as { constructor: ModelClass }).constructor.state.compiled
}

/**
 * An instance for a stored row, without another look at its values. Of a model with a function `lookupModel(row)`, as
 * applications of LoopBack may have it, it is an instance of the model that this gives.
 *
 * ```js
 * const note = instantiate(Note.compiled, { id: 1, title: 'hello' })
 * await note.save()
 * ```
 */
export function instantiate (model: CompiledModel, row: Row): ModelInstance {
  const { Model } = model
  const { lookupModel } = Model
  if (typeof lookupModel !== 'function') return instantiateOf(model, row)
  const Other = lookupModel.call(Model, row) as ModelClass | undefined
  return instantiateOf(Other === undefined || Other === Model ? model : Other.state.compiled, row)
}

function instantiateOf (model: CompiledModel, row: Row): ModelInstance {
  const instance = Object.create(model.Model.prototype as object) as ModelInstance
  markPersisted(instance)
  return assignRow(instance, row, model)
}

/** Marks an instance as standing for a stored row. */
export function markPersisted (instance: ModelInstance, persisted = true): void {
  (instance as Marked)[PERSISTED] = persisted
}

/**
 * Puts a row's values on an instance. Values under the name of a relation are kept as loaded relations; data never
 * replace what the class defines.
 */
export function assignRow (instance: ModelInstance, row: Row, model: CompiledModel): ModelInstance {
  return model.accessors === undefined
    ? assignPlainly(instance, row, model)
    : model.accessors.assign(instance, row)
}

/** The same, whatever getters and setters the model has. */
export function assignPlainly (instance: ModelInstance, row: Row, model: CompiledModel): ModelInstance {
  const { held } = model
  for (const name of Object.keys(row)) {
    if (model.slots.has(name)) {
      const hold = held === undefined ? undefined : held.get(name)
      instance[name] = hold === undefined ? row[name] : hold(row[name])
    } else if (model.relations.has(name) && !model.propertyByName.has(name)) {
      setIncluded(instance as Row, name, row[name] as Row)
    } else if (name in instance && !Object.hasOwn(instance, name)) {
      Object.defineProperty(instance, name, { value: row[name], enumerable: true, configurable: true, writable: true })
    } else instance[name] = row[name]
  }
  const included = (row as { [key: symbol]: unknown })[INCLUDED] as Record<string, Row> | undefined
  if (included !== undefined) {
    for (const name of Object.keys(included)) setIncluded(instance as Row, name, included[name])
  }
  return instance
}
