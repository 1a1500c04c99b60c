/** Runs a grant through the engine. */
import type { FastifyRequest } from 'fastify'
import OAuth2Server from 'node-oauth2-server'
import type { Client } from '../clients/client.js'
import {
  InvalidClient,
  InvalidGrant,
  InvalidRequest,
  InvalidScope,
  OAuthError,
  ServerError,
  UnauthorizedClient,
  UnsupportedGrantType
} from '../errors.js'
import type { GrantType } from '../grant-types.js'
import type { Parameters } from '../http/parameters.js'
import type { Provider } from '../provider.js'
import type { Issued } from '../stores/tokens.js'
import { TokenRequestModel } from './token-request.js'
import type { Wishes } from './wishes.js'

/** @throws OAuthError */
export async function runGrant (
  provider: Provider, request: FastifyRequest, client: Client, grantType: GrantType, body: Parameters,
  wishes: Wishes
): Promise<Issued> {
  const model = new TokenRequestModel(provider, request, client, grantType, body, wishes)
  const engine = new OAuth2Server({ model, requireClientAuthentication: { [grantType]: false } })
  try {
    await engine.token(engineRequest(client, grantType, body), new OAuth2Server.Response({}))
  } catch (error) {
    throw ours(error)
  }
  if (model.issued === undefined) throw new ServerError('No token was issued.')
  return model.issued
}

/** What the engine sees: a client that has authenticated, and no credentials. */
function engineRequest (client: Client, grantType: GrantType, body: Parameters): OAuth2Server.Request {
  const { client_secret: _secret, client_assertion: _assertion, ...parameters } = body.toObject()
  return new OAuth2Server.Request({
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'content-length': '1' },
    query: {},
    body: { ...parameters, client_id: client.id, grant_type: grantType }
  })
}

const classes = {
  invalid_request: InvalidRequest,
  invalid_client: InvalidClient,
  invalid_grant: InvalidGrant,
  invalid_scope: InvalidScope,
  unauthorized_client: UnauthorizedClient,
  unsupported_grant_type: UnsupportedGrantType
} as const

/** The engine's messages have quotes of their own, and `Invalid grant: ` before them. */
const plain = (message: string): string =>
  message.replace(/^(?:Invalid|Unauthorized|Unsupported) (?!parameter)[a-z ]+: /, '')
    .replaceAll('`', '')
    .replace(/^./, letter => letter.toUpperCase())

function ours (error: unknown): unknown {
  if (!(error instanceof OAuth2Server.OAuthError)) return error
  const { name, message, inner } = error as OAuth2Server.OAuthError & { inner?: unknown }
  if (inner instanceof OAuthError) return inner
  if (Object.hasOwn(classes, name)) return new classes[name as keyof typeof classes](plain(message))
  return inner ?? error
}
