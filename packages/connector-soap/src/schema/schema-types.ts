/** Types as values are read and written by them, made of the schemas when they are first asked for. */
import { attributeOf, childOf, type XmlElement } from '../xml/element.js'
import { keyOf, readQName, xsdUri, type QName } from '../xml/names.js'
import { particlesOf, type Particle } from './particles.js'
import type { Component, SchemaFacts, SchemaSet } from './schema-set.js'
import { anyType, builtinType, textType, type AttributeUse, type ContentType, type ElementUse, type SchemaType, type TextType } from './types.js'

const soapEncodingUri = 'http://schemas.xmlsoap.org/soap/encoding/'

/** Types that are made of each other this often are made of themselves. */
const maxBases = 50

export class SchemaTypes {
  readonly #made = new Map<XmlElement, SchemaType>()

  constructor (readonly schemas: SchemaSet) {}

  /** An element that stands by itself: the content of a message, a fault, a header. */
  element (name: QName): ElementUse | undefined {
    const found = this.schemas.find('element', name)
    return found && this.#use({ ...found, ...name, isMany: false, isRequired: true })
  }

  /** A type by its name; undefined for one that no schema has. */
  type (name: QName): SchemaType | undefined {
    if (name.uri === xsdUri || name.uri === soapEncodingUri) return builtinType(name.name)
    const found = this.schemas.find('complexType', name) ?? this.schemas.find('simpleType', name)
    return found && this.#typeOf(found)
  }

  #use ({ node, schema, name, uri, isMany, isRequired }: Particle): ElementUse {
    const typeAt = (): SchemaType => this.#typeAt(node, schema)
    return {
      name, uri, isMany, isRequired, isNillable: attributeOf(node, 'nillable') === 'true', get type () { return typeAt() }
    }
  }

  /** The type that an element or an attribute names, or holds. */
  #typeAt (node: XmlElement, schema: SchemaFacts): SchemaType {
    const named = attributeOf(node, 'type')
    if (named !== undefined) return this.type(readQName(node, named)) ?? anyType
    const held = childOf(node, 'complexType', xsdUri) ?? childOf(node, 'simpleType', xsdUri)
    return held === undefined ? anyType : this.#typeOf({ node: held, schema })
  }

  #typeOf (found: Component): SchemaType {
    const made = this.#made.get(found.node)
    if (made !== undefined) return made
    const type = found.node.name === 'simpleType' ? this.#textType(found.node) : this.#content(found, 0)
    this.#made.set(found.node, type)
    return type
  }

  #textType (node: XmlElement, depth = 0): TextType {
    if (childOf(node, 'list', xsdUri) !== undefined) return { ...textType, isList: true }
    const restriction = childOf(node, 'restriction', xsdUri)
    if (restriction === undefined || depth > maxBases) return textType
    const base = this.#textBase(restriction, depth)
    const values = restriction.children
      .filter(each => each.name === 'enumeration' && each.uri === xsdUri)
      .map(each => attributeOf(each, 'value') ?? '')
    return values.length === 0 ? base : { ...base, values }
  }

  /** What a restriction of a text restricts. */
  #textBase (restriction: XmlElement, depth: number): TextType {
    const named = attributeOf(restriction, 'base')
    if (named === undefined) {
      const held = childOf(restriction, 'simpleType', xsdUri)
      return held === undefined ? textType : this.#textType(held, depth + 1)
    }
    const name = readQName(restriction, named)
    const found = this.schemas.find('simpleType', name)
    if (found !== undefined) return this.#textType(found.node, depth + 1)
    const builtin = this.type(name)
    return builtin?.kind === 'simple' ? builtin : textType
  }

  #content ({ node, schema }: Component, depth: number): ContentType {
    const content = childOf(node, 'simpleContent', xsdUri) ?? childOf(node, 'complexContent', xsdUri)
    const derived = content?.children.find(({ name }) => name === 'extension' || name === 'restriction')
    const base = derived === undefined || depth > maxBases ? undefined : this.#baseOf(derived, depth)
    const inherited = base?.kind === 'complex' ? base : undefined
    const body = derived ?? node
    const own = particlesOf(this.schemas, body, schema).map(each => this.#use(each))
    const elements = derived?.name === 'extension' ? merged(inherited?.elements ?? [], own) : own
    const text = base?.kind === 'simple' ? base : inherited?.text
    const name = attributeOf(node, 'name')
    return {
      kind: 'complex',
      name: name === undefined ? undefined : { uri: schema.targetNamespace, name },
      elements,
      byName: new Map(elements.map(each => [each.name, each])),
      attributes: merged(inherited?.attributes ?? [], this.#attributes(body, schema, 0)),
      text: content?.name === 'simpleContent' ? text ?? textType : text
    }
  }

  #baseOf (derived: XmlElement, depth: number): SchemaType | undefined {
    const named = attributeOf(derived, 'base')
    if (named === undefined) return undefined
    const name = readQName(derived, named)
    const found = this.schemas.find('complexType', name)
    return found === undefined ? this.type(name) : this.#content(found, depth + 1)
  }

  #attributes (parent: XmlElement, schema: SchemaFacts, depth: number): AttributeUse[] {
    return parent.children.flatMap(node => {
      if (node.uri !== xsdUri || depth > maxBases) return []
      const ref = attributeOf(node, 'ref')
      if (node.name === 'attributeGroup' && ref !== undefined) {
        const group = this.schemas.find('attributeGroup', readQName(node, ref))
        return group === undefined ? [] : this.#attributes(group.node, group.schema, depth + 1)
      }
      return node.name === 'attribute' ? [this.#attribute(node, schema, ref)] : []
    })
  }

  #attribute (node: XmlElement, schema: SchemaFacts, ref: string | undefined): AttributeUse {
    const name = ref === undefined ? undefined : readQName(node, ref)
    const found = name === undefined ? { node, schema } : this.schemas.find('attribute', name)
    const type = found === undefined ? textType : this.#typeAt(found.node, found.schema)
    const form = attributeOf(node, 'form')
    const isQualified = form === undefined ? schema.qualifiesAttributes : form === 'qualified'
    return {
      ...name ?? { name: attributeOf(node, 'name') ?? '', uri: isQualified ? schema.targetNamespace : '' },
      type: type.kind === 'simple' ? type : textType
    }
  }
}

/** What is declared again takes the place of what was inherited. */
const merged = <T extends QName>(inherited: readonly T[], own: readonly T[]): T[] =>
  [...new Map([...inherited, ...own].map(each => [keyOf(each), each])).values()]
