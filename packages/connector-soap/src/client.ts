/** What applications use of the client of LoopBack's SOAP library (SO-M8). */
import type { OpenService } from './open-service.js'
import { describeMessage, type JsonSchema } from './schema/json-schema.js'

interface DescribedOperation { input: JsonSchema, output: JsonSchema | null }
type ByName<T> = Record<string, T>

export class SoapClient {
  readonly #open: OpenService

  constructor (open: OpenService) {
    this.#open = open
  }

  /** The last envelope that was sent. It may hold credentials. */
  get lastRequest (): string | undefined {
    return this.#open.service.lastRequest
  }

  /** The last envelope that came. */
  get lastResponse (): string | undefined {
    return this.#open.service.lastResponse
  }

  /** Services of the WSDL by name, with the addresses of their ports. */
  get wsdl (): { readonly services: ByName<{ ports: ByName<{ location: string | undefined }> }> } {
    const services = new Named<Named<{ location: string | undefined }>>()
    for (const { service, port, address } of this.#open.wsdl.operations) {
      services.of(service, () => new Named()).set(port, { location: address })
    }
    return { services: services.map(ports => ({ ports: ports.map(port => port) })) }
  }

  /** Input and output of all operations as JSON Schema, by service, port and name. */
  describe (): ByName<ByName<ByName<DescribedOperation>>> {
    const services = new Named<Named<Named<DescribedOperation>>>()
    for (const { service, port, name, input, output } of this.#open.wsdl.operations) {
      services.of(service, () => new Named()).of(port, () => new Named()).set(name, {
        input: describeMessage(input, 'in', false),
        output: output === undefined ? null : describeMessage(output, 'out', false)
      })
    }
    return services.map(ports => ports.map(operations => operations.map(operation => operation)))
  }
}

/** Names are words of others: of these, members of an object are made, and nothing else (security.md, S-162). */
class Named<T> {
  readonly #all = new Map<string, T>()

  set (name: string, value: T): void {
    this.#all.set(name, value)
  }

  of (name: string, make: () => T): T {
    const found = this.#all.get(name) ?? make()
    this.#all.set(name, found)
    return found
  }

  map<R> (of: (value: T) => R): ByName<R> {
    return Object.fromEntries([...this.#all].map(([name, value]) => [name, of(value)]))
  }
}
