/** Default values of properties (behaviour.md, section 9): `default`, `defaultFn`. */
import { randomUUID } from 'node:crypto'
import { nanoid } from 'nanoid'
import { v1 as uuidV1 } from 'uuid'
import type { CompiledProperty } from '../definition/stored-model.js'
import type { PropertyDefinition } from '../definition/definition.js'
import { coerceValue } from './coerce.js'
import { plainCopy } from './plain-copy.js'
import { invalidType, type TypeLocation } from './type-location.js'
import type { PropertyType, Row } from './types.js'

const generators: ReadonlyMap<string, () => unknown> = new Map<string, () => unknown>([
  ['guid', () => uuidV1()],
  ['uuid', () => uuidV1()],
  ['uuidv4', () => randomUUID()],
  ['now', () => new Date()],
  ['shortid', () => nanoid(10)],
  ['nanoid', () => nanoid()]
])

/**
 * Compiles the default of a property. Values are converted to the property's type here; every row gets a copy of its
 * own. `'$now'` of a date property and the constructor `Date` stand for the time of creation; other functions are
 * called once per row. `applyDefaultOnWrites: false` leaves the property without a default.
 * @returns undefined when the property has none
 * @throws FBK_CORE_INVALID_DEFINITION for an unknown `defaultFn`, and for a value that is not of the property's type;
 * where the location tolerates that, rows begin with the value as it is, and validation refuses it
 */
export function makeDefault (
  definition: PropertyDefinition,
  type: PropertyType,
  location: TypeLocation
): (() => unknown) | undefined {
  if (definition.applyDefaultOnWrites === false) return undefined
  const value = definition.default
  if (value !== undefined && value !== null && !(value === '' && type.kind !== 'string' && type.kind !== 'any')) {
    return ofValue(value, type, location)
  }
  if (value === null) return () => null
  // What is false in any way says nothing, as in LoopBack.
  return !definition.defaultFn
    ? undefined
    : ofGenerator(definition.defaultFn, type, location)
}

function ofValue (value: unknown, type: PropertyType, location: TypeLocation): () => unknown {
  if (value === Date || (value === '$now' && type.kind === 'date')) return converted(() => new Date(), type)
  if (typeof value === 'function') return converted(value as () => unknown, type)
  let problem: string | undefined
  const constant = coerceValue(type, value, '', fault => {
    problem ??= `${fault.path === '' ? 'it' : fault.path} ${fault.message}`
  })
  if (problem !== undefined) {
    const error = invalidType(location, `has a default that does not fit its type: ${problem}`)
    if (location.tolerate === undefined) throw error
    location.tolerate(error.message)
    return converted(() => value, type)
  }
  if (constant instanceof Date) return () => new Date(constant)
  if (constant === null || typeof constant !== 'object') return () => constant
  if (Array.isArray(constant) && constant.length === 0) return () => []
  return Buffer.isBuffer(constant) ? () => Buffer.from(constant) : () => plainCopy(constant, Infinity)
}

function ofGenerator (name: unknown, type: PropertyType, location: TypeLocation): () => unknown {
  const generator = typeof name === 'string' ? generators.get(name) : undefined
  if (generator === undefined) {
    throw invalidType(
      location,
      `has the defaultFn ${JSON.stringify(name)}, which is not known; use one of ${[...generators.keys()].join(', ')}, or a function as "default"`
    )
  }
  return converted(generator, type)
}

/**
 * What a function gives is converted like data; a value that does not fit is left as it is, and validation will refuse
 * the row.
 */
const converted = (make: () => unknown, type: PropertyType) => (): unknown => coerceValue(type, make(), '', () => {})

const makeNull = (): null => null

/**
 * Compiles what fills the missing values of a row; null counts as a value.
 * @param nulls whether properties without a default are filled with null (setting `persistUndefinedAsNull`); not so the
 * id
 */
export function compileDefaults (properties: readonly CompiledProperty[], nulls = false): (row: Row) => void {
  const defaults = properties.flatMap(
    ({ name, idPosition, makeDefault = nulls && idPosition === 0 ? makeNull : undefined }) =>
      makeDefault === undefined ? [] : [{ name, makeDefault }]
  )
  return row => {
    for (let i = 0; i < defaults.length; i++) {
      const { name, makeDefault } = defaults[i] as typeof defaults[number]
      const value = row[name]
      // A function is never data: it is what a property called `toString` inherits while nobody has set it.
      if (value === undefined || typeof value === 'function') row[name] = makeDefault()
    }
  }
}
