import type { ModelClass } from '@fastback/core'
import { isObject, type Converter } from './convert.js'
import type { ArgumentType } from './schema.js'

/** Arguments whose type is a model reach the method as instances of it. */
export function modelInstances (type: ArgumentType, convert: Converter): Converter {
  if (type.kind === 'model') return found => instanceOf(type.Model, convert(found))
  if (type.kind !== 'array' || type.items.kind !== 'model') return convert
  const { Model } = type.items
  return found => {
    const value = convert(found)
    return Array.isArray(value) ? value.map(item => instanceOf(Model, item)) : value
  }
}

/* Violations are class instances, too: only what was parsed has no prototype of its own. */
function instanceOf (Model: ModelClass, value: unknown): unknown {
  return isObject(value) && (Object.getPrototypeOf(value) === Object.prototype || Object.getPrototypeOf(value) === null)
    ? new Model(value)
    : value
}
