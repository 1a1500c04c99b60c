/** Sends the requests of a data source, with its observers around each (service-connectors.md, SC-H1 to SC-H3). */
import type { ConnectorContext } from '@fastback/core'
import { Observers } from '@fastback/core/connector'
import { badGateway, ServiceClient, type ServiceClientSettings } from '@fastback/service-client'
import { DepthError, responseOf, type RestResponse } from './response.js'
import { withAttachments } from './attachments.js'
import { notifyAround } from './around.js'
import { callOf, type CallFacts, type RestRequest } from './request.js'
import type { Exchange } from './exchange.js'

/**
 * What a data source asks of its service.
 *
 * ```js
 * const service = new Service(readClientSettings(settings, dataSource), context)
 * const { response, body } = await service.execute({ method: 'GET', uri, json: true }, { name: 'byCity' })
 * ```
 */
export class Service {
  readonly observers = new Observers()
  /** Clients of templates with connections of their own, by their settings. */
  readonly #clients = new Map<string, ServiceClient>()
  readonly client: ServiceClient

  /** @param attachmentsRoot where the files are that may be sent; without it none are */
  constructor (
    readonly settings: ServiceClientSettings, readonly context: ConnectorContext, readonly attachmentsRoot?: string
  ) {
    this.client = this.clientOf(settings)
  }

  /** One for each kind of connection. */
  clientOf (settings: ServiceClientSettings): ServiceClient {
    const key = JSON.stringify(settings)
    let client = this.#clients.get(key)
    if (client === undefined) this.#clients.set(key, client = new ServiceClient(settings, this.context))
    return client
  }

  /** Makes a request, whatever the status of the response. */
  async execute (request: RestRequest, facts: CallFacts, client = this.client): Promise<Exchange> {
    const { observers } = this
    if (observers.of('before execute') === undefined && observers.of('after execute') === undefined) {
      const response = await this.#send(request, facts, client)
      return { response, body: response.body }
    }
    return await notifyAround(observers, request, asked => this.#send(asked, facts, client))
  }

  open (): void {
    for (const client of this.#clients.values()) client.open()
  }

  /** Waits for requests under way. */
  async close (): Promise<void> {
    await Promise.all([...this.#clients.values()].map(client => client.close()))
  }

  async #send (request: RestRequest, facts: CallFacts, client: ServiceClient): Promise<RestResponse> {
    const { attachmentsRoot: root } = this
    const isWhole = request.attachments === undefined || root === undefined
    const answer = await client.request(callOf(isWhole ? request : await withAttachments(request, root), facts))
    try {
      return responseOf(answer, request)
    } catch (error) {
      if (error instanceof DepthError) throw badGateway(this.context.dataSource, error.message, error)
      throw error
    }
  }
}
