/**
 * The profiles as options: `oauth2.1` is without what OAuth 2.1 has no more, whatever the options say; `fapi2` is the
 * FAPI 2.0 Security Profile besides, and what contradicts it stops the start.
 */
import { InvalidOptionsError } from './errors.js'
import { grantNames, grantProfiles, grantTypes } from './grant-types.js'
import type { OAuth2Options } from './options-schema.js'

/** FAPI 2.0 Security Profile, section 5.4.1. */
const fapiAlgorithms = ['PS256', 'ES256', 'EdDSA'] as const
/** Seconds (section 5.3.2.1). */
const longestCode = 60

type Profile = NonNullable<OAuth2Options['profile']>
type Contradiction = readonly [option: string, isWrong: boolean, instead: string]

/**
 * The options as the profile has them; others as they are.
 *
 * ```js
 * profiled({ profile: 'fapi2', dataSource: 'db' }).requirePkce // 'all'
 * ```
 * @throws FBK_OAUTH2_INVALID_OPTIONS naming an option that contradicts the profile
 */
export function profiled (options: OAuth2Options): OAuth2Options {
  const { profile } = options
  if (!isStrict(profile)) return options
  const isFapiServer = profile === 'fapi2' && options.authorizationServer !== false
  return strict(isFapiServer ? asFapi(options) : options, profile)
}

export const isStrict = (profile: Profile | undefined): profile is Exclude<Profile, 'compat'> =>
  profile === 'oauth2.1' || profile === 'fapi2'

const strict = (options: OAuth2Options, profile: Exclude<Profile, 'compat'>): OAuth2Options => ({
  ...options,
  supportedGrantTypes: (options.supportedGrantTypes ?? grantNames)
    .filter(name => grantProfiles[grantTypes[name]].includes(profile)),
  requirePkce: 'all',
  bearerMethods: ['header'],
  allowInsecureRedirects: false,
  rawBasicCredentials: options.rawBasicCredentials ?? false
})

function asFapi (options: OAuth2Options): OAuth2Options {
  refuse(options)
  const { dpop, pushedRequests, openid, supportedGrantTypes } = options
  const signingAlgorithms = ['PS256'] as const
  return {
    ...options,
    supportedGrantTypes: supportedGrantTypes ?? ['authorizationCode', 'refreshToken', 'clientCredentials'],
    ttl: { ...(typeof options.ttl === 'number' ? { token: options.ttl } : options.ttl), code: codeTtl(options) ?? longestCode },
    jwtAlgorithms: options.jwtAlgorithms ?? [...fapiAlgorithms],
    // A response that was lost must not end a grant (section 5.3.2.1, note 1).
    refreshTokenGrace: options.refreshTokenGrace ?? 60,
    dpop: { algorithms: [...fapiAlgorithms], ...(typeof dpop === 'object' ? dpop : {}), require: true },
    ...(openid === true
      ? { openid: { signingAlgorithms: [...signingAlgorithms] } }
      : typeof openid === 'object' ? { openid: { signingAlgorithms: [...signingAlgorithms], ...openid } } : {}),
    pushedRequests: { ...(typeof pushedRequests === 'object' ? pushedRequests : {}), require: true }
  }
}

const codeTtl = ({ ttl }: OAuth2Options): number | undefined => typeof ttl === 'object' ? ttl.code : undefined

function refuse (options: OAuth2Options): void {
  const { dpop, pushedRequests } = options
  const isNot = (value: object | boolean | undefined): boolean =>
    value === false || (typeof value === 'object' && (value as { require?: boolean }).require === false)
  const foreign = (names: readonly string[] | undefined): boolean =>
    names?.some(name => !(fapiAlgorithms as readonly string[]).includes(name)) === true
  const rules: readonly Contradiction[] = [
    ['supportedGrantTypes', options.supportedGrantTypes?.some(name =>
      !grantProfiles[grantTypes[name]].includes('fapi2')) === true, 'has no implicit, password and JWT bearer grant'],
    ['requirePkce', options.requirePkce !== undefined && options.requirePkce !== 'all', 'needs PKCE of all clients'],
    ['pushedRequests', isNot(pushedRequests), 'needs pushed requests'],
    ['dpop', isNot(dpop), 'needs tokens that are bound to keys'],
    ['dpop.algorithms', typeof dpop === 'object' && foreign(dpop.algorithms), `has ${fapiAlgorithms.join(', ')}`],
    ['jwtAlgorithms', foreign([options.jwtAlgorithms ?? [], options.jwtAlgorithm ?? []].flat()), `has ${fapiAlgorithms.join(', ')}`],
    ['bearerMethods', options.bearerMethods?.some(method => method !== 'header') === true, 'takes tokens in the header only'],
    ['ttl.code', (codeTtl(options) ?? 0) > longestCode, `has codes of ${longestCode} seconds at most`],
    ['allowInsecureRedirects', options.allowInsecureRedirects === true, 'needs https']
  ]
  const wrong = rules.find(([, isWrong]) => isWrong)
  if (wrong !== undefined) {
    throw new InvalidOptionsError(`the option "${wrong[0]}" contradicts the profile fapi2, which ${wrong[2]}.`)
  }
}
