/** A described service, ready to be called. */
import type { ConnectorContext } from '@fastback/core'
import { withoutEndSlashes } from '@fastback/core/remote'
import { clientSettings, Service, upstreamError } from '@fastback/connector-rest/service'
import { readClientSettings, ServiceClient } from '@fastback/service-client'
import { Checks } from './checks.js'
import { isAddress, readDocument, versioned } from './document.js'
import { DocumentError } from './errors.js'
import type { Call } from './functions.js'
import { entriesOf, listOf, objectOf, textOf, type Json } from './json.js'
import { nameOperations, type NamedOperation } from './names.js'
import { operationsOf, success, type ApiOperation } from './operations.js'
import { References } from './references.js'
import { requestOf } from './request.js'
import { credentialsFor, credentialsOf, type Credentials } from './security.js'
import { locationOf, type OpenApiSettings } from './settings.js'

export class Api {
  readonly operations: readonly NamedOperation[]
  readonly #credentials: Credentials
  readonly #checks: Checks
  readonly #servers: readonly Json[]
  readonly #headers: Readonly<Record<string, string>>

  /** @throws Error for documents with references that lead nowhere; FBK_OPENAPI_CREDENTIALS */
  constructor (
    readonly document: Json,
    readonly settings: OpenApiSettings,
    readonly service: Service,
    /** Where the document came from; undefined for one that the settings hold. */
    readonly location: string | undefined
  ) {
    const { dataSource } = service.context
    const references = new References(document)
    const given = settings.credentials ?? settings.authorizations ?? {}
    this.#credentials = credentialsOf(given, references, dataSource)
    this.#checks = new Checks(dataSource)
    this.#servers = listOf(document.servers).map(objectOf)
    this.#headers = Object.fromEntries(
      Object.entries(settings.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value])
    )
    const operations = operationsOf(references)
    this.operations = nameOperations(operations)
    const without = operations.filter(each => credentialsFor(each, this.#credentials) === undefined)
    if (without.length > 0) {
      const needed = [...new Set(without.flatMap(({ security }) => security ?? []).flat())].join(', ')
      service.context.log.warn(
        { dataSource },
        `${String(without.length)} operations need "credentials", and go without: ${needed}`
      )
    }
  }

  /** @throws RequestError; ServiceError; the errors of the service's own statuses */
  readonly call: Call = async (operation, values, signal) => {
    const { settings, service } = this
    if (settings.validate !== false) this.#checks.arguments(operation, values)
    const { base, isForeign } = this.#serverOf(operation)
    const credentials = credentialsFor(operation, this.#credentials) ?? []
    const request = await requestOf(operation, values, { base, credentials })
    request.headers = { ...this.#headers, ...request.headers }
    const { response, body } = await service.execute(request, {
      name: operation.id, signal, stream: success(operation)?.isBinary === true, foreignHost: isForeign
    })
    const status = response?.statusCode ?? 200
    if (status >= 400) throw this.#error(status, body)
    if (settings.validateResponses === true) this.#checks.answer(operation, status, body)
    return { body, response }
  }

  #error (status: number, body: unknown): Error {
    const { exposeErrors, credentialErrors } = this.settings
    const speaksOfUs = credentialErrors === 'gateway' && (status === 401 || status === 403 || status === 407)
    return upstreamError(status, body, exposeErrors !== false, speaksOfUs ? 502 : status)
  }

  /**
   * Where an operation is: a description that came over the network names no other host by itself (SC-S4).
   * @throws FBK_OPENAPI_DOCUMENT where nobody says
   */
  #serverOf ({ servers }: ApiOperation): { base: string, isForeign: boolean } {
    const { settings: { url, baseURL }, location, service: { context: { dataSource } } } = this
    const own = url ?? baseURL
    if (own !== undefined) return { base: withoutEndSlashes(own), isForeign: false }
    const from = location !== undefined && isAddress(location) ? location : undefined
    const written = addressOf(servers[0] ?? this.#servers[0] ?? { url: '/' })
    if (!URL.canParse(written, from)) {
      throw new DocumentError(dataSource, 'it says no address of the service, and there is no setting "url"')
    }
    const address = new URL(written, from)
    const isForeign = from !== undefined && address.hostname !== new URL(from).hostname
    return { base: withoutEndSlashes(address.href), isForeign }
  }

  /** @throws FBK_OPENAPI_DOCUMENT where an operation has no address */
  checkServers (): void {
    for (const { operation } of this.operations) this.#serverOf(operation)
  }

  /** Any address of it. */
  get base (): string | undefined {
    const [first] = this.operations
    return first && this.#serverOf(first.operation).base
  }
}

/** The address of a server, with the defaults of its variables. */
function addressOf ({ url, variables }: Json): string {
  const defaults = new Map(entriesOf(variables).map(([name, each]) => [name, textOf(objectOf(each).default) ?? '']))
  return (textOf(url) ?? '/').replaceAll(/\{([^{}]+)\}/g, (_, name: string) => defaults.get(name) ?? '')
}

/** @throws FBK_OPENAPI_DOCUMENT, FBK_OPENAPI_CREDENTIALS */
export async function openApi (settings: OpenApiSettings, context: ConnectorContext, service: Service): Promise<Api> {
  const { spec } = settings
  const location = typeof spec === 'string' ? locationOf(spec, context.baseDir) : undefined
  try {
    const document = typeof spec === 'string' ? await fetched(location as string, settings, context) : versioned(spec)
    const api = new Api(document, settings, service, location)
    api.checkServers()
    return api
  } catch (error) {
    if (String((error as { code?: unknown }).code).startsWith('FBK_OPENAPI_')) throw error
    throw Object.assign(new DocumentError(context.dataSource, (error as Error).message), { cause: error })
  }
}

/** By a client of its own: what speaks for this server to the service is not for the description. */
async function fetched (location: string, settings: object, context: ConnectorContext): Promise<Json> {
  const own = readClientSettings(clientSettings(settings as Record<string, unknown>), context.dataSource)
  const client = new ServiceClient({ ...own, auth: undefined }, context)
  try {
    return await readDocument(location, client)
  } finally {
    await client.close()
  }
}
