/**
 * Values that fit a JSON Schema, with something hostile in their place now and then: what gets past the first check and
 * attacks the second.
 */
import { operatorNames } from '@fastback/core/query'
import fc from 'fast-check'
import {
  hostileName,
  hostileScalar,
  hostileText,
  hostileTree,
  objectOf,
  patternTexts,
  specialNames,
  type Vocabulary
} from './values.js'

export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly format?: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly additionalProperties?: boolean | JsonSchema
  readonly required?: readonly string[]
  readonly items?: JsonSchema
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly allOf?: readonly JsonSchema[]
  readonly minimum?: number
  readonly maximum?: number
  readonly [keyword: string]: unknown
}

const texts = fc.oneof(
  { arbitrary: fc.constantFrom('a', 'b', 'text', 'Ann', 'gold', 'title', 'x1', 'ABC-1', '123456', 'é'), weight: 6 },
  { arbitrary: fc.string({ minLength: 1, maxLength: 8 }), weight: 1 },
  { arbitrary: hostileText, weight: 3 }
)

const byFormat: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  date: fc.constantFrom('2020-01-01', '1999-12-31', '0001-01-01'),
  'date-time': fc.constantFrom(
    '2020-01-01T00:00:00Z',
    '1969-12-31T23:59:59.999Z',
    '9999-12-31T23:59:59.999+00:00',
    '2020-01-01'
  ),
  email: fc.integer({ min: 0, max: 999 }).map(number => `mail${number}@example.com`),
  uuid: fc.uuid(),
  uri: fc.constantFrom('http://example.com/a', 'urn:x:y')
}

/**
 * Makes arbitraries from the schemas of one document.
 * @param components `components.schemas` of the document, which `$ref`s name
 * @param mutation one of how many places gets something hostile
 */
export class SchemaValues {
  readonly #memo = new Map<string, fc.Arbitrary<unknown>>()
  readonly #tree: fc.Arbitrary<unknown>
  readonly #name: fc.Arbitrary<string>
  readonly #id: fc.Arbitrary<unknown> | undefined

  constructor (
    readonly components: Readonly<Record<string, JsonSchema>>,
    readonly vocabulary: Vocabulary,
    readonly mutation = 14
  ) {
    this.#tree = hostileTree(vocabulary)
    this.#name = hostileName(vocabulary)
    this.#id = vocabulary.ids.length === 0 ? undefined : fc.constantFrom(...vocabulary.ids)
  }

  /** @param levels how deep `$ref`s are followed */
  of (schema: JsonSchema, levels = 5): fc.Arbitrary<unknown> {
    const good = this.#fitting(schema, levels)
    return fc.oneof(
      { withCrossShrink: true },
      { arbitrary: good, weight: this.mutation },
      { arbitrary: this.#tree, weight: 1 }
    )
  }

  #fitting (schema: JsonSchema, levels: number): fc.Arbitrary<unknown> {
    if (schema.$ref !== undefined) return this.#referred(schema.$ref, levels)
    if (levels === 0) return hostileScalar
    if (schema.const !== undefined) return fc.constant(schema.const)
    if (schema.enum !== undefined && schema.enum.length > 0) return fc.constantFrom(...schema.enum)
    const branches = schema.anyOf ?? schema.oneOf
    if (branches !== undefined) return fc.oneof(...branches.map(branch => this.#fitting(branch, levels)))
    if (schema.allOf !== undefined) {
      return fc
        .tuple(...schema.allOf.map(part => this.#fitting(part, levels)))
        .map(parts => Object.assign({}, ...parts) as unknown)
    }
    const types = schema.type === undefined ? [] : [schema.type].flat()
    if (types.length > 1) return fc.oneof(...types.map(type => this.#fitting({ ...schema, type }, levels)))
    return this.#typed(types[0], schema, levels)
  }

  #referred (reference: string, levels: number): fc.Arbitrary<unknown> {
    const key = `${reference} ${levels}`
    let known = this.#memo.get(key)
    if (known === undefined) {
      const target = this.components[reference.slice(reference.lastIndexOf('/') + 1)]
      known = target === undefined || levels === 0 ? hostileScalar : this.#fitting(target, levels - 1)
      this.#memo.set(key, known)
    }
    return known
  }

  #typed (type: string | undefined, schema: JsonSchema, levels: number): fc.Arbitrary<unknown> {
    switch (type) {
      case 'null':
        return fc.constant(null)
      case 'boolean':
        return fc.boolean()
      case 'integer':
        return this.#orId(fc.integer({ min: schema.minimum ?? -5, max: Math.min(schema.maximum ?? 50, 50) }))
      case 'number':
        return this.#orId(
          fc.oneof(
            fc.integer({ min: -3, max: 12 }),
            fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 })
          )
        )
      case 'string':
        return byFormat[schema.format ?? ''] ?? this.#orId(texts)
      case 'array':
        return fc.array(this.of(schema.items ?? {}, levels - 1), { maxLength: 3 })
      case 'object':
        return this.#object(schema, levels)
      default:
        return this.#anything(levels)
    }
  }

  #orId (values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
    return this.#id === undefined
      ? values
      : fc.oneof({ arbitrary: values, weight: 3 }, { arbitrary: this.#id, weight: 1 })
  }

  /** The schema does not say: a value, or a condition on it. */
  #anything (levels: number): fc.Arbitrary<unknown> {
    const operand = fc.oneof(hostileScalar, fc.constantFrom(...patternTexts), fc.array(hostileScalar, { maxLength: 3 }))
    const condition = fc
      .array(fc.tuple(fc.constantFrom(...operatorNames), operand), { minLength: 1, maxLength: 2 })
      .map(objectOf)
    return levels <= 1
      ? hostileScalar
      : fc.oneof(
        { arbitrary: this.#orId(hostileScalar), weight: 2 },
        { arbitrary: condition, weight: 2 },
        { arbitrary: this.#tree, weight: 1 }
      )
  }

  #object (schema: JsonSchema, levels: number): fc.Arbitrary<unknown> {
    const properties = Object.entries(schema.properties ?? {})
    const needed = new Set(schema.required)
    const required = properties
      .filter(([name]) => needed.has(name))
      .map(([name, each]) => fc.tuple(fc.constant(name), this.of(each, levels - 1)))
    const optional = properties
      .filter(([name]) => !needed.has(name))
      .map(([name, each]) => fc.tuple(fc.constant(name), this.of(each, levels - 1)))
    const extra = fc.tuple(fc.oneof(this.#name, fc.constantFrom(...specialNames)), this.#tree)
    const some =
      optional.length === 0 ? fc.constant([]) : fc.array(fc.oneof(...optional), { maxLength: levels > 3 ? 4 : 2 })
    const extras = fc.oneof(
      { arbitrary: fc.constant([]), weight: 9 },
      { arbitrary: fc.array(extra, { minLength: 1, maxLength: 2 }), weight: 1 }
    )
    return fc
      .tuple(fc.tuple(...required), some, extras)
      .map(parts => objectOf(parts.flat() as Array<[string, unknown]>))
  }
}
