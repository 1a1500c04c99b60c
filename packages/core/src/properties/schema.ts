/** The JSON schemas of a model, as TypeBox values (request-parsing.md, section 5). */
import { Type, type TObject, type TSchema } from '@sinclair/typebox'
import type { ModelSchemas, RowModel } from './row-model.js'
import type { CompiledProperty } from '../definition/stored-model.js'
import type { ModelLookup } from './coerce.js'
import { isFileType } from './file-type.js'
import { fileSchema, isTypeBox, nullable, propertySchema } from './property-schema.js'
import { isSetBy } from './set-by-clients.js'

type Variant = 'response' | 'create' | 'replace' | 'patch'

type SchemaModel = Pick<RowModel, 'name' | 'properties' | 'hidden' | 'unknown' | 'definition' | 'settings'>

/**
 * Makes the four schemas of a model:
 * - `create`: every property except a generated id (which may be sent only with `forceId: false`), `required` as
 *   defined
 * - `replace`: every property, `required` as defined; the id is never required, because the path may have it
 * - `patch`: every property, none required; what is required may still not be null
 * - `response`: every property that is not hidden, none required (`fields` may leave out any)
 *
 * `null` passes for properties that are not required. A required property with a default need not be sent. Nested
 * models have their own schema in place, with their `required` in every variant; where models contain one another, the
 * inner occurrence is any object. What `maxLength`, `pattern`, `enum`, `minimum` … of a property refuse here is refused
 * in the process as well (`validations/keywords.ts`).
 */
export function compileSchemas (model: SchemaModel, lookup: ModelLookup): ModelSchemas {
  const make = (variant: Variant): TObject => modelSchema(model, variant, lookup, [model.name])
  const byName = new Map(model.properties.map(property => [property.name, property]))
  return {
    response: make('response'),
    create: make('create'),
    replace: make('replace'),
    patch: make('patch'),
    property: name => {
      const property = byName.get(name)
      return property === undefined ? Type.Any() : schemaOf(property, 'replace', lookup, [model.name])
    }
  }
}

function modelSchema (model: SchemaModel, variant: Variant, lookup: ModelLookup, within: readonly string[]): TObject {
  const members: Record<string, TSchema> = {}
  for (const property of model.properties) {
    if (property.internal) continue
    if (variant === 'response' && (property.hidden || model.hidden.has(property.name))) continue
    if (variant === 'create' && isForUpdates(property, model)) continue
    const schema = schemaOf(property, variant, lookup, within)
    members[property.name] = mustBeSent(property, variant) ? schema : Type.Optional(schema)
  }
  const described = model.settings.description
  return Type.Object(members, {
    title: model.name,
    ...(typeof described === 'string' ? { description: described } : {}),
    additionalProperties: model.unknown !== 'refuse'
  })
}

/**
 * A generated id, and properties with `updateOnly`: these are not told of for new rows, but, as in LoopBack, not
 * refused either.
 */
function isForUpdates ({ generated, definition }: CompiledProperty, model: SchemaModel): boolean {
  return (
    (generated && model.settings.forceId !== false) || (definition.updateOnly === true && model.unknown !== 'refuse')
  )
}

function mustBeSent (property: CompiledProperty, variant: Variant): boolean {
  if (variant === 'response' || variant === 'patch' || !property.required || property.makeDefault !== undefined) {
    return false
  }
  // What clients do not set they need not send; what they set once they send with a new row.
  if (isSetBy(property, 'readOnly') || (variant === 'replace' && isSetBy(property, 'writeOnce'))) return false
  return property.idPosition === 0 || (variant === 'create' && !property.generated)
}

function schemaOf (
  property: CompiledProperty,
  variant: Variant,
  lookup: ModelLookup,
  within: readonly string[]
): TSchema {
  const { type, definition } = property
  // Nested rows are whole whatever happens to the row around them.
  const nestedVariant = variant === 'response' ? 'response' : 'replace'
  const stored = propertySchema(type, definition, name => {
    const nested = within.includes(name) ? undefined : lookup(name)
    return nested === undefined
      ? Type.Object({}, { additionalProperties: true })
      : modelSchema(nested, nestedVariant, lookup, [...within, name])
  })
  if (variant === 'response' && isFileType(type)) {
    return nullable(fileSchema(type, typeof definition.description === 'string' ? definition.description : undefined, true))
  }
  const schema = variant === 'response' ? stored : { ...stored, ...definition.bodySchema }
  if (isTypeBox(definition.type) && !isFileType(type)) return schema
  return property.required && !property.generated ? schema : nullable(schema)
}
