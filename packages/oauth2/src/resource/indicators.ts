/** What resources a request names, and what tokens for them are (RFC 8707; openid.md, section 9.4). */
import type { Row } from '@fastback/core'
import { InvalidTarget } from '../errors.js'
import type { Parameters } from '../http/parameters.js'
import { openIdScopes, type OpenIdSettings } from '../openid/options.js'
import type { StoredParameter } from '../openid/context.js'
import { isResourceUri, type Indicators } from './indicator-options.js'

const most = 20

/**
 * The resources that a request names (OI-170). URIs have no blanks: several that waited for a login come as one text.
 *
 * ```js
 * readResources(body, indicators) // ['https://api.example/']
 * ```
 * @throws InvalidTarget for what is no URI, or not known here
 */
export function readResources (parameters: Parameters, indicators: Indicators): readonly string[] {
  const named = [...new Set(parameters.all('resource').flatMap(text => text.split(' ')))]
  if (named.length > most || !named.every(uri => isResourceUri(uri) && indicators.has(uri))) {
    throw new InvalidTarget('The resource is not known here.')
  }
  return named
}

/**
 * The resources of a token: those that its request names, else all that were authorized (OI-171, OI-173).
 * @throws InvalidTarget for one that was not authorized
 */
export function narrowed (named: readonly string[], authorized: readonly string[]): readonly string[] {
  if (!named.every(uri => authorized.includes(uri))) throw new InvalidTarget('The resource was not authorized.')
  return named.length === 0 ? authorized : named
}

/**
 * The scopes that mean something at resources (OI-174). Those of OpenID Connect are for this server itself, which the
 * token of an openid request is for as well (OI-175).
 *
 * ```js
 * scopesFor(['read', 'admin'], ['https://api.example/'], indicators, undefined) // ['read']
 * ```
 */
export function scopesFor (
  scopes: readonly string[], resources: readonly string[], indicators: Indicators, openId: OpenIdSettings | undefined
): readonly string[] {
  if (resources.length === 0) return scopes
  const all = resources.map(uri => indicators.get(uri)?.scopes)
  if (all.includes(undefined)) return scopes
  const own = openId !== undefined && scopes.includes('openid') ? openIdScopes(openId) : []
  const known = new Set([...own, ...all.flatMap(each => each ?? [])])
  return scopes.filter(scope => known.has(scope))
}

/** Whom a token is for: resources, and this server where a user's data can be read with it (OI-172, OI-175). */
export const audienceOf = (
  resources: readonly string[], scopes: readonly string[], issuer: string, openId: OpenIdSettings | undefined
): readonly string[] =>
  resources.length > 0 && openId !== undefined && scopes.includes('openid') ? [...resources, issuer] : resources

/** Resources as pages name them. */
export const describeResources = (
  resources: readonly string[], indicators: Indicators | undefined
): Array<{ uri: string, name: string | undefined }> =>
  resources.map(uri => ({ uri, name: indicators?.get(uri)?.name }))

const name = 'resources'

/** The resources of a grant as rows of tokens have them: each token may be for fewer. */
export const storedResources = (resources: readonly string[]): StoredParameter[] =>
  resources.length === 0 ? [] : [{ name, value: JSON.stringify(resources) }]

/**
 * The resources that a grant is for.
 *
 * ```js
 * resourcesIn({ parameters: [{ name: 'resources', value: '["https://api.example/"]' }] }) // ['https://api.example/']
 * ```
 * @param row of a code or a token
 */
export function resourcesIn ({ parameters }: Readonly<Row>): readonly string[] {
  const found = Array.isArray(parameters)
    ? (parameters as StoredParameter[]).find(parameter => parameter.name === name)
    : undefined
  return found === undefined ? [] : JSON.parse(found.value) as string[]
}
