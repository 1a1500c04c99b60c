/** Documents about the application: of the methods that are tools, and nothing else. */
import type { ReadResourceResult, Resource } from '@modelcontextprotocol/sdk/types.js'
import type { OpenApiDocument } from '@fastback/ui/openapi'
import { standAlone } from '../tools/schemas.js'

const json = 'application/json'

/** A document, as text. */
interface Document { readonly resource: Resource, readonly text: string }

/** By their addresses: `fastback://openapi`, `fastback://models/Note`. */
export class Resources {
  readonly #documents = new Map<string, Document>()

  /** @param models names of those that tools are of */
  constructor (document: OpenApiDocument, models: Iterable<string>) {
    this.#add('fastback://openapi', 'openapi', 'The methods that are tools here, as OpenAPI describes their routes', document)
    const schemas = document.components.schemas ?? {}
    for (const name of models) {
      const schema = schemas[name]
      if (schema === undefined) continue
      this.#add(`fastback://models/${encodeURIComponent(name)}`, name, `JSON Schema of a row of ${name}`, standAlone(schema, schemas))
    }
  }

  #add (uri: string, name: string, description: string, content: object): void {
    this.#documents.set(uri, { resource: { uri, name, description, mimeType: json }, text: JSON.stringify(content) })
  }

  get all (): Resource[] {
    return [...this.#documents.values()].map(({ resource }) => resource)
  }

  /** Undefined for none. */
  read (uri: string): ReadResourceResult | undefined {
    const found = this.#documents.get(uri)
    return found === undefined ? undefined : { contents: [{ uri, mimeType: json, text: found.text }] }
  }
}
