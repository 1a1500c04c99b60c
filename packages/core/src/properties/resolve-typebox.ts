/** The resolved type of a property that is written in TypeBox. */
import { Kind, type TSchema } from '@sinclair/typebox'
import { checkFormat } from './apply-definition.js'
import { withDecimalLimits } from './decimal-limits.js'
import { withTransform } from './text-transform.js'
import { invalidType, type TypeLocation } from './type-location.js'
import type { PropertyType } from './types.js'

type Resolver = (schema: TSchema, location: TypeLocation) => PropertyType

/**
 * By TypeBox kind. Text with the format `date-time` stays text, because that is what its static type says; write
 * `Type.Date()` (or `Type.Unsafe<Date>({ type: 'string', format: 'date-time' })`) for a property whose values are
 * dates.
 */
const resolvers: Readonly<Record<string, Resolver>> = {
  String: schema => ({ kind: schema.format === 'decimal' ? 'decimal' : 'string' }),
  TemplateLiteral: () => ({ kind: 'string' }),
  RegExp: () => ({ kind: 'string' }),
  Number: () => ({ kind: 'number' }),
  Integer: schema => ({ kind: schema.format === 'int64' ? 'long' : 'integer' }),
  BigInt: () => ({ kind: 'bigint' }),
  Boolean: () => ({ kind: 'boolean' }),
  Date: () => ({ kind: 'date' }),
  Uint8Array: () => ({ kind: 'buffer' }),
  Literal: schema => ofConstant(schema.const),
  Array: (schema, location) => ({ kind: 'array', items: resolveTypeBox(schema.items, location) }),
  Tuple: () => ({ kind: 'array', items: { kind: 'any' } }),
  Object: (schema, location) => ofMembers(schema.properties, location),
  Record: () => ({ kind: 'object' }),
  Intersect: (schema, location) => ofIntersection(schema.allOf, location),
  Union: (schema, location) => ofUnion(schema.anyOf, location),
  Ref: (schema, location) =>
    typeof schema.$ref === 'string' ? { kind: 'model', model: schema.$ref } : unknownKind(schema, location),
  Unsafe: schema => ofJsonSchema(schema),
  Any: () => ({ kind: 'any' }),
  Unknown: () => ({ kind: 'any' }),
  Null: () => ({ kind: 'any' }),
  This: () => ({ kind: 'any' })
}

/**
 * Resolves a TypeBox schema.
 * @throws FBK_CORE_INVALID_DEFINITION for kinds that no row can hold (functions, symbols, promises …), and formats that
 * there are not
 */
export function resolveTypeBox (schema: TSchema, location: TypeLocation): PropertyType {
  const resolver = Object.hasOwn(resolvers, schema[Kind]) ? resolvers[schema[Kind]] : undefined
  if (resolver === undefined) return unknownKind(schema, location)
  const type = resolver(schema, location)
  if (type.kind === 'array' && schema.format !== undefined) {
    throw invalidType(location, 'has a format, which items have and not the list; write it at these')
  }
  checkFormat(type, schema.format, location)
  return withTransform(withDecimalLimits(type, schema, location), schema, location)
}

function unknownKind (schema: TSchema, location: TypeLocation): never {
  throw invalidType(location, `is written with the TypeBox type ${String(schema[Kind])}, which a row cannot hold`)
}

function ofConstant (value: unknown): PropertyType {
  switch (typeof value) {
    case 'string': return { kind: 'string' }
    case 'number': return { kind: 'number' }
    case 'boolean': return { kind: 'boolean' }
    default: return { kind: 'any' }
  }
}

function ofMembers (properties: Record<string, TSchema>, location: TypeLocation): PropertyType {
  const members = Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, resolveTypeBox(schema, location)])
  )
  return Object.keys(members).length === 0 ? { kind: 'object' } : { kind: 'object', members }
}

function ofIntersection (parts: readonly TSchema[], location: TypeLocation): PropertyType {
  const types = parts.map(part => resolveTypeBox(part, location))
  if (types.some(type => type.kind !== 'object')) return { kind: 'any' }
  return { kind: 'object', members: Object.assign({}, ...types.map(type => type.members ?? {})) }
}

/**
 * A union with null is the other type (any property may hold null); literals of one kind are that kind; anything else
 * is not converted.
 */
function ofUnion (branches: readonly TSchema[], location: TypeLocation): PropertyType {
  const types = branches.filter(branch => branch[Kind] !== 'Null').map(branch => resolveTypeBox(branch, location))
  const [first, ...rest] = types
  if (first === undefined) return { kind: 'any' }
  const simple = first.items === undefined && first.members === undefined
  return rest.length === 0 || (simple && rest.every(type => type.kind === first.kind && type.model === first.model))
    ? first
    : { kind: 'any' }
}

/** `Type.Unsafe<…>({ type: 'string' })`: plain JSON Schema with a static type of the user's choice. */
function ofJsonSchema (schema: TSchema): PropertyType {
  switch (schema.type) {
    case 'string':
      return { kind: schema.format === 'date-time' ? 'date' : schema.format === 'decimal' ? 'decimal' : 'string' }
    case 'number': return { kind: 'number' }
    case 'integer': return { kind: schema.format === 'int64' ? 'long' : 'integer' }
    case 'boolean': return { kind: 'boolean' }
    case 'array': return { kind: 'array', items: { kind: 'any' } }
    case 'object': return { kind: 'object' }
    default: return { kind: 'any' }
  }
}
