/** A property in TypeBox: which options of the schema say something of the value, and which of the property. */
import type { TSchema } from '@sinclair/typebox'

/** Of JSON Schema, of OpenAPI, and TypeBox's own. All others are settings of the property. */
const keywords: ReadonlySet<string> = new Set((
  '$id $schema $ref $defs $comment $anchor type const enum multipleOf maximum exclusiveMaximum minimum exclusiveMinimum ' +
  'maxLength minLength pattern maxItems minItems uniqueItems contains minContains maxContains maxProperties ' +
  'minProperties required dependentRequired dependentSchemas dependencies properties patternProperties ' +
  'additionalProperties additionalItems unevaluatedItems unevaluatedProperties propertyNames items prefixItems allOf ' +
  'anyOf oneOf not if then else format contentEncoding contentMediaType contentSchema title description default ' +
  'deprecated readOnly writeOnly examples example nullable discriminator xml externalDocs errorMessage ' +
  'source flags minByteLength maxByteLength minimumTimestamp maximumTimestamp exclusiveMinimumTimestamp ' +
  'exclusiveMaximumTimestamp multipleOfTimestamp'
).split(' '))

/** Keywords that say something of the property as well. */
const both = ['default', 'description'] as const

const isKeyword = (name: string): boolean => keywords.has(name) || name.startsWith('x-')

export interface TypeBoxProperty {
  /** Without settings: what stands in the database, callers are not told. */
  readonly schema: TSchema
  /** `id`, `index`, `hidden`, `postgresql` … */
  readonly settings: Readonly<Record<string, unknown>>
}

/**
 * Takes a schema and the settings of the property apart.
 *
 * ```js
 * apart(Type.String({ maxLength: 9, postgresql: { columnName: 'sku' } }))
 * // { schema: Type.String({ maxLength: 9 }), settings: { postgresql: { columnName: 'sku' } } }
 * ```
 */
export function apart (written: TSchema): TypeBoxProperty {
  // A copy has TypeBox's own symbols, too.
  const schema: TSchema = { ...written }
  const settings: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(written)) {
    if (isKeyword(name)) continue
    settings[name] = value
    delete schema[name]
  }
  for (const name of both) if (written[name] !== undefined) settings[name] = written[name]
  return { schema, settings }
}
