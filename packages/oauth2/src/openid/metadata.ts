/** What OpenID Connect adds to the metadata: one document for both places (OI-12 to OI-19). */
import { endpointUrl } from '../issuer.js'
import type { Settings } from '../settings.js'
import type { Claims } from './claims.js'
import type { OpenIdSettings } from './options.js'

interface Described {
  readonly server: Pick<Settings, 'paths' | 'grants'>
  readonly settings: OpenIdSettings
  readonly claims: Pick<Claims, 'names' | 'scopes'>
}

/** Members that are made here and of no property of a user. */
const ownClaims = ['sub', 'iss', 'aud', 'exp', 'iat', 'auth_time', 'acr', 'amr', 'sid']

/**
 * The members; those of what is switched off are undefined or empty.
 *
 * ```js
 * openIdMetadata({ server, settings, claims }, 'https://op.example', ['orders']).jwks_uri // 'https://op.example/oauth/jwks'
 * ```
 * @param scopes those that are stored
 */
export function openIdMetadata ({ server: { paths, grants }, settings, claims }: Described, issuer: string,
  scopes: readonly string[]): Record<string, unknown> {
  const url = (path: string | undefined): string | undefined =>
    path === undefined ? undefined : endpointUrl(issuer, path)
  const known = ['openid', ...claims.scopes, ...grants.has('refresh_token') ? ['offline_access'] : [], ...scopes]
  return {
    userinfo_endpoint: url(paths.userinfo),
    jwks_uri: url(paths.jwks),
    end_session_endpoint: url(paths.endSession),
    scopes_supported: [...new Set(known)],
    subject_types_supported: settings.pairwiseSecret === undefined ? ['public'] : ['public', 'pairwise'],
    id_token_signing_alg_values_supported: settings.signingAlgorithms,
    userinfo_signing_alg_values_supported: paths.userinfo === undefined ? [] : settings.signingAlgorithms,
    claims_supported: [...ownClaims, ...claims.names],
    claim_types_supported: ['normal'],
    acr_values_supported: settings.acrValues,
    prompt_values_supported: [
      'none', 'login', 'consent', 'select_account', ...settings.registrationPage === undefined ? [] : ['create']
    ],
    claims_parameter_supported: true,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
    ...(settings.frontchannelLogout
      ? { frontchannel_logout_supported: true, frontchannel_logout_session_supported: true }
      : {}),
    ...(settings.backchannelLogout
      ? { backchannel_logout_supported: true, backchannel_logout_session_supported: true }
      : {})
  }
}
