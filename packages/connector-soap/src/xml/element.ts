/** Elements of a document that was read. */

export interface XmlAttribute {
  /** Without its prefix. */
  readonly name: string
  /** Its namespace; empty where it is in none. */
  readonly uri: string
  readonly value: string
}

export interface XmlElement {
  /** Without its prefix. */
  readonly name: string
  /** Its namespace; empty where it is in none. */
  readonly uri: string
  readonly attributes: readonly XmlAttribute[]
  readonly children: readonly XmlElement[]
  /** What stands in it beside its elements, as one text. */
  readonly text: string
  /** Namespaces by prefix, as they are in force here: those of elements around it are inherited, from no prototype. */
  readonly scope: Readonly<Record<string, string>>
  /** Elements in it, itself among them. */
  readonly size: number
}

/** The value of an attribute that is in no namespace. */
export const attributeOf = (element: XmlElement, name: string): string | undefined =>
  element.attributes.find(each => each.name === name && each.uri === '')?.value

/** Its elements of a name, in the element's own namespace or the one given. */
export const childrenOf = (element: XmlElement, name: string, uri = element.uri): XmlElement[] =>
  element.children.filter(each => each.name === name && each.uri === uri)

/** The first of them. */
export const childOf = (element: XmlElement, name: string, uri = element.uri): XmlElement | undefined =>
  element.children.find(each => each.name === name && each.uri === uri)
