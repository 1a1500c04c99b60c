/** What a token request wants of its access token beside its scope: a key that it is bound to, resources it is for. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Client } from '../clients/client.js'
import type { Parameters } from '../http/parameters.js'
import type { Provider } from '../provider.js'
import { audienceOf, narrowed, readResources, scopesFor, storedResources } from '../resource/indicators.js'
import type { Issue } from '../stores/tokens.js'

export interface Wishes {
  readonly issuer: string
  /** Thumbprint of the key of the proof; undefined: no proof. */
  readonly jkt: string | undefined
  /** Resources that the request names. */
  readonly resources: readonly string[]
}

/**
 * Reads them, after the client has authenticated.
 *
 * ```js
 * const wishes = await wishesOf(provider, request, reply, body, client)
 * ```
 * @param client undefined: an assertion will tell
 * @throws InvalidDpopProof, UseDpopNonce, InvalidTarget
 */
export async function wishesOf (
  { dpop, issuerOf, settings: { indicators } }: Provider, request: FastifyRequest, reply: FastifyReply,
  body: Parameters, client: Client | undefined
): Promise<Wishes> {
  const resources = indicators === undefined ? [] : readResources(body, indicators)
  const jkt = await dpop?.keyOf(request, reply)
  if (client !== undefined) dpop?.mustBind(client, jkt)
  return { issuer: issuerOf(request), jkt, resources }
}

/**
 * What makes a token of scopes one for resources: members of `Issue`.
 *
 * ```js
 * tokens.issue({ client, user, …, ...targeted(provider, wishes, scopes) })
 * ```
 * @param scopes that the grant gives
 * @param authorized resources that the grant is for; undefined: whatever the request names
 * @param parameters that the token has besides
 * @throws InvalidTarget for a resource that the grant is not for
 */
export function targeted (
  { settings: { indicators, openId } }: Provider, { issuer, jkt, resources }: Wishes, scopes: readonly string[],
  authorized: readonly string[] = resources, parameters: Issue['parameters'] = undefined
): Pick<Issue, 'issuer' | 'jkt' | 'scopes' | 'audience' | 'originalScopes' | 'parameters'> {
  const bound = { issuer, ...(jkt === undefined ? {} : { jkt }) }
  const plain = { ...bound, scopes, ...(parameters === undefined ? {} : { parameters }) }
  if (indicators === undefined) return plain
  const all = [...parameters ?? [], ...storedResources(authorized)]
  const named = narrowed(resources, authorized)
  const left = scopesFor(scopes, named, indicators, openId)
  return {
    ...bound,
    scopes: left,
    audience: audienceOf(named, left, issuer, openId),
    originalScopes: scopes,
    ...(all.length === 0 ? {} : { parameters: all })
  }
}
