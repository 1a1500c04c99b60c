/** JSON Schemas that stand alone, of those of an OpenAPI document, which refer to its components. */
import type { OpenApiDocument, Schema } from '@fastback/ui/openapi'

const prefix = '#/components/schemas/'

export type Components = NonNullable<OpenApiDocument['components']['schemas']>

/**
 * A schema of an object with everything that it refers to in `$defs`.
 *
 * ```js
 * standAlone({ type: 'object', properties: { data: { $ref: '#/components/schemas/Note' } } }, components)
 * // { type: 'object', properties: { data: { $ref: '#/$defs/Note' } }, $defs: { Note: { … } } }
 * ```
 */
export function standAlone (schema: Schema, components: Components): Schema {
  const used = new Map<string, unknown>()
  const written = writtenAs(schema)
  return used.size === 0 ? written as Schema : { ...written as Schema, $defs: Object.fromEntries(used) }

  function writtenAs (value: unknown): unknown {
    if (Array.isArray(value)) return value.map(writtenAs)
    if (value === null || typeof value !== 'object') return value
    return Object.fromEntries(Object.entries(value).map(([key, member]: [string, unknown]) =>
      [key, key === '$ref' && typeof member === 'string' && member.startsWith(prefix) ? referred(member) : writtenAs(member)]))
  }

  function referred (reference: string): string {
    const name = reference.slice(prefix.length)
    if (!used.has(name)) {
      used.set(name, {})
      used.set(name, writtenAs(components[name] ?? {}))
    }
    return `#/$defs/${name}`
  }
}

/** The schema behind a reference, or the schema itself. */
export const resolved = (schema: Schema, components: Components): Schema =>
  typeof schema.$ref === 'string' ? components[schema.$ref.slice(prefix.length)] ?? {} : schema

/**
 * The types that values of a schema have, by its branches; none for any.
 *
 * ```js
 * typesOf({ anyOf: [{ type: 'object' }, { type: 'array' }] }, {}) // ['object', 'array']
 * ```
 */
export function typesOf (schema: Schema, components: Components): string[] {
  const { type, anyOf, oneOf } = resolved(schema, components)
  if (type !== undefined) return [type].flat() as string[]
  const branches = ((anyOf ?? oneOf ?? []) as Schema[]).map(branch => typesOf(branch, components))
  return branches.some(types => types.length === 0) ? [] : branches.flat()
}
