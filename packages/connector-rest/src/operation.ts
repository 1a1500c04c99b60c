import { readClientSettings, type HttpMethod, type ServiceClient } from '@fastback/service-client'
import type { RestResponse } from './response.js'
import { BrokenOperationError, OperationError, upstreamError } from './errors.js'
import { toRemote, type RemoteCall } from './remote-call.js'
import type { RestRequest } from './request.js'
import { compileResponsePath, type ResponsePath } from './response-path.js'
import type { Service } from './service.js'
import { clientSettings, ofConnections, type OperationSettings, type RestSettings } from './settings.js'
import { compileTemplate, HeaderNameError, type Template } from './template/compile-template.js'
import { Scope, type Values } from './template/scope.js'

/** What a call gave: the error of a response of 400 and above comes with the response. */
export interface Outcome {
  readonly error: unknown
  readonly result: unknown
  readonly response: RestResponse | undefined
}

/** An operation, ready to be called: its template is compiled. */
export class Operation {
  readonly method: HttpMethod
  readonly scope: Scope
  readonly isStream: boolean
  readonly #template: Template
  readonly #responsePath: ResponsePath | undefined
  readonly #client: ServiceClient
  /** Why it cannot be called. */
  #fault: string | undefined

  /**
   * @param name of its functions, for messages and logs
   * @throws FBK_BOOT_INVALID_CONFIG, FBK_CORE_DATA_SOURCE_SETTINGS
   */
  constructor (
    readonly name: string,
    readonly operation: OperationSettings,
    readonly settings: RestSettings,
    readonly service: Service
  ) {
    const { template, stream } = operation
    this.method = (template.method ?? 'GET').toUpperCase() as HttpMethod
    this.isStream = stream === true
    this.scope = new Scope(template.variables ?? {}, variable => {
      this.warn(`The variable "${variable}" stands several times: its last place decides its type, its default and whether it is required`)
    })
    this.#template = this.#compile()
    this.#client = this.#clientOf(template.options ?? {})
    this.#responsePath = this.#compilePath(template.responsePath)
    const { isValid, isForeign } = this.#template.address
    if (!isValid) this.#break('its "url" is no address')
    if (isForeign && settings.client.allowHosts === undefined) {
      throw this.#wrong('a variable makes the host. Name the hosts that it may be in the setting "allowHosts".')
    }
  }

  /** Whether answers are parsed. */
  get isJson (): boolean {
    return this.#template.isJson
  }

  /** `https://host:port`, where the configuration names it. */
  get origin (): string | undefined {
    return this.#template.address.origin
  }

  /**
   * The request of a call.
   * @param given values of variables, each at its slot
   * @throws RequestError 400; FBK_REST_CONNECTOR_BROKEN_OPERATION
   */
  request (given: Values): RestRequest {
    if (this.#fault !== undefined) {
      throw new BrokenOperationError(this.service.context.dataSource, this.name, this.#fault)
    }
    return this.#template.render(this.scope.values(given))
  }

  /** @param remote where the call came over REST */
  async call (request: RestRequest, remote: RemoteCall | undefined): Promise<Outcome> {
    const { idempotent, template: { fullResponse } } = this.operation
    const { isForeign } = this.#template.address
    const facts = { name: this.name, signal: remote?.signal, idempotent, stream: this.isStream, foreignHost: isForeign }
    const { response, body } = await this.service.execute(request, facts, this.#client)
    const status = response?.statusCode ?? 200
    if (status >= 400) return { error: this.#error(status, body), result: body, response }
    const result = fullResponse === true ? response : this.#responsePath === undefined ? body : this.#responsePath(body)
    const given = remote === undefined ? result : toRemote(this, result, response, remote)
    return { error: undefined, result: given, response }
  }

  /** SC-E1, SC-E2. */
  #error (status: number, body: unknown): Error {
    const { exposeErrors, credentialErrors } = this.settings
    const speaksOfUs = credentialErrors === 'gateway' && (status === 401 || status === 403 || status === 407)
    return upstreamError(status, body, exposeErrors !== false, speaksOfUs ? 502 : status)
  }

  #compile (): Template {
    try {
      return compileTemplate(this.operation.template, this.settings.request, this.scope)
    } catch (error) {
      if (error instanceof HeaderNameError) throw this.#wrong('the name of a header cannot be a variable.')
      throw error
    }
  }

  /** A template that says something of connections has some of its own. */
  #clientOf (options: Readonly<Record<string, unknown>>): ServiceClient {
    const own = Object.fromEntries(Object.entries(options).filter(([key]) => ofConnections.has(key)))
    if (Object.keys(own).length === 0) return this.service.client
    const read = readClientSettings(clientSettings(own), this.service.context.dataSource)
    return this.service.clientOf({ ...this.settings.client, ...read })
  }

  #compilePath (written: string | undefined): ResponsePath | undefined {
    if (written === undefined) return undefined
    try {
      return compileResponsePath(written)
    } catch (error) {
      this.#break(`its "responsePath" is no JSONPath (RFC 9535): ${(error as Error).message}`)
    }
  }

  /** It cannot be called, which is no reason for the application not to start. */
  #break (fault: string): void {
    this.#fault = fault
    this.warn(`It cannot be called: ${fault}`)
  }

  /** Tells of what somebody should look at. */
  warn (message: string): void {
    const { log, dataSource } = this.service.context
    log.warn({ dataSource, operation: this.name }, message)
  }

  #wrong (sentence: string): Error {
    return new OperationError(this.service.context.dataSource, `"${this.name}"`, sentence)
  }
}
