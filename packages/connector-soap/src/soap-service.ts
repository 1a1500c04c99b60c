/** One service: its operations as calls (SO-M4, SO-X5). */
import { badGateway, type Headers, type ServiceError } from '@fastback/service-client'
import { invalidInput } from './errors.js'
import type { Exchange, ExchangeResponse } from './exchange.js'
import { decoded } from './load-wsdl.js'
import { headerOf, resultOf } from './message/response.js'
import { isRelated, readRelated, writeRelated, type Attachment } from './message/attachments.js'
import { readEnvelope, writeEnvelope, writeMessage, type Envelope } from './message/envelope.js'
import { faultOf, hideIn, type FaultDetails } from './message/fault.js'
import { writeHeaders } from './message/soap-headers.js'
import type { Security } from './security/security.js'
import { addressOf, type SoapHeader, type SoapSettings } from './settings.js'
import type { Operation } from './wsdl/operations.js'
import type { Wsdl } from './wsdl/read-wsdl.js'
import { XmlError } from './xml/read-xml.js'
import type { SoapVersion } from './xml/names.js'

/** What one call says beside its input. */
export interface CallOptions {
  /** In place of those of the data source (SO-M6). */
  readonly soapHeaders?: SoapHeader | readonly SoapHeader[]
  /** Milliseconds. */
  readonly timeout?: number
  readonly attachments?: readonly Attachment[]
}

export interface CallResult {
  /** Undefined where the service answered nothing. */
  readonly result: unknown
  /** As the service sent it. */
  readonly envelope: string
  /** Undefined where the envelope has no header. */
  readonly soapHeader: unknown
}

const mediaTypes: Readonly<Record<SoapVersion, string>> = {
  1.1: 'text/xml; charset=utf-8', 1.2: 'application/soap+xml; charset=utf-8'
}

export interface ServiceParts {
  readonly dataSource: string
  readonly settings: SoapSettings
  readonly wsdl: Wsdl
  readonly security: Security
  readonly exchange: Exchange
  /** Whether the WSDL came over the network, from this host. */
  readonly wsdlHost: string | undefined
}

export class SoapService {
  /** The last envelopes that were sent and received. */
  lastRequest: string | undefined
  lastResponse: string | undefined

  constructor (readonly parts: ServiceParts) {}

  /**
   * Calls an operation.
   * @throws SoapFault 422 or 502; ServiceError 502, 503, 504; RequestError 400 INVALID_SOAP_INPUT
   */
  async call (
    operation: Operation, input: unknown, options: CallOptions = {}, headers: Headers = {}
  ): Promise<CallResult> {
    const { parts: { exchange, wsdlHost, settings } } = this
    const own = addressOf(settings)
    const uri = own ?? operation.address ?? ''
    const envelope = this.#envelope(operation, input, options)
    this.lastRequest = envelope
    const { type, body } = this.#packed(operation, envelope, options)
    const foreignHost = own === undefined && wsdlHost !== undefined && new URL(uri).hostname !== wsdlHost
    const request = { uri, method: 'POST' as const, headers: this.#headers(operation, type, headers), body }
    const response = await exchange.run(request, {
      name: operation.name, timeout: options.timeout, foreignHost, read: readBody
    })
    return await this.#result(operation, response)
  }

  /** @throws RequestError 400 INVALID_SOAP_INPUT */
  #envelope (operation: Operation, input: unknown, { soapHeaders }: CallOptions): string {
    const { settings, wsdl: { types }, security } = this.parts
    const key = settings.envelopeKey ?? 'soap'
    const body = this.write(operation, input)
    const headers = writeHeaders(soapHeaders ?? settings.soapHeaders, types)
    return security.secure(key, more => writeEnvelope(this.#version(operation), headers + more, body, key))
  }

  /**
   * The XML of an input: what stands in the body.
   * @throws RequestError 400 INVALID_SOAP_INPUT
   */
  write ({ input: message, name }: Operation, input: unknown): string {
    if (input !== undefined && input !== null && (typeof input !== 'object' || Array.isArray(input))) {
      throw invalidInput(name, 'an object is expected')
    }
    return writeMessage(message, input, this.parts.wsdl.types)
  }

  #version ({ version }: Operation): SoapVersion {
    return this.parts.settings.forceSoapVersion ?? version
  }

  #packed (
    operation: Operation, envelope: string, { attachments = [] }: CallOptions
  ): { readonly type: string, readonly body: string | Buffer } {
    const type = mediaTypes[this.#version(operation)]
    return attachments.length === 0 ? { type, body: envelope } : writeRelated(envelope, type, attachments)
  }

  #headers (operation: Operation, type: string, headers: Headers): Headers {
    const { soapAction, httpHeaders } = this.parts.settings
    const action = soapAction ?? operation.action
    const isOld = this.#version(operation) === '1.1'
    const mediaType = !isOld && operation.actionRequired ? `${type}; action="${action}"` : type
    const own = { 'content-type': mediaType, ...isOld ? { soapaction: `"${action}"` } : {} }
    return overlaid(own, httpHeaders, headers)
  }

  async #result (operation: Operation, response: ExchangeResponse): Promise<CallResult> {
    const { statusCode, headers } = response
    const { wsdl: { types }, settings } = this.parts
    const longsAreText = settings.longs === 'text'
    const type = String(headers['content-type'] ?? '')
    let text = ''
    try {
      const related = Buffer.isBuffer(response.body) ? readRelated(response.body, type) : undefined
      text = related === undefined
        ? response.body.toString()
        : decoded(related.root.body, { 'content-type': related.root.type })
      this.lastResponse = text
      if (operation.output === undefined && statusCode < 300 && text.trim() === '') {
        return { result: undefined, envelope: text, soapHeader: undefined }
      }
      const options = { longsAreText, ...related === undefined ? {} : { attachments: related.attachments } }
      const envelope: Envelope = await readEnvelope(text)
      const answered = { response: { statusCode, headers }, body: text }
      const fault = faultOf(envelope, operation.faults, types, options, answered)
      if (fault !== undefined) throw fault
      const result = await resultOf(envelope, operation.output, types, options)
      return { result, envelope: text, soapHeader: headerOf(envelope, options) }
    } catch (error) {
      if (!(error instanceof XmlError)) throw error
      throw this.#noEnvelope(error, { response: { statusCode, headers }, body: text })
    }
  }

  /** SO-F6, SO-F8. */
  #noEnvelope (error: XmlError, answered: FaultDetails): ServiceError {
    const what = `the service answered ${String(answered.response.statusCode)} with no SOAP envelope (${error.message})`
    return hideIn(badGateway(this.parts.dataSource, what, error), answered)
  }
}

/** Headers of a later list take the place of those of an earlier one, in whatever case they are written. */
function overlaid (...lists: ReadonlyArray<Headers | undefined>): Headers {
  const byName = new Map<string, readonly [string, Headers[string]]>()
  for (const list of lists) for (const entry of Object.entries(list ?? {})) byName.set(entry[0].toLowerCase(), entry)
  return Object.fromEntries(byName.values())
}

/** Answers in parts stay bytes. */
const readBody = (body: Buffer, headers: Headers): string | Buffer =>
  isRelated(String(headers['content-type'] ?? '')) ? body : decodedOrNot(body, headers)

/** In an encoding that nobody knows there is no envelope. */
function decodedOrNot (body: Buffer, headers: Headers): string {
  try {
    return decoded(body, headers)
  } catch {
    return body.toString('latin1')
  }
}
