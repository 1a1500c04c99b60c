/** Elements as objects and values, by the schema (SO-X2, SO-X3). */
import { readText } from './read-text.js'
import { anyType, type ElementUse, type SchemaType } from '../schema/types.js'
import type { SchemaTypes } from '../schema/schema-types.js'
import type { XmlElement } from '../xml/element.js'
import { readQName, xsiUri } from '../xml/names.js'

export interface ReadOptions {
  /** Whole numbers that may pass 2^53 stay text (SO-X4). */
  readonly longsAreText: boolean
  /** Elements that answers hold under other names; Buffers by the address that refers to them (SO-F9). */
  readonly attachments?: ReadonlyMap<string, Buffer>
}

const xopUri = 'http://www.w3.org/2004/08/xop/include'

export class ValueReader {
  /** @param types knows subtypes that a document names; without it everything is text */
  constructor (readonly options: ReadOptions, readonly types?: SchemaTypes) {}

  /**
   * The value of an element; undefined for an empty one whose type is no text.
   * @param declared without it: values are text, several of a name are a list
   */
  read (element: XmlElement, declared: SchemaType = anyType): unknown {
    if (xsi(element, 'nil')?.trim() === 'true' || xsi(element, 'nil')?.trim() === '1') return null
    const type = this.#typeOf(element, declared)
    const attributes = attributesOf(element)
    const attached = this.#attached(element)
    if (attached !== undefined) return attached
    const textType = type.kind === 'simple' ? type : type.kind === 'complex' ? type.text : undefined
    if (textType !== undefined && element.children.length === 0) {
      const value = readText(element.text, textType, this.options.longsAreText)
      return attributes === undefined ? value : { $attributes: attributes, $value: value }
    }
    return this.#members(element, type, attributes)
  }

  #members (element: XmlElement, type: SchemaType, attributes: object | undefined): unknown {
    const text = element.text.trim()
    if (element.children.length === 0 && attributes === undefined) return text === '' ? undefined : text
    const members: Record<string, unknown> = attributes === undefined ? {} : { $attributes: attributes }
    if (text !== '') members.$value = text
    const uses = type.kind === 'complex' ? type.byName : undefined
    for (const child of element.children) this.#add(members, child, uses?.get(child.name))
    return members
  }

  #add (members: Record<string, unknown>, child: XmlElement, use: ElementUse | undefined): void {
    const { name } = child
    // No object of this process may be changed by what a service answers.
    if (name === '__proto__') return
    const value = this.read(child, use?.type)
    const before = Object.hasOwn(members, name) ? members[name] : undefined
    if (Array.isArray(before)) before.push(value)
    else if (use?.isMany === true) members[name] = [value]
    else if (Object.hasOwn(members, name)) members[name] = [before, value]
    else if (value !== undefined) members[name] = value
  }

  #typeOf (element: XmlElement, declared: SchemaType): SchemaType {
    const named = xsi(element, 'type')
    return (named === undefined ? undefined : this.types?.type(readQName(element, named))) ?? declared
  }

  /** What stands in another part of the answer. */
  #attached (element: XmlElement): Buffer | undefined {
    const include = element.children.find(({ name, uri }) => name === 'Include' && uri === xopUri)
    const href = include?.attributes.find(({ name }) => name === 'href')?.value
    return href === undefined ? undefined : this.options.attachments?.get(href)
  }
}

const xsi = ({ attributes }: XmlElement, name: string): string | undefined =>
  attributes.find(each => each.uri === xsiUri && each.name === name)?.value

/** Attributes as texts; a type that the document names as `$xsiType`. */
function attributesOf (element: XmlElement): Record<string, unknown> | undefined {
  const found: Record<string, unknown> = {}
  for (const { name, uri, value } of element.attributes) {
    if (uri !== xsiUri && name !== '__proto__') found[name] = value
  }
  const type = xsi(element, 'type')
  if (type !== undefined) {
    const { uri, name } = readQName(element, type)
    found.$xsiType = { type: name, xmlns: uri }
  }
  return Object.keys(found).length === 0 ? undefined : found
}
