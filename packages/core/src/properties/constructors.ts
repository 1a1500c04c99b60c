/** Types as code names them: constructors, and LoopBack's own for text, JSON and values of any kind. */
import { DateString } from './date-string.js'
import { GeoPoint } from './geo-point.js'

type Constructor = Function

/** LoopBack's `Text`, `JSON` and `Any`: called, they give the value; made with `new`, they hold it. */
function valueType (name: string): Constructor {
  const Type = function (this: { value?: unknown } | undefined, value: unknown): unknown {
    if (new.target === undefined) return value
    ;(this as { value: unknown }).value = value
  }
  const read = function (this: { value: unknown }): unknown { return this.value }
  Object.assign(Type.prototype, { toObject: read, toJSON: read })
  return Object.defineProperty(Type, 'name', { value: name })
}

export const Text = valueType('Text')
export const AnyJson = valueType('JSON')
export const Any = valueType('Any')

/** By the names that definitions use, in lower case. */
export const constructors: Readonly<Record<string, Constructor>> = {
  text: Text, json: AnyJson, any: Any,
  string: String, number: Number, boolean: Boolean, date: Date, datestring: DateString,
  buffer: Buffer, binary: Buffer, array: Array, geopoint: GeoPoint, object: Object,
  integer: Number, int: Number, long: Number, bigint: Number, float: Number, double: Number, bool: Boolean,
  datetime: Date, 'date-time': Date, timestamp: Date, point: GeoPoint, objectid: String
}

/** On constructors that code made known as types. */
export const REGISTERED = Symbol.for('fastback.type')

/**
 * Makes a constructor known as a type of properties; values of it are kept as they are.
 *
 * ```js
 * registerType(Money)
 * db.define('Order', { price: Money })
 * ```
 */
export function registerType (type: Constructor): void {
  Object.defineProperty(type, REGISTERED, { value: true, configurable: true })
}
