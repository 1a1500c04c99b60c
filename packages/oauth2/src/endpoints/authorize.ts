/** Authorization endpoint (oauth2.md, section 3). */
import { keepsLogins } from '@fastback/auth/service'
import type { Row } from '@fastback/core'
import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  checkAuthorizationRequest,
  targetOf,
  type AuthorizationRequest,
  type ResponseTarget
} from '../checks/authorization-request.js'
import { checkRedirectUri, isClaimable } from '../checks/redirect-uri.js'
import type { Client } from '../clients/client.js'
import { randomText } from '../digest.js'
import { AccessDenied, InvalidClient, InvalidRequest } from '../errors.js'
import { failureOf, formOf } from '../http/forms.js'
import { seeOther, sendToClient } from '../http/authorization-response.js'
import { Parameters } from '../http/parameters.js'
import { isForeignForm } from '../http/origin-check.js'
import { withoutTraces } from '../pages/send-page.js'
import { storedKey } from '../dpop/bound.js'
import { consentsOf, isConsented } from '../grants/consents.js'
import { targeted } from '../grants/wishes.js'
import { storedResources } from '../resource/indicators.js'
import { storedContext, type OpenIdContext, type StoredParameter } from '../openid/context.js'
import type { Provider } from '../provider.js'
import { storedLogin } from '../session/login-facts.js'
import { loginOf, type Session } from '../session/sessions.js'
import { askUser } from './dialog.js'
import { remember } from './remember.js'

export function authorizationEndpoint (provider: Provider) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const sent = request.method === 'POST' ? formOf(request) : Parameters.ofQuery(request.url)
    const client = await checkClient(provider, sent)
    const pushed = await provider.extensions.pushed?.read(sent, client)
    const parameters = pushed?.parameters ?? sent
    provider.openId?.checkTarget(parameters)
    const redirectUri = checkRedirectUri(client, parameters.get('redirect_uri'))
    const target: ResponseTarget = { ...targetOf(parameters, client, redirectUri), pushed: pushed?.key }
    const again = await withCookies(provider, request, sent)
    return await respondToClient(provider, request, reply, target, async () => {
      provider.extensions.pushed?.checkPushed(client, pushed)
      const checked = checkAuthorizationRequest(parameters, client, target, provider)
      const asked = await provider.openId?.read(parameters, client, checked, provider.issuerOf(request)) ?? checked
      if (again !== undefined) return withoutTraces(reply).redirect(again, 303)
      const session = await provider.sessions.open(request, reply)
      const userId = loginOf(session)
      const user = userId === undefined ? undefined : await provider.users.byId(userId)
      if (provider.openId !== undefined && asked.interaction !== undefined) {
        const ready = await provider.openId.logins.interact({
          request, reply, parameters, sent, session, client, user, asked, interaction: asked.interaction,
          isPermitted: async user => await isPermitted(provider, client, user, asked)
        })
        return ready === undefined ? reply : await issue(provider, request, reply, session, client, user as Row, ready)
      }
      if (user === undefined) return await sendToLogin(provider, request, reply, session, sent, parameters)
      if (await isPermitted(provider, client, user, asked)) {
        return await issue(provider, request, reply, session, client, user, asked)
      }
      return await askUser(provider, request, reply, { session, client, user, asked })
    })
  }
}

/** Characters of an address that servers and proxies still take. */
const longestAddress = 6000

/**
 * Where a form of another site goes on as an address: browsers send no cookie with it (`SameSite`), and the cookie of a
 * new session would take the place of the login that the browser has (security.md, S-175). Undefined: it need not.
 * @throws InvalidRequest for one that is too long for an address
 */
async function withCookies (
  { sessions, settings }: Provider, request: FastifyRequest, sent: Parameters
): Promise<string | undefined> {
  if (!isForeignForm(request) || await sessions.load(request) !== undefined) return undefined
  const address = `${settings.paths.authorize as string}?${sent.toQuery()}`
  if (address.length > longestAddress) {
    throw new InvalidRequest('The request is too long for a form of another site: send an address, or push the request.')
  }
  return address
}

/** Failures before this are shown: nothing is sent to where nobody has checked (O-008, O-009, O-033). */
async function checkClient ({ clients }: Provider, parameters: Parameters): Promise<Client> {
  parameters.refuseRepeated('client_id', 'redirect_uri')
  const client = await clients.find(parameters.require('client_id'))
  if (client === undefined) throw new InvalidClient('The client is not known.')
  return client
}

/** Runs what can fail; failures go to the client. */
export async function respondToClient (
  provider: Provider,
  request: FastifyRequest,
  reply: FastifyReply,
  target: ResponseTarget,
  run: () => Promise<FastifyReply>
): Promise<FastifyReply> {
  try {
    return await run()
  } catch (thrown) {
    const error = failureOf(provider, request, thrown)
    if (target.pushed !== undefined) await provider.extensions.pushed?.use(target.pushed)
    provider.emit('authorization.error', { client: target.clientId, error })
    return await sendToClient(
      provider, request, reply, target, { error: error.error, error_description: error.message }
    )
  }
}

/** The request, if there is one, waits in the session. */
export async function sendToLogin (
  provider: Provider,
  request: FastifyRequest,
  reply: FastifyReply,
  session: Session | undefined,
  sent?: Parameters,
  parameters?: Parameters
): Promise<FastifyReply> {
  if (session !== undefined && sent !== undefined) await remember(provider, session, sent, parameters)
  return withoutTraces(reply).redirect(provider.settings.loginPage, seeOther(request))
}

