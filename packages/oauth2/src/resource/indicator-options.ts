/** The option `resourceIndicators`: as it is written, checked and completed (openid.md, section 9.4). */
import { Type, type Static } from '@sinclair/typebox'
import { InvalidOptionsError } from '../errors.js'
import { reservedClaims } from '../openid/options.js'

const Resource = Type.Object({
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  scopes: Type.Optional(Type.Array(Type.String({ minLength: 1 }))),
  ttl: Type.Optional(Type.Integer({ minimum: 1 })),
  jwt: Type.Optional(Type.Boolean()),
  claims: Type.Optional(Type.Array(Type.String({ minLength: 1 })))
})

export const IndicatorsSchema = Type.Object({ resources: Type.Record(Type.String(), Resource) })
export type IndicatorOptions = Static<typeof IndicatorsSchema>

/** A resource that tokens can be for. */
export interface ResourceSettings {
  /** What people call it, for the dialog; undefined: by its address. */
  readonly name: string | undefined
  /** Scopes that mean something there; undefined: all. */
  readonly scopes: readonly string[] | undefined
  /** Seconds that a token for it lives at most; undefined: as long as any. */
  readonly ttl: number | undefined
  /** Whether its tokens are JWTs (RFC 9068). */
  readonly jwt: boolean
  /** Claims of the user that its JWTs have. */
  readonly claims: readonly string[]
}

/** Resources by address. */
export type Indicators = ReadonlyMap<string, ResourceSettings>

/**
 * Whether a text is what RFC 8707 takes: an absolute URI without a fragment.
 *
 * ```js
 * isResourceUri('https://api.example/') // true
 * ```
 */
export const isResourceUri = (text: string): boolean =>
  text.length <= 2048 && /^[a-z][a-z0-9+.-]*:[\x21\x24-\x3b\x3d\x3f-\x5b\x5d\x5f\x61-\x7a\x7e]+$/i.test(text) &&
  URL.canParse(text)

/**
 * Checks the option and fills in what was left out.
 *
 * ```js
 * indicatorSettings({ resources: { 'https://api.example': { scopes: ['read'] } } }, { jwt: false, openId: false })
 * ```
 * @param on which of the options `jwtAccessTokens` and `openid` are on
 * @throws FBK_OAUTH2_INVALID_OPTIONS
 */
export function indicatorSettings (
  given: IndicatorOptions | undefined, on: { readonly jwt: boolean, readonly openId: boolean }
): Indicators | undefined {
  if (given === undefined) return undefined
  return new Map(Object.entries(given.resources).map(([uri, { jwt = false, claims = [], ...more }]) => {
    const name = `the option "resourceIndicators.resources" names "${uri}"`
    if (!isResourceUri(uri)) throw new InvalidOptionsError(`${name}, which is no absolute URI without a fragment.`)
    if (jwt && !on.jwt) throw new InvalidOptionsError(`${name} with "jwt", which needs the option "jwtAccessTokens".`)
    if (claims.length > 0 && !(jwt && on.openId)) {
      throw new InvalidOptionsError(`${name} with "claims", which need "jwt" and the option "openid".`)
    }
    const reserved = claims.find(claim => reservedClaims.has(claim) || claim === 'scope' || claim === 'client_id')
    if (reserved !== undefined) {
      throw new InvalidOptionsError(`${name} with the claim "${reserved}", which every token has or none.`)
    }
    return [uri, { name: more.name, scopes: more.scopes, ttl: more.ttl, jwt, claims }]
  }))
}
