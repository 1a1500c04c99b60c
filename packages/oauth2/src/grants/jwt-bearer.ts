/**
 * The JWT bearer grant (RFC 7523): the assertion is the credential; no other client authentication is needed (O-160 to
 * O-174).
 */
import type { Row } from '@fastback/core'
import type { FastifyRequest } from 'fastify'
import { checkScope, covers, parseScope } from '../checks/scope.js'
import { BadAssertion, type Verified } from '../clients/assertion.js'
import { mayUse, type Client } from '../clients/client.js'
import { InvalidGrant, InvalidRequest, InvalidScope, UnauthorizedClient } from '../errors.js'
import { jwtBearer } from '../grant-types.js'
import type { Parameters } from '../http/parameters.js'
import type { Provider } from '../provider.js'
import type { Issued } from '../stores/tokens.js'
import { consentWords, isConsented } from './consents.js'
import { targeted, type Wishes } from './wishes.js'

/** @param authenticated the client that authenticated besides, when one did */
export async function jwtBearerGrant (
  provider: Provider, request: FastifyRequest, body: Parameters, authenticated: Client | undefined,
  wishes: Wishes
): Promise<Issued> {
  const assertion = body.require('assertion')
  const verified = await verify(provider, request, assertion)
  const { client, claims } = verified
  if (authenticated !== undefined && authenticated.id !== client.id) {
    throw new InvalidRequest('The assertion is of another client.')
  }
  if (!mayUse(client, jwtBearer)) throw new UnauthorizedClient('The client may not use this grant.')
  const asked = parseScope(body.get('scope')) ?? claimedScope(claims.scope)
  const ofClient = checkScope(client, asked, provider.settings.defaultScopes)
  const { user, scopes } = claims.sub === client.id
    ? { user: undefined, scopes: ofClient }
    : await subject(provider, client, claims.sub, { asked, ofClient, resources: wishes.resources })
  provider.dpop?.mustBind(client, wishes.jkt)
  // Used up last: a request that fails on its scope can be put right and sent again.
  if (!await provider.assertions.use(assertion, verified)) throw refused('it was used before')
  return await provider.tokens.issue({
    client,
    user,
    userId: user === undefined ? undefined : provider.users.idOf(user),
    grantType: jwtBearer,
    refreshable: false,
    claims,
    ...targeted(provider, wishes, scopes)
  })
}

const refused = (detail: string): InvalidGrant => new InvalidGrant('The assertion is not accepted.', detail)

async function verify (
  { assertions, audience, settings }: Provider,
  request: FastifyRequest,
  assertion: string
): Promise<Verified> {
  try {
    // Clients of LoopBack's component name the bare path.
    return await assertions.verify(assertion, [
      ...audience(request),
      ...(settings.paths.token === undefined ? [] : [settings.paths.token])
    ])
  } catch (error) {
    if (error instanceof BadAssertion) throw refused(error.message)
    throw error
  }
}

/** The user, and the scopes that that user permitted the client, at the resources that are named. */
async function subject (
  { users, permissions }: Provider, client: Client, name: string,
  { asked, ofClient, resources }: {
    readonly asked: readonly string[] | undefined
    readonly ofClient: readonly string[]
    readonly resources: readonly string[]
  }
): Promise<{ user: Row, scopes: readonly string[] }> {
  const user = await users.byName(name)
  const permitted = user === undefined ? undefined : await permissions.of(client.id, users.idOf(user))
  if (user === undefined || permitted === undefined) throw refused('unknown subject, or no permission')
  const scopes = ofClient.filter(scope => isConsented(permitted, consentWords([scope], resources)))
  if (asked !== undefined && !covers(scopes, asked)) throw new InvalidScope('The user did not permit this scope.')
  if (!isConsented(permitted, consentWords(scopes, resources))) throw refused('no permission for this resource')
  return { user, scopes }
}

function claimedScope (claim: unknown): string[] | undefined {
  if (Array.isArray(claim)) return parseScope(claim.join(' '))
  return typeof claim === 'string' && claim !== '' ? parseScope(claim) : undefined
}
