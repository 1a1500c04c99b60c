/** The schema of one property (request-parsing.md, section 5). */
import { Kind, Type, type TSchema } from '@sinclair/typebox'
import type { PropertyDefinition } from '../definition/definition.js'
import { calendarFormats } from './calendar.js'
import { decimalPattern } from './decimal.js'
import { isFileType } from './file-type.js'
import { describe } from './describe.js'
import { keywordsOf } from './keywords.js'
import { enumerated } from './typebox-unions.js'
import type { PropertyType } from './types.js'

/** Makes the schema of a nested model. */
export type ModelSchemaOf = (model: string) => TSchema

/**
 * Schema of a property's values, `null` not yet considered. Keywords of its settings are merged (`keywords.ts`); on an
 * array they describe the items. Properties written in TypeBox are used as they are, except that dates become text
 * (what JSON has for them).
 */
export function propertySchema (
  type: PropertyType,
  definition: PropertyDefinition,
  modelSchema: ModelSchemaOf
): TSchema {
  const written = definition.type
  const described = describe(definition)
  if (isFileType(type)) return { ...fileSchema(type, described.description), ...described }
  if (isTypeBox(written)) return { ...described, ...jsonForm(written), ...definition.jsonSchema }
  return { ...described, ...withKeywords(type, keywordsOf(type, definition), modelSchema) }
}

/** The schema of a type, with keywords of its values, and of the list where it is one. */
function withKeywords (
  type: PropertyType, { value, list }: ReturnType<typeof keywordsOf>, modelSchema: ModelSchemaOf
): TSchema {
  return type.kind === 'array' && type.items !== undefined && type.items.kind !== 'any'
    ? merge(Type.Array(itemSchema(merge(typeSchema(type.items, modelSchema), value), type)), list)
    : merge(typeSchema(type, modelSchema), { ...value, ...list })
}

/** What a file is set to, as JSON; what a row has of it, in responses. */
export function fileSchema (type: PropertyType, description?: string, isAnswer = false): TSchema {
  if (type.items !== undefined) {
    return Type.Array(fileSchema(type.items, undefined, isAnswer), description === undefined ? {} : { description })
  }
  const said = { description: description ?? 'A file' }
  const reference = { id: Type.String(), name: Type.String(), type: Type.String(), size: Type.Integer() }
  return isAnswer
    ? Type.Object(reference, said)
    : Type.Partial(Type.Object({
      upload: Type.String({ description: 'A file that was sent to a signed address: what came with the address' }),
      id: Type.String({ description: 'The file that the row has: it stays' }),
      name: Type.String(),
      type: Type.String(),
      size: Type.Integer()
    }, said))
}

const merge = (schema: TSchema, keywords: Record<string, unknown>): TSchema => ({ ...schema, ...keywords })

/**
 * Schema of a type. A date has the format `date-time`; for properties of models `rest` lets that format take a full
 * date too (midnight UTC). Buffers and geo points come in several JSON forms: they are not checked here but by
 * `coerce`.
 */
function typeSchema (type: PropertyType, modelSchema: ModelSchemaOf): TSchema {
  switch (type.kind) {
    case 'string':
      return Type.String(type.calendar === undefined ? {} : { format: calendarFormats[type.calendar] })
    case 'number':
      return Type.Number()
    case 'integer':
      return Type.Integer()
    case 'long':
      return Type.Integer({ format: 'int64' })
    case 'bigint':
      return bigIntSchema()
    case 'decimal':
      return Type.Unsafe<string>({ type: 'string', format: 'decimal', pattern: decimalPattern(type.limits ?? {}) })
    case 'boolean':
      return Type.Boolean()
    case 'date':
      return dateSchema()
    case 'array':
      return Type.Array(type.items === undefined ? Type.Any() : typeSchema(type.items, modelSchema))
    case 'object':
      return type.anyJson === true ? Type.Any() : membersSchema(type, modelSchema)
    case 'model':
      return modelSchema(type.model as string)
    case 'geopoint':
      return Type.Any({ description: 'A geo point: {"lat", "lng"}, [lat, lng] or "lat,lng"' })
    case 'buffer':
      return Type.Any({
        description: type.bytes === 'loopback'
          ? 'Binary data: {"type": "Buffer", "data": [bytes]}, {"$type": "base64", "$data"} or text'
          : 'Binary data in Base64; {"type": "Buffer", "data": [bytes]} and {"$type": "base64", "$data"} are taken as well'
      })
    case 'any':
      return Type.Any()
  }
}

