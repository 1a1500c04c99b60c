/** The schemas of a WSDL: what they declare, by name. */
import { attributeOf, type XmlElement } from '../xml/element.js'
import { keyOf, readQName, xsdUri, type QName } from '../xml/names.js'

export type ComponentKind = 'element' | 'complexType' | 'simpleType' | 'group' | 'attributeGroup' | 'attribute'

/** A declaration, with what holds for the schema that it stands in. */
export interface Component {
  readonly node: XmlElement
  readonly schema: SchemaFacts
}

export interface SchemaFacts {
  readonly targetNamespace: string
  readonly qualifiesElements: boolean
  readonly qualifiesAttributes: boolean
}

const kinds: ReadonlySet<string> = new Set<ComponentKind>([
  'element', 'complexType', 'simpleType', 'group', 'attributeGroup', 'attribute'
])

export class SchemaSet {
  readonly #components = new Map<string, Component>()
  /** Elements that may stand in the place of another one. */
  readonly #substitutes = new Map<string, QName[]>()

  /**
   * @param schema its `xsd:schema`
   * @param namespace of the schema that includes it, where it names none itself
   */
  add (schema: XmlElement, namespace?: string): void {
    const facts: SchemaFacts = {
      targetNamespace: attributeOf(schema, 'targetNamespace') ?? namespace ?? '',
      qualifiesElements: attributeOf(schema, 'elementFormDefault') === 'qualified',
      qualifiesAttributes: attributeOf(schema, 'attributeFormDefault') === 'qualified'
    }
    for (const node of schema.children) {
      const name = attributeOf(node, 'name')
      if (node.uri !== xsdUri || !kinds.has(node.name) || name === undefined) continue
      const qname = { uri: facts.targetNamespace, name }
      this.#components.set(`${node.name} ${keyOf(qname)}`, { node, schema: facts })
      const head = attributeOf(node, 'substitutionGroup')
      if (head === undefined) continue
      const key = keyOf(readQName(node, head))
      this.#substitutes.set(key, [...this.#substitutes.get(key) ?? [], qname])
    }
  }

  find (kind: ComponentKind, name: QName): Component | undefined {
    return this.#components.get(`${kind} ${keyOf(name)}`)
  }

  /** Elements that may stand where this one is named, itself not among them. */
  substitutesOf (head: QName, seen = new Set<string>()): QName[] {
    return (this.#substitutes.get(keyOf(head)) ?? []).flatMap(each => {
      const key = keyOf(each)
      if (seen.has(key)) return []
      seen.add(key)
      return [each, ...this.substitutesOf(each, seen)]
    })
  }
}
