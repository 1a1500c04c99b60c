/** Envelopes: what goes around messages. */
import type { SchemaTypes } from '../schema/schema-types.js'
import type { Message } from '../wsdl/operations.js'
import { childOf, type XmlElement } from '../xml/element.js'
import { envelopeUris, type SoapVersion } from '../xml/names.js'
import { readXml, readXmlNow, XmlError } from '../xml/read-xml.js'
import { ValueWriter } from './write-value.js'
import { XmlWriter } from './xml-writer.js'

/**
 * The content of the body (SO-X1): the input stands in the message's element; where there are several, and in RPC, it
 * has a member for each.
 * @throws RequestError 400 INVALID_SOAP_INPUT
 */
export function writeMessage ({ wrapper, parts }: Message, input: unknown, types: SchemaTypes): string {
  const xml = new XmlWriter()
  const writer = new ValueWriter(xml, types)
  const members = (input ?? {}) as Readonly<Record<string, unknown>>
  const memberOf = (name: string): unknown => Object.hasOwn(members, name) ? members[name] : undefined
  if (wrapper !== undefined) {
    const content = parts.map(part => writer.elements(part, memberOf(part.name), part.name)).join('')
    return xml.outermost(xml.element(wrapper, '', content))
  }
  const [only] = parts
  if (parts.length === 1 && only !== undefined) {
    // An element that is a text has no members: its value stands under its name.
    const content = only.type.kind === 'simple' ? memberOf(only.name) ?? memberOf('$value') ?? '' : members
    return xml.outermost(writer.element(only, content, only.name))
  }
  return parts.map(part => {
    const own = new XmlWriter()
    return own.outermost(new ValueWriter(own, types).element(part, memberOf(part.name), part.name))
  }).join('')
}

/**
 * @param header XML
 * @param body XML
 * @param key the prefix of the envelope
 */
export function writeEnvelope (version: SoapVersion, header: string, body: string, key: string): string {
  const headers = header === '' ? '' : `<${key}:Header>${header}</${key}:Header>`
  return '<?xml version="1.0" encoding="utf-8"?>' +
    `<${key}:Envelope xmlns:${key}="${envelopeUris[version]}">${headers}<${key}:Body>${body}</${key}:Body></${key}:Envelope>`
}

/** An envelope that was read. */
export interface Envelope {
  readonly version: SoapVersion
  readonly header: XmlElement | undefined
  /** What stands in the body. */
  readonly body: readonly XmlElement[]
  readonly root: XmlElement
}

/** What stands around an envelope is cut off (SO-X8). */
function cut (text: string): string | undefined {
  const start = /<(?:([\p{L}_][\p{L}\p{N}_.-]*):)?Envelope[\s>]/u.exec(text)
  if (start === null || /<!DOCTYPE/i.test(text.slice(0, start.index))) return undefined
  const tag = `</${start[1] === undefined ? '' : `${start[1]}:`}Envelope`
  const end = text.lastIndexOf(tag)
  const close = end < 0 ? -1 : text.indexOf('>', end)
  if (close < 0 || (start.index === 0 && close === text.length - 1)) return undefined
  return text.slice(start.index, close + 1)
}

function envelopeOf (root: XmlElement): Envelope {
  const version = root.name !== 'Envelope'
    ? undefined
    : root.uri === envelopeUris['1.1'] ? '1.1' : root.uri === envelopeUris['1.2'] ? '1.2' : undefined
  const body = childOf(root, 'Body')
  if (version === undefined || body === undefined) throw new XmlError('it is no envelope')
  return { version, header: childOf(root, 'Header'), body: body.children, root }
}

/**
 * ```js
 * (await readEnvelope('<e:Envelope xmlns:e="…"><e:Body/></e:Envelope>')).body // []
 * ```
 * @throws XmlError for what is none
 */
export async function readEnvelope (text: string): Promise<Envelope> {
  try {
    return envelopeOf(await readXml(text))
  } catch (error) {
    const rest = cut(text)
    if (rest === undefined) throw error
    return envelopeOf(await readXml(rest))
  }
}

/** The same at once. */
export const readEnvelopeNow = (text: string): Envelope => envelopeOf(readXmlNow(cut(text) ?? text))