const itemSchema = (schema: TSchema, { nullItems }: PropertyType): TSchema =>
  nullItems === true ? nullable(schema) : schema

/** A number where JSON has all its digits, else a text of them. */
const bigIntSchema = (): TSchema =>
  Type.Unsafe<number | bigint>({ type: ['integer', 'string'], format: 'int64', pattern: '^-?\\d{1,20}$' })

const dateSchema = (): TSchema => Type.Unsafe<Date>({ type: 'string', format: 'date-time' })

/**
 * An anonymous nested object: members of their type with what their definitions demand, or null where they are not
 * required; others allowed unless the type is closed.
 */
function membersSchema (type: PropertyType, modelSchema: ModelSchemaOf): TSchema {
  const members = Object.entries(type.members ?? {}).map(([name, member]) => {
    const { demands } = member
    const schema = demands === undefined
      ? typeSchema(member, modelSchema)
      : { ...demands.described, ...withKeywords(member, demands, modelSchema) }
    const isRequired = demands?.required === true && type.defaults?.has(name) !== true
    return [name, isRequired ? schema : Type.Optional(nullable(schema))]
  })
  return Type.Object(Object.fromEntries(members), { additionalProperties: type.closed !== true })
}

/**
 * The schema with null allowed. With `nullable` Ajv reports a wrong type as the type alone (`{ "type": "string" }`), as
 * section 8 of request-parsing.md has it; a list of types would be reported as a list. An `enum` must name null to let
 * it pass. A schema without a type that is made of branches (`oneOf`) says itself whether null is one of them.
 */
export function nullable (schema: TSchema): TSchema {
  const enumeration: unknown = schema.enum
  const values = Array.isArray(enumeration) && !enumeration.includes(null) ? { enum: [...enumeration, null] } : {}
  return schema.type === undefined ? { ...schema, ...values } : { ...schema, nullable: true, ...values }
}

export const isTypeBox = (type: unknown): type is TSchema => type !== null && typeof type === 'object' && Kind in type

/**
 * TypeBox's JavaScript types (`Type.Date()`, `Type.Uint8Array()` …) and its unions of literals as JSON Schema has them,
 * wherever they stand in a schema.
 */
export function jsonForm (schema: TSchema): TSchema {
  switch (schema[Kind]) {
    case 'Date':
      return { ...dateSchema(), ...describedLike(schema) }
    case 'Uint8Array':
      return typeSchema({ kind: 'buffer' }, () => Type.Any())
    case 'BigInt':
      return { ...bigIntSchema(), ...describedLike(schema) }
    case 'Object':
      return {
        ...schema,
        properties: Object.fromEntries(
          Object.entries(schema.properties as Record<string, TSchema>).map(([name, member]) => [name, jsonForm(member)])
        )
      }
    case 'Array':
      return { ...schema, items: jsonForm(schema.items) }
    case 'Union': {
      const choice = enumerated(schema)
      if (choice !== undefined) return choice.nullable ? nullable(choice.schema) : choice.schema
      const branches = schema.anyOf as TSchema[]
      const [first, ...others] = branches.filter(branch => branch[Kind] !== 'Null')
      if (first === undefined || others.length > 0 || branches.length === 1) {
        return { ...schema, anyOf: branches.map(jsonForm) }
      }
      // One type or null: as of a property that is written in JSON.
      const { anyOf, [Kind]: kind, ...said } = schema
      return nullable({ ...jsonForm(first), ...said })
    }
    default:
      return schema
  }
}

const describedLike = ({ title, description }: TSchema): object => ({
  ...(title === undefined ? {} : { title }),
  ...(description === undefined ? {} : { description })
})
