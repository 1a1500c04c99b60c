/** Namespaces that SOAP and WSDL are made of, and names that stand in attributes. */
import type { XmlElement } from './element.js'

export const xsdUri = 'http://www.w3.org/2001/XMLSchema'
export const xsiUri = 'http://www.w3.org/2001/XMLSchema-instance'
export const wsdlUri = 'http://schemas.xmlsoap.org/wsdl/'
export const soapBindingUris = {
  'http://schemas.xmlsoap.org/wsdl/soap/': '1.1',
  'http://schemas.xmlsoap.org/wsdl/soap12/': '1.2'
} as const

export type SoapVersion = '1.1' | '1.2'

export const envelopeUris: Readonly<Record<SoapVersion, string>> = {
  1.1: 'http://schemas.xmlsoap.org/soap/envelope/',
  1.2: 'http://www.w3.org/2003/05/soap-envelope'
}

/** A name with its namespace. */
export interface QName { readonly uri: string, readonly name: string }

/** As a key of a map. */
export const keyOf = ({ uri, name }: QName): string => `{${uri}}${name}`

/**
 * A name that stands in an attribute or a text: `tns:Quote`. Without a prefix it is in the default namespace.
 * @param element where it stands
 */
export function readQName (element: Pick<XmlElement, 'scope'>, written: string): QName {
  const text = written.trim()
  const colon = text.indexOf(':')
  const prefix = colon < 0 ? '' : text.slice(0, colon)
  return { uri: element.scope[prefix] ?? '', name: text.slice(colon + 1) }
}
