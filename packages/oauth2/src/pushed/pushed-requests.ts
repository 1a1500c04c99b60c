/** Pushed authorization requests (RFC 9126; openid.md, section 9.3). Loaded where the option `pushedRequests` is on. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { checkAuthorizationRequest, targetOf } from '../checks/authorization-request.js'
import { checkRedirectUri } from '../checks/redirect-uri.js'
import { authenticateClient } from '../clients/authenticate-client.js'
import type { Client } from '../clients/client.js'
import { randomText } from '../digest.js'
import { InvalidRequest, OAuthError } from '../errors.js'
import type { Extension } from '../extension.js'
import { StrangersLimit } from '../failures.js'
import { allowOrigin } from '../http/cors.js'
import { formOf, jsonErrors, readForms } from '../http/forms.js'
import { Parameters } from '../http/parameters.js'
import { endpointUrl } from '../issuer.js'
import type { Provider } from '../provider.js'
import type { PushedSettings } from './options.js'

/** A `request_uri` that leads to no request of this client (RFC 9101, section 7; OI-163). */
class InvalidRequestUri extends OAuthError {
  readonly error = 'invalid_request_uri'
}

const prefix = 'urn:ietf:params:oauth:request_uri:'

/** Seconds that a login and a decision may take, once the browser has brought the request. */
const longestVisit = 1800

/** What is not part of the request. */
const credentials: ReadonlySet<string> = new Set(['client_secret', 'client_assertion', 'client_assertion_type'])

interface StoredRequest {
  readonly clientId: string
  readonly parameters: Readonly<Record<string, string>>
  /** Whether a browser has brought it. */
  readonly opened?: true
}

/** A request that was pushed. */
export interface PushedRequest {
  readonly key: string
  readonly parameters: Parameters
}

export class PushedRequests implements Extension {
  readonly #limit: StrangersLimit

  constructor (readonly provider: Provider, readonly settings: PushedSettings) {
    const { registry, settings: { rateLimit } } = provider
    this.#limit = new StrangersLimit(registry, {
      what: 'oauth pushed', maxPerHour: settings.maxPerHour, store: rateLimit?.store
    })
  }

  register (scope: FastifyInstance): void {
    readForms(scope)
    scope.setErrorHandler(jsonErrors(this.provider))
    scope.post(this.settings.path, async (request, reply) => await this.#push(request, reply))
  }

  metadata (issuer: string): Record<string, unknown> {
    const { path, require } = this.settings
    return {
      pushed_authorization_request_endpoint: endpointUrl(issuer, path),
      require_pushed_authorization_requests: require
    }
  }

  /** OI-160 to OI-162, OI-167, OI-168. */
  async #push (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { provider, settings: { ttl } } = this
    const body = formOf(request)
    if (provider.settings.indicators === undefined) body.refuseRepeated()
    else body.refuseRepeatedBut('resource')
    const client = await authenticateClient(provider, request, body)
    allowOrigin(request, reply, client)
    if (body.has('request_uri')) throw new InvalidRequest('The parameter request_uri cannot be pushed.')
    // A proof of a key binds the code to it, as its thumbprint would (OI-157).
    const jkt = provider.dpop?.namedKey(body, await provider.dpop.keyOf(request, reply))
    const named = { ...body.toObject(), client_id: client.id, ...(jkt === undefined ? {} : { dpop_jkt: jkt }) }
    const parameters = Object.fromEntries(Object.entries(named).filter(([name]) => !credentials.has(name)))
    await this.#check(request, client, new Parameters(Object.entries(parameters)))
    await this.#limit.reserve(client, request)
    const text = randomText()
    const stored: StoredRequest = { clientId: client.id, parameters }
    await provider.states.add('pushed', text, new Date(Date.now() + ttl * 1000), stored)
    return reply.code(201).headers({ 'cache-control': 'no-store', pragma: 'no-cache' })
      .send({ request_uri: prefix + text, expires_in: ttl })
  }

  /** All that the authorization endpoint would refuse, before a browser is sent there. */
  async #check (request: FastifyRequest, client: Client, parameters: Parameters): Promise<void> {
    const { openId, issuerOf } = this.provider
    openId?.checkTarget(parameters)
    const target = targetOf(parameters, client, checkRedirectUri(client, parameters.get('redirect_uri')))
    const asked = checkAuthorizationRequest(parameters, client, target, this.provider)
    await openId?.read(parameters, client, asked, issuerOf(request))
  }

  /**
   * The request that a browser brings by its `request_uri`; undefined where it brings none. It may be brought again
   * until it has its response (OI-164).
   * @throws InvalidRequestUri to be shown (OI-163)
   */
  async read (sent: Parameters, client: Client): Promise<PushedRequest | undefined> {
    if (!sent.has('request_uri')) return undefined
    const { states } = this.provider
    const uri = sent.get('request_uri')
    if (uri?.startsWith(prefix) !== true || sent.repeated.has('request_uri')) throw notKnown()
    const key = uri.slice(prefix.length)
    const found = key.length === 43 ? await states.get('pushed', key) : undefined
    const stored = found?.data as StoredRequest | undefined
    if (stored === undefined || stored.clientId !== client.id) throw notKnown()
    if (stored.opened !== true) {
      await states.change('pushed', key, { ...stored, opened: true }, new Date(Date.now() + longestVisit * 1000))
    }
    return { key, parameters: new Parameters(Object.entries(stored.parameters)) }
  }

  /** @throws InvalidRequest for a request that was not pushed, where that is required (OI-165) */
  checkPushed ({ row }: Client, pushed: PushedRequest | undefined): void {
    if (pushed !== undefined) return
    if (this.settings.require || row.requirePushedAuthorizationRequests === true) {
      throw new InvalidRequest('The request must be pushed.')
    }
  }

  /** Uses a request up: true for one caller only, whichever process it is in. */
  async use (key: string): Promise<boolean> {
    return await this.provider.states.remove('pushed', key)
  }
}

const notKnown = (): InvalidRequestUri => new InvalidRequestUri('The request_uri is unknown, too old, or was used before.')
