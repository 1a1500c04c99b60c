/** A WSDL with everything that it imports (SO-D3). */
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { attributeOf, type XmlElement } from '../xml/element.js'
import { wsdlUri, xsdUri } from '../xml/names.js'
import { readXml, XmlError } from '../xml/read-xml.js'
import { SchemaSet } from '../schema/schema-set.js'

/** What one WSDL may consist of. */
const maxDocuments = 200

/** Schemas that everybody knows. */
const wellKnown = new Set([
  xsdUri, 'http://schemas.xmlsoap.org/soap/encoding/', 'http://www.w3.org/XML/1998/namespace'
])

export const isAddress = (location: string): boolean => /^https?:/i.test(location)

/** Gets the text of a document: a file, or an address with http or https. */
export type Fetch = (location: string) => Promise<string>

export interface WsdlDocuments {
  /** `wsdl:definitions`, the first one first. */
  readonly definitions: readonly XmlElement[]
  readonly schemas: SchemaSet
}

class Collector implements WsdlDocuments {
  readonly definitions: XmlElement[] = []
  readonly schemas = new SchemaSet()
  readonly #seen = new Set<string>()

  constructor (readonly fetch: Fetch) {}

  /** @param namespace of the schema that includes it */
  async collect (location: string, namespace?: string): Promise<void> {
    const key = `${location} ${namespace ?? ''}`
    if (this.#seen.has(key)) return
    this.#seen.add(key)
    if (this.#seen.size > maxDocuments) throw new XmlError(`it has more than ${String(maxDocuments)} documents`)
    const root = await readXml(await this.fetch(location))
    if (root.name === 'definitions' && root.uri === wsdlUri) await this.#definitions(root, location)
    else if (root.name === 'schema' && root.uri === xsdUri) await this.#schema(root, location, namespace)
    else throw new XmlError(`"${shown(location)}" is neither a WSDL 1.1 nor a schema`)
  }

  async #definitions (root: XmlElement, location: string): Promise<void> {
    this.definitions.push(root)
    for (const child of root.children) {
      if (child.uri !== wsdlUri) continue
      if (child.name === 'import') await this.#follow(child, 'location', location)
      if (child.name !== 'types') continue
      for (const schema of child.children) {
        if (schema.name === 'schema' && schema.uri === xsdUri) await this.#schema(schema, location)
      }
    }
  }

  async #schema (schema: XmlElement, location: string, namespace?: string): Promise<void> {
    this.schemas.add(schema, namespace)
    const own = attributeOf(schema, 'targetNamespace') ?? namespace
    for (const child of schema.children) {
      if (child.uri !== xsdUri) continue
      if (child.name === 'import') await this.#follow(child, 'schemaLocation', location)
      else if (child.name === 'include' || child.name === 'redefine') {
        await this.#follow(child, 'schemaLocation', location, own)
      }
    }
  }

  async #follow (node: XmlElement, attribute: string, from: string, namespace?: string): Promise<void> {
    const written = attributeOf(node, attribute)
    if (written === undefined || wellKnown.has(attributeOf(node, 'namespace') ?? '')) return
    await this.collect(locationOf(written, from), namespace)
  }
}

/** Addresses in messages have no credentials and no query. */
const shown = (location: string): string =>
  isAddress(location) ? `${new URL(location).origin}${new URL(location).pathname}` : path.basename(location)

/** @throws XmlError for a file that a document from elsewhere names */
function locationOf (written: string, from: string): string {
  if (isAddress(from)) {
    const address = URL.canParse(written, from) ? new URL(written, from).href : ''
    if (!isAddress(address)) throw new XmlError('a document that came over the network names a file')
    return address
  }
  if (isAddress(written)) return written
  return written.startsWith('file:') ? fileURLToPath(written) : path.resolve(path.dirname(from), written)
}

/**
 * ```js
 * const { definitions, schemas } = await collectDocuments('/srv/app/stock.wsdl', file => readFile(file, 'utf8'))
 * ```
 * @throws XmlError for a document that is none, or may not be read
 */
export async function collectDocuments (location: string, fetch: Fetch): Promise<WsdlDocuments> {
  const collector = new Collector(fetch)
  await collector.collect(location)
  if (collector.definitions.length === 0) throw new XmlError('it is a schema, and describes no service')
  return collector
}
