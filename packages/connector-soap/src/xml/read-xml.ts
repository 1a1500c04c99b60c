/**
 * Reads XML that others wrote (service-connectors.md, SC-S9, SO-F8): no document type, no entities but the five of XML,
 * and bounds for what one document may make this process hold.
 */
import { SaxesParser, type SaxesAttributeNS, type SaxesTagNS } from 'saxes'
import { setImmediate } from 'node:timers/promises'
import type { XmlAttribute, XmlElement } from './element.js'
import { xsdUri, xsiUri } from './names.js'

/** What is wrong with a document, and where. It never repeats the document. */
export class XmlError extends Error {}

/** SC-S9. */
export const maxDepth = 100
const maxNodes = 1_000_000

/** Characters that are read before others get their turn: about a millisecond of work. */
const turn = 64 * 1024

/** Prefixes of everybody, where a document does not say them. */
const usualScope: Readonly<Record<string, string>> =
  Object.assign(Object.create(null) as object, { xsi: xsiUri, xsd: xsdUri, xs: xsdUri })

const unsaid = (prefix: string): string =>
  prefix === '' ? '' : Object.hasOwn(usualScope, prefix) ? usualScope[prefix] as string : `unbound:${prefix}`

/** An element that is still being read. */
interface Open extends XmlElement {
  readonly children: XmlElement[]
  text: string
  size: number
}

class Reader {
  // Some services and WSDLs do not say what their prefixes are; LoopBack's parser did not ask.
  readonly #parser = new SaxesParser({ xmlns: true, position: false, resolvePrefix: unsaid })

  readonly #open: Open[] = []
  #nodes = 0
  #root: XmlElement | undefined

  constructor () {
    const parser = this.#parser
    parser.on('error', ({ message }) => { throw new XmlError(message) })
    parser.on('doctype', () => { throw new XmlError('a document type declaration is not read') })
    parser.on('opentag', tag => { this.#begin(tag) })
    parser.on('closetag', () => { this.#end() })
    parser.on('text', text => { this.#write(text) })
    parser.on('cdata', text => { this.#write(text) })
  }

  read (text: string): void {
    this.#parser.write(text)
  }

  finish (): XmlElement {
    this.#parser.close()
    if (this.#root === undefined) throw new XmlError('there is no element')
    return this.#root
  }

  #begin ({ local, uri, ns, attributes }: SaxesTagNS): void {
    const above = this.#open.at(-1)
    const outer = above?.scope ?? usualScope
    const scope = this.#scopeOf(outer, ns)
    const element: Open = { name: local, uri, attributes: own(attributes), children: [], text: '', scope, size: 1 }
    if (this.#open.length >= maxDepth) throw new XmlError(`elements are nested deeper than ${String(maxDepth)}`)
    this.#count(1 + element.attributes.length)
    above?.children.push(element)
    this.#root ??= element
    this.#open.push(element)
  }

  /** What an element says inherits from what is said around it: a copy for each would be long where that is. */
  #scopeOf (outer: XmlElement['scope'], ns: SaxesTagNS['ns']): XmlElement['scope'] {
    const declared = Object.keys(ns)
    if (declared.length === 0) return outer
    this.#count(declared.length)
    const scope = Object.create(outer) as Record<string, string>
    for (const prefix of declared) scope[prefix] = ns[prefix] as string
    return scope
  }

  #end (): void {
    const { size } = this.#open.pop() as Open
    const above = this.#open.at(-1)
    if (above !== undefined) above.size += size
  }

  #write (text: string): void {
    const element = this.#open.at(-1)
    if (element === undefined) return
    this.#count(1)
    element.text += text
  }

  #count (more: number): void {
    this.#nodes += more
    if (this.#nodes > maxNodes) throw new XmlError(`there are more than ${String(maxNodes)} nodes`)
  }
}

/** Attributes without the declarations of namespaces. */
function own (attributes: SaxesTagNS['attributes']): readonly XmlAttribute[] {
  let result: XmlAttribute[] | undefined
  for (const written in attributes) {
    const { prefix, local, uri, value } = attributes[written] as SaxesAttributeNS
    if (prefix !== 'xmlns' && local !== 'xmlns') (result ??= []).push({ name: local, uri, value })
  }
  return result ?? none
}

const none: readonly XmlAttribute[] = []

const withoutMark = (text: string): string => text.startsWith('\uFEFF') ? text.slice(1) : text

/**
 * Reads a document. A large one is read in slices, so that others get theirs.
 *
 * ```js
 * (await readXml('<a xmlns="urn:x"><b>1</b></a>')).children[0].text // '1'
 * ```
 * @returns its root
 * @throws XmlError
 */
export async function readXml (document: string): Promise<XmlElement> {
  const text = withoutMark(document)
  const reader = new Reader()
  for (let at = 0; at < text.length; at += turn) {
    if (at > 0) await setImmediate()
    reader.read(text.slice(at, at + turn))
  }
  return reader.finish()
}

/**
 * The same at once, for code that waits for the response.
 * @throws XmlError
 */
export function readXmlNow (document: string): XmlElement {
  const reader = new Reader()
  reader.read(withoutMark(document))
  return reader.finish()
}
