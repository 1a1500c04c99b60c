/** Objects as elements, by the schema: in its order, and nothing that it does not know (SO-X2). */
import { invalidInput } from '../errors.js'
import { anyType, textType, type ElementUse, type SchemaType } from '../schema/types.js'
import type { SchemaTypes } from '../schema/schema-types.js'
import { xsdUri, xsiUri, type QName } from '../xml/names.js'
import { XmlError } from '../xml/read-xml.js'
import { writeText } from './write-text.js'
import type { XmlWriter } from './xml-writer.js'

type Members = Readonly<Record<string, unknown>>

/** How deep an input may be nested; what is deeper refers to itself. */
const maxDepth = 100

/** Names of elements that no schema declares. */
const plainName = /^[\p{L}_][\p{L}\p{N}_.-]*$/u

export class ValueWriter {
  constructor (readonly xml: XmlWriter, readonly types: SchemaTypes) {}

  /**
   * All elements of one name.
   * @throws RequestError 400 INVALID_SOAP_INPUT
   */
  elements (use: ElementUse, value: unknown, where: string, depth = 0): string {
    if (Array.isArray(value) && !(use.type.kind === 'simple' && use.type.isList && !use.isMany)) {
      return value.map((each, at) => this.element(use, each, `${where}[${String(at)}]`, depth)).join('')
    }
    return this.element(use, value, where, depth)
  }

  /** An element of its own; nothing for what is missing, and for null where the schema knows none. */
  element (use: ElementUse, value: unknown, where: string, depth = 0): string {
    if (value === undefined) return ''
    if (value === null) {
      return use.isNillable ? this.xml.element(use, this.xml.attribute({ uri: xsiUri, name: 'nil' }, 'true'), '') : ''
    }
    if (depth > maxDepth) throw invalidInput(where, `it is nested deeper than ${String(maxDepth)}`)
    const given = plain(value)
    const special = isMembers(given) ? given : undefined
    const subtype = special === undefined ? undefined : this.#subtype(special, where)
    const attributes = subtype === undefined ? '' : this.#typeAttribute(subtype)
    const type = (subtype && this.types.type(subtype)) ?? use.type
    try {
      return this.xml.element(
        use,
        attributes + (special === undefined ? '' : this.#attributes(type, special, where)),
        this.content(type, given, where, depth)
      )
    } catch (error) {
      throw error instanceof XmlError ? invalidInput(where, error.message) : error
    }
  }

  /** What stands between the tags. */
  content (type: SchemaType, given: unknown, where: string, depth = 0): string {
    const members = isMembers(given) ? given : undefined
    if (members !== undefined && Object.hasOwn(members, '$xml')) return rawXml(members.$xml, where)
    const value = members !== undefined && Object.hasOwn(members, '$value') ? members.$value : undefined
    if (type.kind === 'simple') return this.xml.text(writeText(value ?? given, type, where))
    if (type.kind === 'any') return this.#anything(value ?? given, where, depth)
    if (members === undefined || (value !== undefined && value !== null)) {
      return this.xml.text(writeText(value ?? given, type.text ?? textType, where))
    }
    return type.elements
      .map(use => this.elements(use, memberOf(members, use.name), `${where}.${use.name}`, depth + 1))
      .join('')
  }

  /** Where the schema says nothing, names are taken as they are, in no namespace. */
  #anything (value: unknown, where: string, depth: number): string {
    if (value === undefined || value === null) return ''
    const given = plain(value)
    if (!isMembers(given)) return this.xml.text(writeText(given, textType, where))
    return Object.entries(given).map(([name, member]) => {
      if (name.startsWith('$')) return ''
      if (!plainName.test(name)) throw invalidInput(where, 'a name is none that an element can have')
      const use = { name, uri: '', isMany: true, isRequired: false, isNillable: true, type: anyType }
      return this.elements(use, member, `${where}.${name}`, depth + 1)
    }).join('')
  }

  #attributes (type: SchemaType, members: Members, where: string): string {
    const given = memberOf(members, '$attributes')
    if (type.kind !== 'complex' || !isMembers(given)) return ''
    return type.attributes.map(use => {
      const value = memberOf(given, use.name)
      if (value === undefined || value === null) return ''
      return this.xml.attribute(use, writeText(value, use.type, `${where}.$attributes.${use.name}`))
    }).join('')
  }

  /** `$attributes.$xsiType`: a type that is derived from the declared one. */
  #subtype (members: Members, where: string): QName | undefined {
    const attributes = memberOf(members, '$attributes')
    const given = isMembers(attributes) ? memberOf(attributes, '$xsiType') : undefined
    if (given === undefined || given === null) return undefined
    const { type, xmlns = '' } = given as { type?: unknown, xmlns?: unknown }
    const name = { uri: String(xmlns), name: String(type) }
    if (this.types.type(name) === undefined) throw invalidInput(where, 'the schema has no such "$xsiType"')
    return name
  }

  #typeAttribute (type: QName): string {
    return this.xml.attribute({ uri: xsiUri, name: 'type' }, this.xml.name(type.uri === '' ? { ...type, uri: xsdUri } : type))
  }
}

/** Ready XML. Callers from outside never come here with it (SC-S6). */
function rawXml (value: unknown, where: string): string {
  if (typeof value !== 'string') throw invalidInput(where, '"$xml" must be a text')
  return value
}

/** Instances of models, and others that say what they are in JSON. */
function plain (value: unknown): unknown {
  const { toJSON } = value as { toJSON?: unknown }
  if (typeof toJSON !== 'function' || value instanceof Date || value instanceof Uint8Array) return value
  return (value as { toJSON (): unknown }).toJSON()
}

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date) &&
  !(value instanceof Uint8Array)

const memberOf = (members: Members, name: string): unknown => Object.hasOwn(members, name) ? members[name] : undefined
