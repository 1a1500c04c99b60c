import type { ModelClass, Row } from '@fastback/core'
import { clientBytes } from '@fastback/core/remote'
import { isObject, type Converter } from './convert.js'
import type { ArgumentType, Place } from './schema.js'

/** Arguments whose type is a model, or a type of the application, reach the method as instances of it. */
export function finished (type: ArgumentType, convert: Converter, place: Place): Converter {
  const make = makerOf(type.kind === 'array' ? type.items : type, place)
  if (make === undefined) return convert
  if (type.kind !== 'array') return found => make(convert(found))
  return found => {
    const value = convert(found)
    return Array.isArray(value) ? value.map(make) : value
  }
}

function makerOf (type: ArgumentType, place: Place): ((value: unknown) => unknown) | undefined {
  if (type.kind === 'own') return value => type.own.read(value, place)
  return type.kind === 'model' ? value => instanceOf(type.Model, value) : undefined
}

/* Violations are class instances, too: only what was parsed has no prototype of its own. */
function instanceOf (Model: ModelClass, value: unknown): unknown {
  return isObject(value) && (Object.getPrototypeOf(value) === Object.prototype || Object.getPrototypeOf(value) === null)
    ? new Model(clientBytes(Model.compiled, value as Row))
    : value
}
