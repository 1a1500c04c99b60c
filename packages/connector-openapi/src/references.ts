/** `$ref` within a document. */
import { objectOf, textOf, type Json } from './json.js'

/** References that lead to references this often lead nowhere. */
const maxSteps = 50

/** How often a schema may stand within itself before it is said to be anything. */
const maxRepeats = 2
/** Schemas in one that is written out. */
const maxSchemas = 5000

export class References {
  constructor (readonly document: Json) {}

  /**
   * What a value refers to, or the value.
   * @throws Error for a reference that leads out of the document, or nowhere
   */
  resolve (value: unknown): Json {
    let found = objectOf(value)
    for (let steps = 0; textOf(found.$ref) !== undefined; steps++) {
      if (steps > maxSteps) throw new Error(`the reference "${String(found.$ref)}" leads to itself`)
      found = this.#at(found.$ref as string)
    }
    return found
  }

  #at (reference: string): Json {
    if (!reference.startsWith('#/')) {
      throw new Error(`the reference "${reference}" leads out of the document; bundle it into one`)
    }
    const path = reference.slice(2).split('/').map(part => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'))
    let found: unknown = this.document
    for (const part of path) {
      const holder: unknown = found
      found = typeof holder === 'object' && holder !== null && Object.hasOwn(holder, part)
        ? (holder as Json)[part]
        : undefined
    }
    if (found === undefined) throw new Error(`the reference "${reference}" leads nowhere`)
    return objectOf(found)
  }

  /**
   * A schema as JSON Schema that holds everything it refers to. What stands within itself is anything from its third
   * level on.
   *
   * ```js
   * references.schema({ $ref: '#/components/schemas/Pet' }) // { type: 'object', properties: { … } }
   * ```
   */
  schema (value: unknown): Json {
    let left = maxSchemas
    const open: string[] = []
    const write = (given: unknown): unknown => {
      if (typeof given === 'boolean') return given
      if (left-- <= 0) return {}
      const { $ref } = objectOf(given)
      if (textOf($ref) === undefined) return written(objectOf(given), write)
      const reference = $ref as string
      if (open.filter(each => each === reference).length >= maxRepeats) return {}
      open.push(reference)
      const schema = write(this.#at(reference))
      open.pop()
      return schema
    }
    return objectOf(write(value))
  }
}

/** Keywords whose value is a schema, a list of schemas, or schemas by name. */
const single = new Set(['items', 'additionalProperties', 'not', 'if', 'then', 'else', 'contains', 'propertyNames', 'unevaluatedProperties', 'unevaluatedItems'])
const several = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems'])
const byName = new Set(['properties', 'patternProperties', 'dependentSchemas'])
/** Keywords of OpenAPI that say nothing of values. */
const leftOut = new Set(['discriminator', 'xml', 'externalDocs', 'nullable', 'example', '$schema', '$id', '$anchor', '$defs'])

/** The keywords of a schema, those of OpenAPI 3.0 as JSON Schema has them. */
function written (schema: Json, write: (schema: unknown) => unknown): Json {
  const result: Record<string, unknown> = {}
  for (const [keyword, value] of Object.entries(schema)) {
    if (leftOut.has(keyword) || keyword.startsWith('x-')) continue
    if (single.has(keyword)) result[keyword] = write(value)
    else if (several.has(keyword) && Array.isArray(value)) result[keyword] = value.map(write)
    else if (byName.has(keyword)) {
      result[keyword] = Object.fromEntries(Object.entries(objectOf(value)).map(([name, each]) => [name, write(each)]))
    } else result[keyword] = value
  }
  bound(result, 'exclusiveMinimum', 'minimum')
  bound(result, 'exclusiveMaximum', 'maximum')
  return schema.nullable === true ? orNull(result) : result
}

/** OpenAPI 3.0 says of a bound whether it is exclusive; JSON Schema gives the exclusive bound. */
function bound (schema: Record<string, unknown>, exclusive: string, inclusive: string): void {
  if (typeof schema[exclusive] !== 'boolean') return
  if (schema[exclusive]) {
    schema[exclusive] = schema[inclusive]
    delete schema[inclusive]
  } else delete schema[exclusive]
}

function orNull (schema: Record<string, unknown>): Json {
  if (schema.type === undefined) return { anyOf: [schema, { type: 'null' }] }
  const values = Array.isArray(schema.enum) ? { enum: [...schema.enum as unknown[], null] } : {}
  return { ...schema, ...values, type: [schema.type, 'null'].flat() }
}
