/**
 * Validations that follow from the JSON Schema keywords of properties: what a transport refuses in a body, code in the
 * process cannot store either.
 */
import { Kind, type TSchema } from '@sinclair/typebox'
import type { CompiledProperty } from '../definition/stored-model.js'
import { keywordsOf } from '../properties/keywords.js'
import { memberPath } from '../properties/path.js'
import { isTypeBox, propertySchema } from '../properties/property-schema.js'
import type { PropertyType } from '../properties/types.js'
import type { JsonSchema } from '../schemas/normalise.js'
import type { Validators } from '../schemas/validators.js'
import type { Validation } from '../interfaces/validation.js'

/** Their kind; `updateAll`, which runs no other validation, runs these. */
export const keywordKind = 'schema'

/**
 * One validation for each property that has keywords beyond its type. Missing values and null are none of their
 * business.
 */
export function keywordValidations (properties: readonly CompiledProperty[], validators: Validators): Validation[] {
  return properties.filter(hasKeywords).map(property => keywordValidation(property, validators))
}

function keywordValidation ({ name, type, definition }: CompiledProperty, validators: Validators): Validation {
  // Rows of nested models are checked where they come in: relations that embed rows may switch validation off.
  const validate = validators.json(propertySchema(type, definition, () => ({}) as TSchema) as unknown as JsonSchema)
  const path = memberPath(name)
  return {
    property: name,
    kind: keywordKind,
    local: true,
    check (instance, report) {
      const value = instance[name]
      if (value === undefined || value === null || typeof value === 'function') return
      for (const violation of validate(asJson(value)) ?? []) report({ ...violation, path: path + violation.path })
    }
  }
}

function hasKeywords ({ type, definition }: CompiledProperty): boolean {
  if (type.kind === 'buffer' || type.kind === 'geopoint') return false
  if (isTypeBox(definition.type)) return constrains(definition.type) || definition.jsonSchema !== undefined
  const { value, list } = keywordsOf(type, definition)
  return Object.keys(value).length > 0 || Object.keys(list).length > 0 || demandsOfMembers(type)
}

/** Whether a member of an object must be more than of its type. */
const demandsOfMembers = ({ items, members }: PropertyType): boolean =>
  (items !== undefined && demandsOfMembers(items)) || Object.values(members ?? {}).some(member =>
    demandsOfMembers(member) || (member.demands !== undefined &&
      (member.demands.required || Object.keys({ ...member.demands.value, ...member.demands.list }).length > 0)))

const bareKinds = new Set(['String', 'Number', 'Integer', 'Boolean', 'Array'])
const typeOnly = new Set(['Date', 'Uint8Array', 'BigInt', 'Any', 'Unknown', 'Ref'])
const keywords = [
  'minLength',
  'maxLength',
  'pattern',
  'format',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'enum',
  'const',
  'minItems',
  'maxItems',
  'uniqueItems',
  'contains'
]

/** Whether a TypeBox schema says more than its type, which values have already when they are validated. */
function constrains (schema: TSchema): boolean {
  const kind = schema[Kind]
  if (typeOnly.has(kind)) return false
  if (!bareKinds.has(kind) || keywords.some(keyword => schema[keyword] !== undefined)) return true
  return kind === 'Array' && constrains(schema.items as TSchema)
}

/** A row's value in the form that JSON has for it, which is what schemas speak of. */
function asJson (value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value)
  if (value === null || typeof value !== 'object') return value
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString()
  if (Array.isArray(value)) return value.map(asJson)
  if (value instanceof Uint8Array) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, asJson(member)]))
}