/**
 * Whether the user has consented before. Of a client that anybody can claim to be, nothing is remembered (O-052,
 * O-058).
 */
async function isPermitted (
  { settings, permissions, users, openId }: Provider, client: Client, user: Row, asked: AuthorizationRequest
): Promise<boolean> {
  if (settings.forceAuthorize || (client.isPublic && isClaimable(asked.redirectUri))) return false
  if (openId !== undefined && client.row.trusted === true) return true
  const permitted = await permissions.of(client.id, users.idOf(user))
  return permitted !== undefined && isConsented(permitted, consentsOf(asked))
}

/**
 * The code or token for a request that the user has approved.
 * @throws AccessDenied when the session ended meanwhile, InvalidRequest when a pushed request was used meanwhile
 */
export async function issue (
  provider: Provider, request: FastifyRequest, reply: FastifyReply, session: Session, client: Client, user: Row,
  asked: AuthorizationRequest
): Promise<FastifyReply> {
  if (asked.pushed !== undefined && await provider.extensions.pushed?.use(asked.pushed) !== true) {
    throw new InvalidRequest('The request was answered before.')
  }
  if (asked.interaction !== undefined) await provider.openId?.logins.use(asked.interaction)
  const { values, revoke } = asked.responseType === 'code'
    ? await issueCode(provider, provider.issuerOf(request), session, client, user, asked)
    : await issueToken(provider, provider.issuerOf(request), session, client, user, asked)
  // Whoever ended the session may not have seen what was just made of it (S-43).
  if (!await provider.sessions.isOpen(session)) {
    await revoke()
    throw new AccessDenied('The login has ended.')
  }
  provider.emit('authorization.accepted', { client: client.id, userId: provider.users.idOf(user) })
  return await sendToClient(provider, request, reply, asked, values)
}

interface Made {
  readonly values: Readonly<Record<string, string>>
  readonly revoke: () => Promise<void>
}

async function issueCode (provider: Provider, issuer: string, session: Session, client: Client,
  user: Row, asked: AuthorizationRequest): Promise<Made> {
  const { codes, users, lifetime, openId } = provider
  const context = openId?.contextOf(asked, session.data, client, user)
  const grantId = randomText()
  // Whoever ends the session finds the grant, or the session is found to have ended.
  if (context !== undefined) {
    await openId?.logins.addGrant({ context, grantId, issuer, client, user, scopes: asked.scopes })
  }
  const code = await codes.issue({
    grantId,
    appId: client.id,
    userId: users.idOf(user),
    scopes: asked.scopes,
    redirectURI: asked.redirectUri,
    redirectURIGiven: asked.redirectUriGiven,
    codeChallenge: asked.codeChallenge,
    ...bound(parametersOf(provider, session, context), asked),
    expiresIn: lifetime('code', client.id, user, asked.scopes, 'authorization_code')
  })
  return { values: { code }, revoke: () => codes.revoke(code) }
}

/** What codes and tokens are told of the login that they come of. */
export function parametersOf (
  { registry }: Provider, { data: { amr, authTime } }: Session, context?: OpenIdContext
): { parameters?: StoredParameter[] } {
  if (context !== undefined) return { parameters: storedContext(context) }
  // Sessions of before this version do not know.
  if (amr === undefined || authTime === undefined || !keepsLogins(registry)) return {}
  return { parameters: storedLogin({ amr, authTime }) }
}

/** What the request says of key and resources, for the tokens of its code. */
function bound (
  { parameters = [] }: { parameters?: StoredParameter[] }, { jkt, resources = [] }: AuthorizationRequest
): { parameters?: StoredParameter[] } {
  const all = [...parameters, ...storedKey(jkt), ...storedResources(resources)]
  return all.length === 0 ? {} : { parameters: all }
}

async function issueToken (
  provider: Provider, issuer: string, session: Session, client: Client, user: Row, asked: AuthorizationRequest
): Promise<Made> {
  const { tokens, openId } = provider
  provider.warnOnce(
    `implicit ${client.id}`,
    `OAuth: the client "${client.id}" uses the implicit grant, which RFC 9700 advises against`
  )
  const context = openId?.contextOf(asked, session.data, client, user)
  const grantId = context === undefined ? undefined : randomText()
  // As with a code: an openid token ends with the login (OI-127), whoever ends that meanwhile.
  if (context !== undefined && grantId !== undefined) {
    await openId?.logins.addGrant({ context, grantId, issuer, client, user, scopes: asked.scopes, isImplicit: true })
  }
  const { accessToken, expiresIn, scopes } = await tokens.issue({
    client,
    user,
    userId: provider.users.idOf(user),
    grantType: 'implicit',
    ...(grantId === undefined ? {} : { grantId }),
    refreshable: false,
    redirectURI: asked.redirectUri,
    ...targeted(provider, { issuer, jkt: undefined, resources: asked.resources ?? [] }, asked.scopes, asked.resources,
      parametersOf(provider, session).parameters)
  })
  return {
    values: { access_token: accessToken, token_type: 'Bearer', expires_in: String(expiresIn), scope: scopes.join(' ') },
    revoke: () => tokens.revoke(tokens.options.digest(accessToken))
  }
}
