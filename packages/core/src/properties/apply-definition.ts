/** What a definition says of a property's values beside their type: formats, and what is made of texts. */
import type { PropertyDefinition } from '../definition/definition.js'
import { isKnownFormat, isNumberFormat } from '../schemas/formats.js'
import { withDecimalLimits } from './decimal-limits.js'
import { describe } from './describe.js'
import { keywordsOf } from './keywords.js'
import { transformKeys, withTransform } from './text-transform.js'
import { invalidType, type TypeLocation } from './type-location.js'
import type { PropertyType } from './types.js'

/** Keys that LoopBack 3 reads and leaves alone (setting `propertyKeywords`). */
const leftAlone: readonly string[] = ['format', ...transformKeys]

/**
 * The definition as it counts: in JSON that is read as LoopBack 3 reads it, without `format`, `trim`, `lowercase` and
 * `uppercase`.
 */
export function countingDefinition (definition: PropertyDefinition, location: TypeLocation): PropertyDefinition {
  if (location.ignoresKeywords !== true || isSchema(definition.type)) return definition
  return Object.fromEntries(Object.entries(definition).filter(([key]) => !leftAlone.includes(key)))
}

/** Which keys of a definition are left alone under `propertyKeywords: "ignore"`, for the log. */
export const leftAloneIn = (definition: PropertyDefinition): string[] => isSchema(definition.type)
  ? []
  : leftAlone.filter(key => definition[key] !== undefined && definition[key] !== null && definition[key] !== false)

/**
 * The type with what its definition says of its texts.
 * @throws FBK_CORE_INVALID_DEFINITION for a format that there is not, or of another type, and as `withTransform` and
 * `withDecimalLimits`
 */
export function applyDefinition (
  type: PropertyType, definition: PropertyDefinition, location: TypeLocation
): PropertyType {
  checkFormat(type, definition.format, location)
  return withTransform(withDecimalLimits(type, definition, location), definition, location)
}

/** The type of a member with all that its definition demands. */
export function memberType (type: PropertyType, definition: PropertyDefinition, location: TypeLocation): PropertyType {
  if (location.ignoresKeywords === true || location.typeAlone === true) return type
  const applied = applyDefinition(type, definition, location)
  const demands = {
    ...keywordsOf(type, definition), described: describe(definition), required: Boolean(definition.required)
  }
  const isPlain = !demands.required &&
    [demands.value, demands.list, demands.described].every(part => Object.keys(part).length === 0)
  return isPlain ? applied : { ...applied, demands }
}

/**
 * A format that nobody knows would take everything.
 * @throws FBK_CORE_INVALID_DEFINITION
 */
export function checkFormat (type: PropertyType, format: unknown, location: TypeLocation): void {
  if (format === undefined || format === null || location.typeAlone === true) return
  const { kind } = type.kind === 'array' ? type.items ?? type : type
  if (typeof format !== 'string' || !isKnownFormat(format)) {
    const problem = `has the format ${JSON.stringify(format)}, which is not known; formats are those of JSON Schema, such as "email", "uri", "uuid", "date" and "ipv4"`
    if (location.tolerate === undefined) throw invalidType(location, problem)
    location.tolerate(`The property "${location.property}" ${problem}`)
    return
  }
  if (kind === 'any' || (kind === 'date' && format === 'date-time')) return
  const fits = isNumberFormat(format) ? ['number', 'integer', 'long', 'bigint'].includes(kind) : kind === 'string' || (kind === 'decimal' && format === 'decimal')
  if (!fits) {
    const meant = kind === 'date' ? '; a day is of the type "dateOnly"' : ''
    throw invalidType(location, `has the format "${format}", which a ${kind} cannot have${meant}`)
  }
}

const isSchema = (type: unknown): boolean =>
  type !== null && typeof type === 'object' && Object.getOwnPropertySymbols(type).length > 0
