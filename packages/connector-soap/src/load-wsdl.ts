/** Gets the WSDL of a data source, with what it imports (SO-D2, SO-D3). */
import { readFile } from 'node:fs/promises'
import type { Headers } from '@fastback/service-client'
import { XmlError } from './xml/read-xml.js'
import { decodeXml } from './xml/decode.js'
import { collectDocuments, isAddress } from './wsdl/documents.js'
import { readWsdl, type Wsdl } from './wsdl/read-wsdl.js'
import type { Exchange } from './exchange.js'

export interface WsdlRequest {
  /** An address, or a file. */
  readonly location: string
  readonly headers: Headers
  /** Milliseconds for everything. */
  readonly timeout: number
}

/**
 * Documents that came over the network may name others on the host of the WSDL; others need `allowHosts` (SC-S4).
 * @throws XmlError, and what files and the client throw
 */
export async function loadWsdl (exchange: Exchange, { location, headers, timeout }: WsdlRequest): Promise<Wsdl> {
  const end = Date.now() + timeout
  const host = isAddress(location) ? new URL(location).hostname : undefined
  const fetch = async (uri: string): Promise<string> => {
    if (!isAddress(uri)) return decodeXml(await readFile(uri))
    const foreignHost = host !== undefined && new URL(uri).hostname !== host
    const { statusCode, body } = await exchange.run({ uri, method: 'GET', headers: { ...headers }, body: undefined }, {
      name: 'wsdl', timeout: Math.max(1, end - Date.now()), foreignHost, read: decoded
    })
    if (statusCode !== 200) throw new XmlError(`the service answered ${String(statusCode)}`)
    return body.toString()
  }
  return readWsdl(await collectDocuments(location, fetch))
}

/** A document as text, by its headers. */
export const decoded = (body: Buffer, headers: Headers): string =>
  decodeXml(body, String(headers['content-type'] ?? ''))
