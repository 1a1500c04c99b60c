/** An authorization request, checked in the order of oauth2.md, section 3. */
import { jwtBearer, type GrantType } from '../grant-types.js'
import { mayUse, type Client } from '../clients/client.js'
import { InvalidRequest, UnauthorizedClient, UnsupportedResponseType } from '../errors.js'
import type { Parameters } from '../http/parameters.js'
import type { InteractionRequest } from '../openid/interaction/interaction-request.js'
import type { OpenIdRequest } from '../openid/request.js'
import type { Settings } from '../settings.js'
import type { Provider } from '../provider.js'
import { readResources } from '../resource/indicators.js'
import { checkChallenge } from './pkce.js'
import { checkScope, parseScope } from './scope.js'

export type ResponseMode = 'query' | 'fragment' | 'form_post'

/** Where a response goes. */
export interface ResponseTarget {
  readonly clientId: string
  readonly redirectUri: string
  readonly redirectUriGiven: boolean
  readonly state: string | undefined
  readonly responseMode: ResponseMode
  /** Key of the pushed request that this one is (OI-164). */
  readonly pushed?: string | undefined
}

export interface AuthorizationRequest extends ResponseTarget {
  readonly responseType: 'code' | 'token'
  readonly scopes: readonly string[]
  readonly codeChallenge?: string | undefined
  /** Thumbprint of the key that the code is bound to (RFC 9449, section 10). */
  readonly jkt?: string | undefined
  /** RFC 8707. */
  readonly resources?: readonly string[]
  /** Only of openid requests. */
  readonly openId?: OpenIdRequest
  readonly interaction?: InteractionRequest
}

const modes: ReadonlySet<string> = new Set<ResponseMode>(['query', 'fragment', 'form_post'])

/** How errors are answered whatever else is wrong with the request. */
export function targetOf (parameters: Parameters, client: Client, redirectUri: string): ResponseTarget {
  const mode = parameters.get('response_mode')
  const isToken = parameters.get('response_type') === 'token'
  const usual = isToken ? 'fragment' : 'query'
  const usable =
    mode !== undefined && modes.has(mode) && !parameters.repeated.has('response_mode') && !(isToken && mode === 'query')
  return {
    clientId: client.id,
    redirectUri,
    redirectUriGiven: parameters.get('redirect_uri') !== undefined,
    state: parameters.repeated.has('state') ? undefined : parameters.get('state'),
    responseMode: usable ? mode as ResponseMode : usual
  }
}

/** @throws OAuthError to be sent to the redirect URI */
export function checkAuthorizationRequest (
  parameters: Parameters, client: Client, target: ResponseTarget,
  { settings, dpop }: Pick<Provider, 'settings' | 'dpop'>
): AuthorizationRequest {
  const mode = parameters.get('response_mode')
  if (mode !== undefined && mode !== target.responseMode) {
    throw new InvalidRequest('The response_mode is not supported here.')
  }
  if (settings.indicators === undefined) parameters.refuseRepeated()
  else parameters.refuseRepeatedBut('resource')
  const responseType = checkResponseType(parameters.require('response_type'), client, settings)
  const scopes = checkScope(client, parseScope(parameters.get('scope')), settings.defaultScopes)
  const codeChallenge = responseType === 'code' ? checkChallenge(parameters, client, settings.requirePkce) : undefined
  return {
    ...target,
    responseType,
    scopes,
    codeChallenge,
    ...(dpop === undefined ? {} : { jkt: dpop.namedKey(parameters) }),
    ...(settings.indicators === undefined ? {} : { resources: readResources(parameters, settings.indicators) })
  }
}

const grantOf: Readonly<Record<string, GrantType>> = { code: 'authorization_code', token: 'implicit' }

function checkResponseType (asked: string, client: Client, { grants }: Settings): 'code' | 'token' {
  const grant = Object.hasOwn(grantOf, asked) ? grantOf[asked] as Exclude<GrantType, typeof jwtBearer> : undefined
  if (grant === undefined || !grants.has(grant)) {
    throw new UnsupportedResponseType('The response_type is not supported.')
  }
  if (!mayUse(client, grant) || (client.responseTypes !== undefined && !client.responseTypes.includes(asked))) {
    throw new UnauthorizedClient('The client may not use this response_type.')
  }
  return asked as 'code' | 'token'
}
