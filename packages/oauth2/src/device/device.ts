/** The device authorization grant (RFC 8628; openid.md, section 9.1). Loaded where the option `deviceFlow` is on. */
import type { Row } from '@fastback/core'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { checkScope, parseScope } from '../checks/scope.js'
import { authenticateClient } from '../clients/authenticate-client.js'
import { mayUse, type Client } from '../clients/client.js'
import { InvalidGrant, UnauthorizedClient } from '../errors.js'
import type { Extension } from '../extension.js'
import { StrangersLimit } from '../failures.js'
import { deviceGrant } from '../grant-types.js'
import { allowOrigin } from '../http/cors.js'
import { targeted, type Wishes } from '../grants/wishes.js'
import { formOf, jsonErrors, pageErrors, readForms } from '../http/forms.js'
import type { Parameters } from '../http/parameters.js'
import { endpointUrl } from '../issuer.js'
import { contextOf } from '../openid/context.js'
import type { Provider } from '../provider.js'
import { narrowed, readResources } from '../resource/indicators.js'
import type { Issued } from '../stores/tokens.js'
import { DeviceCodes, type Decision } from './device-codes.js'
import { AuthorizationPending, DeviceDenied, ExpiredDeviceCode, SlowDown } from './errors.js'
import type { DeviceSettings } from './options.js'
import { devicePageEndpoint, deviceFormEndpoint } from './page.js'
import { shownCode } from './user-code.js'

/** What a code was approved for: a client, its user, and what the poll wants of the token. */
interface Granted {
  readonly client: Client
  readonly user: Row
  readonly wishes: Wishes
  readonly key: string
}

export class Device implements Extension {
  readonly codes: DeviceCodes
  readonly #limit: StrangersLimit

  constructor (readonly provider: Provider, readonly settings: DeviceSettings) {
    const { registry, states, settings: { rateLimit } } = provider
    this.codes = new DeviceCodes(states, settings)
    this.#limit = new StrangersLimit(registry, {
      what: 'oauth device', maxPerHour: settings.maxPerHour, store: rateLimit?.store
    })
  }

  async register (scope: FastifyInstance): Promise<void> {
    const { provider, settings: { authorizationPath, verificationPath } } = this
    await scope.register(async inner => {
      readForms(inner)
      inner.setErrorHandler(jsonErrors(provider))
      inner.post(authorizationPath, async (request, reply) => await this.#begin(request, reply))
    })
    await scope.register(async inner => {
      readForms(inner)
      inner.setErrorHandler(pageErrors(provider))
      inner.get(verificationPath, { exposeHeadRoute: false }, devicePageEndpoint(this))
      inner.post(verificationPath, deviceFormEndpoint(this))
    })
  }

  metadata (issuer: string): Record<string, unknown> {
    return { device_authorization_endpoint: endpointUrl(issuer, this.settings.authorizationPath) }
  }

  /** The device authorization endpoint (OI-140, OI-141, OI-148). */
  async #begin (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { provider, settings: { ttl, interval, verificationPath } } = this
    const { indicators } = provider.settings
    const body = formOf(request)
    if (indicators === undefined) body.refuseRepeated()
    else body.refuseRepeatedBut('resource')
    const client = await authenticateClient(provider, request, body)
    allowOrigin(request, reply, client)
    requireDevices(client)
    const resources = indicators === undefined ? undefined : readResources(body, indicators)
    const scopes = this.#scopesOf(client, body)
    await this.#limit.reserve(client, request)
    const { deviceCode, userCode } = await this.codes.begin({ clientId: client.id, scopes, resources })
    const address = endpointUrl(provider.issuerOf(request), verificationPath)
    const shown = shownCode(userCode)
    return reply.headers({ 'cache-control': 'no-store', pragma: 'no-cache' }).send({
      device_code: deviceCode,
      user_code: shown,
      verification_uri: address,
      verification_uri_complete: `${address}?${new URLSearchParams({ user_code: shown }).toString()}`,
      expires_in: ttl,
      interval
    })
  }

  /** Without refreshes there is nothing to do while the user is away (OI-63). */
  #scopesOf (client: Client, body: Parameters): readonly string[] {
    const scopes = checkScope(client, parseScope(body.get('scope')), this.provider.settings.defaultScopes)
    return this.provider.openId === undefined || this.#mayRefresh(client)
      ? scopes
      : scopes.filter(scope => scope !== 'offline_access')
  }

  #mayRefresh (client: Client): boolean {
    return this.provider.settings.grants.has('refresh_token') && mayUse(client, 'refresh_token')
  }

  /**
   * A poll at the token endpoint (OI-143, OI-146).
   * @throws AuthorizationPending, SlowDown, DeviceDenied, ExpiredDeviceCode, InvalidGrant, UnauthorizedClient
   */
  async grant (request: FastifyRequest, client: Client, body: Parameters, wishes: Wishes): Promise<Issued> {
    requireDevices(client)
    const polled = await this.codes.poll(body.require('device_code'), client.id)
    if (polled === 'pending') throw new AuthorizationPending('The user has not decided yet.')
    if (polled === 'too soon') throw new SlowDown('Wait five seconds longer between two requests.')
    if (polled === 'denied') throw new DeviceDenied('The user refused.')
    if (polled === 'expired') throw new ExpiredDeviceCode('The device_code has expired.')
    if (polled === 'unknown') throw unknown()
    // A poll that names another resource can be put right and sent again.
    narrowed(wishes.resources, polled.decision.resources ?? [])
    const user = await this.provider.users.byId(polled.decision.userId)
    if (user === undefined || !await this.codes.use(polled.key)) throw unknown()
    return await this.#issue(request, { client, user, wishes, key: polled.key }, polled.decision)
  }

  async #issue (
    request: FastifyRequest, { client, user, wishes, key }: Granted,
    { scopes, resources = [], grantId, parameters }: Decision & { readonly allowed: true }
  ): Promise<Issued> {
    const { tokens, users, openId, issuerOf } = this.provider
    const issued = await tokens.issue({
      client,
      user,
      userId: users.idOf(user),
      // Of the resources that the user read about the poll may name some (S-167).
      ...targeted(this.provider, wishes, scopes, resources, parameters),
      grantType: deviceGrant,
      grantId,
      refreshable: this.#mayRefresh(client) && openId?.isRefreshable(scopes) !== false,
      // Whoever ended what the user had given out took the decision away.
      holds: async () => await this.codes.decisionOf(key) !== undefined
    })
    const context = contextOf({ parameters })
    if (openId === undefined || context === undefined || !issued.scopes.includes('openid')) return issued
    const { accessToken, scopes: given } = issued
    const idToken = await openId.idTokenFor({
      issuer: issuerOf(request), client, user, context, scopes: given, accessToken
    })
    return { ...issued, idToken }
  }
}

const unknown = (): InvalidGrant => new InvalidGrant('The device_code is unknown, or was used before.')

/** The right to show codes to people must be written down: no list of grants is not enough. */
function requireDevices ({ grantTypes }: Client): void {
  if (grantTypes?.includes(deviceGrant) !== true) throw new UnauthorizedClient('The client may not use this grant.')
}
