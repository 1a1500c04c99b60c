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
    const services: ByName<{ ports: ByName<{ location: string | undefined }> }> = {}
    for (const { service, port, address } of this.#open.wsdl.operations) {
      (services[service] ??= { ports: {} }).ports[port] = { location: address }
    }
    return { services }
  }

  /** Input and output of all operations as JSON Schema, by service, port and name. */
  describe (): ByName<ByName<ByName<DescribedOperation>>> {
    const services: ByName<ByName<ByName<DescribedOperation>>> = {}
    for (const { service, port, name, input, output } of this.#open.wsdl.operations) {
      const ports = services[service] ??= {}
      const operations = ports[port] ??= {}
      operations[name] = {
        input: describeMessage(input, 'in', false),
        output: output === undefined ? null : describeMessage(output, 'out', false)
      }
    }
    return services
  }
}
