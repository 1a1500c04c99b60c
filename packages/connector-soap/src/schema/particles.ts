/** The elements of a type in their order: what is nested in sequences, choices and groups is made one list. */
import { attributeOf, type XmlElement } from '../xml/element.js'
import { keyOf, readQName, xsdUri } from '../xml/names.js'
import type { SchemaFacts, SchemaSet } from './schema-set.js'

/** An element where it stands in a type. */
export interface Particle {
  readonly node: XmlElement
  readonly schema: SchemaFacts
  readonly name: string
  readonly uri: string
  readonly isMany: boolean
  readonly isRequired: boolean
}

/** What holds for everything in a group. */
interface Around { readonly isMany: boolean, readonly isRequired: boolean, readonly isChoice: boolean }

const isMany = (node: XmlElement): boolean => {
  const most = attributeOf(node, 'maxOccurs')
  return most !== undefined && (most === 'unbounded' || Number(most) > 1)
}

const isRequired = (node: XmlElement): boolean => attributeOf(node, 'minOccurs') !== '0'

class Particles {
  readonly #byName = new Map<string, Particle>()
  readonly #groups = new Set<XmlElement>()

  constructor (readonly schemas: SchemaSet) {}

  get all (): Particle[] {
    return [...this.#byName.values()]
  }

  /** What stands in a type, an extension of one, or a group of elements. */
  addAll (parent: XmlElement, schema: SchemaFacts, around: Around): void {
    for (const node of parent.children) {
      if (node.uri !== xsdUri) continue
      const here: Around = {
        isMany: around.isMany || isMany(node),
        isRequired: around.isRequired && isRequired(node) && node.name !== 'choice',
        isChoice: around.isChoice || node.name === 'choice'
      }
      if (node.name === 'element') this.#element(node, schema, here)
      else if (node.name === 'group') this.#group(node, here)
      else if (node.name === 'sequence' || node.name === 'choice' || node.name === 'all') {
        this.addAll(node, schema, here)
      }
    }
  }

  #group (node: XmlElement, around: Around): void {
    const ref = attributeOf(node, 'ref')
    const group = ref === undefined ? undefined : this.schemas.find('group', readQName(node, ref))
    if (group === undefined || this.#groups.has(group.node)) return
    this.#groups.add(group.node)
    this.addAll(group.node, group.schema, around)
    this.#groups.delete(group.node)
  }

  #element (node: XmlElement, schema: SchemaFacts, around: Around): void {
    const ref = attributeOf(node, 'ref')
    if (ref === undefined) {
      const form = attributeOf(node, 'form')
      const isQualified = form === undefined ? schema.qualifiesElements : form === 'qualified'
      const name = attributeOf(node, 'name') ?? ''
      this.#add({ node, schema, name, uri: isQualified ? schema.targetNamespace : '', ...around }, around.isChoice)
      return
    }
    const head = readQName(node, ref)
    const others = this.schemas.substitutesOf(head)
    for (const each of [head, ...others]) {
      const found = this.schemas.find('element', each)
      if (found === undefined) continue
      this.#add(
        { ...found, ...each, isMany: around.isMany, isRequired: around.isRequired && others.length === 0 },
        around.isChoice || others.length > 0
      )
    }
  }

  /** One that stands in several places of a sequence comes several times. */
  #add (particle: Particle, isChoice: boolean): void {
    const key = keyOf(particle)
    const before = this.#byName.get(key)
    this.#byName.set(key, before === undefined || isChoice ? before ?? particle : { ...before, isMany: true })
  }
}

/**
 * ```js
 * particlesOf(schemas, node, schema).map(({ name }) => name) // ['Symbol', 'Price', 'Note']
 * ```
 * @param node a complex type, an extension or a restriction
 */
export function particlesOf (schemas: SchemaSet, node: XmlElement, schema: SchemaFacts): Particle[] {
  const particles = new Particles(schemas)
  particles.addAll(node, schema, { isMany: false, isRequired: true, isChoice: false })
  return particles.all
}
