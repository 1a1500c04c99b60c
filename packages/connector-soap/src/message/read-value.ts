/** Elements as objects and values, by the schema (SO-X2, SO-X3). */
import { setImmediate } from 'node:timers/promises'
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

type Members = Record<string, unknown>

/** A value, or members with what the schema says of their elements. */
interface Begun {
  readonly value?: unknown
  readonly members?: Members
  readonly uses?: ReadonlyMap<string, ElementUse>
}

/** Elements that are read before others get their turn: a few milliseconds of work. */
const turn = 2000

export class ValueReader {
  /** @param types knows subtypes that a document names; without it everything is text */
  constructor (readonly options: ReadOptions, readonly types?: SchemaTypes) {}

  /**
   * The value of an element; undefined for an empty one whose type is no text.
   * @param declared without it: values are text, several of a name are a list
   */
  read (element: XmlElement, declared: SchemaType = anyType): unknown {
    const { value, members, uses } = this.#begin(element, declared)
    if (members === undefined) return value
    for (const child of element.children) {
      const use = uses?.get(child.name)
      add(members, child.name, use, this.read(child, use?.type))
    }
    return members
  }

  /** The same in slices: a large response leaves others theirs. */
  async readInTurns (element: XmlElement, declared: SchemaType = anyType): Promise<unknown> {
    if (element.size <= turn) return this.read(element, declared)
    const { value, members, uses } = this.#begin(element, declared)
    if (members === undefined) return value
    let read = 0
    for (const child of element.children) {
      const use = uses?.get(child.name)
      add(members, child.name, use, await this.readInTurns(child, use?.type))
      read += child.size
      if (read < turn) continue
      read = 0
      await setImmediate()
    }
    return members
  }

  /** An element without what stands in it: its value, or the object that its members go into. */
  #begin (element: XmlElement, declared: SchemaType): Begun {
    const isPlain = element.attributes.length === 0
    if (!isPlain && isNil(element)) return { value: null }
    const type = isPlain ? declared : this.#typeOf(element, declared)
    const attributes = isPlain ? undefined : attributesOf(element)
    const attached = this.options.attachments && attachedTo(element, this.options.attachments)
    if (attached !== undefined) return { value: attached }
    const textType = type.kind === 'simple' ? type : type.kind === 'complex' ? type.text : undefined
    if (textType !== undefined && element.children.length === 0) {
      const value = readText(element.text, textType, this.options.longsAreText)
      return { value: attributes === undefined ? value : { $attributes: attributes, $value: value } }
    }
    const text = element.text.trim()
    if (element.children.length === 0 && attributes === undefined) return { value: text === '' ? undefined : text }
    const members: Members = attributes === undefined ? {} : { $attributes: attributes }
    if (text !== '') members.$value = text
    return type.kind === 'complex' ? { members, uses: type.byName } : { members }
  }

  #typeOf (element: XmlElement, declared: SchemaType): SchemaType {
    const named = xsi(element, 'type')
    return (named === undefined ? undefined : this.types?.type(readQName(element, named))) ?? declared
  }
}

function add (members: Members, name: string, use: ElementUse | undefined, value: unknown): void {
  // No object of this process may be changed by what a service answers.
  if (name === '__proto__') return
  const before = Object.hasOwn(members, name) ? members[name] : undefined
  if (Array.isArray(before)) before.push(value)
  else if (use?.isMany === true) members[name] = [value]
  else if (Object.hasOwn(members, name)) members[name] = [before, value]
  else if (value !== undefined) members[name] = value
}

/** What stands in another part of the response. */
function attachedTo (element: XmlElement, attachments: ReadonlyMap<string, Buffer>): Buffer | undefined {
  const include = element.children.find(({ name, uri }) => name === 'Include' && uri === xopUri)
  const href = include?.attributes.find(({ name }) => name === 'href')?.value
  return href === undefined ? undefined : attachments.get(href)
}

function isNil (element: XmlElement): boolean {
  const nil = xsi(element, 'nil')?.trim()
  return nil === 'true' || nil === '1'
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
