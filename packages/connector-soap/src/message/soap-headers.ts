/** Headers of envelopes as settings and callers write them (SO-S2). */
import type { SchemaTypes } from '../schema/schema-types.js'
import { anyType } from '../schema/types.js'
import type { SoapHeader } from '../settings.js'
import { ValueWriter } from './write-value.js'
import { XmlWriter } from './xml-writer.js'

/**
 * Texts are XML and go in as they are; of an object, each member of `element` is a header.
 *
 * ```js
 * writeHeaders([{ element: { Tenant: 'north' }, namespace: 'urn:x' }], types)
 * // '<ns1:Tenant xmlns:ns1="urn:x">north</ns1:Tenant>'
 * ```
 */
export const writeHeaders = (given: SoapHeader | readonly SoapHeader[] | undefined, types: SchemaTypes): string =>
  (given === undefined ? [] : [given].flat() as SoapHeader[])
    .map(header => typeof header === 'string' ? header : elements(header, types))
    .join('')

const elements = (
  { element, namespace = '' }: Exclude<SoapHeader, string>, types: SchemaTypes
): string =>
  Object.entries(element).flatMap(([name, value]) => [value].flat().map(each => {
    const xml = new XmlWriter()
    const use = { name, uri: namespace, isMany: false, isRequired: false, isNillable: true, type: anyType }
    return xml.outermost(new ValueWriter(xml, types).element(use, each, name))
  })).join('')
