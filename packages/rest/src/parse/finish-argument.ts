import type { ModelClass, Row } from '@fastback/core'
import { clientBytes, GeoPoint } from '@fastback/core/remote'
import { ArgumentViolations, geoPoint, isObject, type Converter } from './convert.js'
import type { ArgumentType, ValueSource, PointClass } from './schema.js'
import { ArgumentViolation } from './text.js'

/**
 * Arguments whose type is a model, a point, or a type of the application, reach the method as instances of it; so do
 * the items of lists.
 */
export function finished (type: ArgumentType, convert: Converter, place: ValueSource, allowArray?: boolean): Converter {
  const make = type.kind === 'array' ? makerOf(type.items, place) : makerOf(type, place, allowArray)
  if (make === undefined) return convert
  return found => {
    const value = convert(found)
    return Array.isArray(value) && (type.kind === 'array' || type.kind === 'model') ? each(value, make) : make(value)
  }
}

function each (items: readonly unknown[], make: (item: unknown) => unknown): unknown {
  const values = items.map(make)
  const index = values.findIndex(value => value instanceof ArgumentViolation)
  if (index === -1) return values
  const { code, info, message } = values[index] as ArgumentViolation
  return new ArgumentViolations([{ path: `[${String(index)}]`, code, info, message }])
}

function makerOf (
  type: ArgumentType, place: ValueSource, allowArray?: boolean
): ((value: unknown) => unknown) | undefined {
  if (type.kind === 'own') return value => type.own.read(value, place, allowArray)
  if (type.kind === 'geopoint') return type.Point === undefined ? pointOf : pointsOf(type.Point)
  return type.kind === 'model' ? value => instanceOf(type.Model, value) : undefined
}

/* What was no point on the way here is told already. */
const pointOf = (value: unknown): unknown =>
  value === null || value === undefined || value instanceof GeoPoint || value instanceof ArgumentViolation
    ? value
    : geoPoint(value)

const pointsOf = (Point: PointClass) => (value: unknown): unknown => {
  const point = pointOf(value)
  return point instanceof GeoPoint ? new Point({ lat: point.lat, lng: point.lng }) : point
}

/* Violations are class instances, too: only what was parsed has no prototype of its own. */
function instanceOf (Model: ModelClass, value: unknown): unknown {
  return isObject(value) && (Object.getPrototypeOf(value) === Object.prototype || Object.getPrototypeOf(value) === null)
    ? new Model(clientBytes(Model.compiled, value as Row))
    : value
}
