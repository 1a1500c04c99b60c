/** Types of a WSDL as JSON Schema, for the description of the API and for clients (SO-M3). */
import type { Message } from '../wsdl/operations.js'
import type { ContentType, ElementUse, SchemaType, TextKind, TextType } from './types.js'

export type JsonSchema = Record<string, unknown>

/** What is said of one message; what lies beyond is only said to be an object. */
const maxMembers = 1000
const maxDepth = 12

/**
 * Whether values go in or come out: what goes in is taken in the forms that are written the same, and nothing is
 * required, because what is missing is left out (SO-X2).
 */
export type Direction = 'in' | 'out'

const formats: Readonly<Partial<Record<TextKind, JsonSchema>>> = {
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  date: { type: 'string', format: 'date-time' },
  dateTime: { type: 'string', format: 'date-time' }
}

/** A text that stands for a value is written the same, and so is a value where a text is wanted (SO-X6). */
const taken: Readonly<Record<string, readonly string[]>> = {
  string: ['string', 'number', 'boolean'],
  number: ['number', 'string'],
  integer: ['number', 'string'],
  boolean: ['boolean', 'string', 'number']
}

class Describer {
  #members = 0
  readonly #open = new Set<SchemaType>()

  constructor (readonly direction: Direction, readonly longsAreText: boolean) {}

  type (type: SchemaType): JsonSchema {
    if (type.kind === 'any') return {}
    return type.kind === 'simple' ? this.#text(type) : this.#content(type)
  }

  #text ({ text, isList, values }: TextType): JsonSchema {
    const usual = { type: 'string' }
    const single = text === 'long' ? { type: this.longsAreText ? 'string' : 'integer' } : formats[text] ?? usual
    if (values !== undefined && !isList && single.type === 'string') return { ...usual, enum: [...values] }
    if (this.direction === 'in') return { type: taken[String(single.type)] ?? taken.string }
    return isList ? usual : single
  }

  #content (type: ContentType): JsonSchema {
    if (this.#open.has(type) || this.#open.size >= maxDepth || this.#members >= maxMembers) return { type: 'object' }
    this.#open.add(type)
    const properties: Record<string, JsonSchema> = {}
    if (type.attributes.length > 0) {
      const one = { type: this.direction === 'in' ? taken.string : 'string' }
      const attributes = type.attributes.map(({ name }) => [name, one] as const)
      properties.$attributes = { type: 'object', properties: Object.fromEntries(attributes) }
    }
    if (type.text !== undefined) properties.$value = this.#text(type.text)
    Object.assign(properties, this.members(type.elements).properties)
    this.#open.delete(type)
    const whole = { type: 'object', properties }
    // A text without attributes is a value by itself.
    return type.text === undefined ? whole : { anyOf: [this.#text(type.text), whole] }
  }

  members (elements: readonly ElementUse[]): { type: 'object', properties: Record<string, JsonSchema> } {
    return { type: 'object', properties: Object.fromEntries(elements.map(each => [each.name, this.#element(each)])) }
  }

  #element ({ type, isMany, isNillable }: ElementUse): JsonSchema {
    this.#members++
    const single = isNillable || this.direction === 'in' ? orNull(this.type(type)) : this.type(type)
    if (!isMany) return single
    const many = { type: 'array', items: single }
    return this.direction === 'in' ? { anyOf: [many, single] } : many
  }
}

function orNull (schema: JsonSchema): JsonSchema {
  if (schema.type === undefined) return schema.anyOf === undefined ? schema : { anyOf: [...schema.anyOf as [], { type: 'null' }] }
  const values = schema.enum === undefined ? {} : { enum: [...schema.enum as string[], null] }
  return { ...schema, ...values, type: [schema.type, 'null'].flat() }
}

/**
 * What goes into an operation, or comes out of it.
 *
 * ```js
 * describeMessage(operation.input, 'in', false) // { type: 'object', properties: { Symbol: { type: 'string' } } }
 * ```
 * @param longsAreText whether whole numbers that may pass 2^53 are given as text
 */
export function describeMessage ({ wrapper, parts }: Message, direction: Direction, longsAreText: boolean): JsonSchema {
  const describer = new Describer(direction, longsAreText)
  const [only] = parts
  const isContent = wrapper === undefined && parts.length === 1 && only !== undefined
  if (isContent && (only.type.kind !== 'simple' || direction === 'out')) return describer.type(only.type)
  return describer.members(parts)
}
