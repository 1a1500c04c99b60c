/** Faults as errors (SO-F1 to SO-F5). */
import { RequestError } from '@fastback/core'
import type { ElementUse } from '../schema/types.js'
import type { SchemaTypes } from '../schema/schema-types.js'
import { childOf, type XmlElement } from '../xml/element.js'
import { keyOf } from '../xml/names.js'
import type { Envelope } from './envelope.js'
import { ValueReader, type ReadOptions } from './read-value.js'

export interface FaultInfo {
  /** Without its prefix: `Client`, `Sender`, `Server` … */
  readonly code: string
  readonly message: string
  /** By the names of its elements, typed where the operation declares them. */
  readonly detail: unknown
}

/** What came with an error: for code of the application and its logs, never for clients. */
export interface FaultDetails {
  readonly response: { readonly statusCode: number, readonly headers: object }
  readonly body: string
  readonly root?: unknown
}

/** Longest text of the service that a client is told. */
const maxMessage = 2000

/**
 * The service answered a fault. Over REST, one of the caller is 422 with its text, any other 502 without.
 *
 * ```js
 * try { await Quote.price({ Symbol: 'NO' }) } catch (error) { error.fault // { code: 'Client', message: 'no quote' } }
 * ```
 */
export class SoapFault extends RequestError {
  declare readonly response: FaultDetails['response']
  declare readonly body: string
  declare readonly root: unknown

  readonly #answered: FaultDetails

  constructor (readonly fault: FaultInfo, message: string, answered: FaultDetails) {
    const isOfCaller = /^(?:Client|Sender)(?:\.|$)/.test(fault.code)
    super(isOfCaller ? 422 : 502, message, {
      name: 'SoapFault', code: isOfCaller ? 'SOAP_CLIENT_FAULT' : 'SOAP_SERVER_FAULT'
    })
    this.#answered = answered
    hideIn(this, answered)
  }

  /** The same for a client: its message is the text of the fault alone (SO-F4). */
  forClient (): SoapFault {
    return new SoapFault(this.fault, this.fault.message.slice(0, maxMessage), this.#answered)
  }
}

/** Puts what was answered on an error, where nothing copies it from by itself. */
export function hideIn<E extends Error> (error: E, answered: FaultDetails): E {
  for (const [name, value] of Object.entries(answered)) {
    Object.defineProperty(error, name, { value, configurable: true, writable: true })
  }
  return error
}

const withoutPrefix = (code: string): string => code.slice(code.indexOf(':') + 1)
const textOf = (element: XmlElement | undefined): string => element?.text.trim() ?? ''

/** The fault in an envelope; undefined where it holds a response. */
export function faultOf (
  { body: [fault], version, root }: Envelope,
  declared: readonly ElementUse[],
  types: SchemaTypes,
  options: ReadOptions,
  answered: FaultDetails
): SoapFault | undefined {
  if (fault?.name !== 'Fault' || fault.uri !== root.uri) return undefined
  const uri = version === '1.1' ? '' : fault.uri
  // Some services put the members of SOAP 1.1 into the namespace of the envelope.
  const member = (name: string): XmlElement | undefined => childOf(fault, name, uri) ?? childOf(fault, name)
  const code = version === '1.1'
    ? textOf(member('faultcode'))
    : textOf(childOf(member('Code') ?? fault, 'Value', uri))
  const message = version === '1.1'
    ? textOf(member('faultstring'))
    : textOf(childOf(member('Reason') ?? fault, 'Text', uri))
  const detail = detailOf(member(version === '1.1' ? 'detail' : 'Detail'), declared, types, options)
  const told = [
    `faultcode: ${code}`, `faultstring: ${message}`, ...detail === undefined ? [] : [`detail: ${JSON.stringify(detail)}`]
  ]
  return new SoapFault({ code: withoutPrefix(code), message, detail }, told.join(' '), {
    ...answered, root: { Envelope: new ValueReader(options).read(root) }
  })
}

function detailOf (
  detail: XmlElement | undefined, declared: readonly ElementUse[], types: SchemaTypes, options: ReadOptions
): unknown {
  if (detail === undefined) return undefined
  const reader = new ValueReader(options, types)
  if (detail.children.length === 0) return textOf(detail) === '' ? undefined : textOf(detail)
  const known = new Map(declared.map(use => [keyOf(use), use]))
  return Object.fromEntries(
    detail.children.map(child => {
      const use = known.get(keyOf(child)) ?? types.element(child)
      return [child.name, reader.read(child, use?.type)]
    })
  )
}
