/** Where the endpoints are. */
import { InvalidOptionsError } from './errors.js'
import { extensionPaths } from './extension-options.js'
import { openIdPaths } from './openid/options.js'
import type { OAuth2Options } from './options-schema.js'
import { accountPath } from './pages/settings.js'
import type { Settings } from './settings.js'

type Paths = Settings['paths']

/**
 * The paths of all endpoints; undefined for those that are off.
 * @param sessions whether people log in here: pages are for them
 * @throws FBK_OAUTH2_INVALID_OPTIONS where two have the same
 */
export function pathsOf (options: OAuth2Options, sessions: boolean): Paths {
  const path = (given: string | false): string | undefined => given === false ? undefined : given
  const page = (given: string | false | undefined): string | undefined => sessions ? path(given ?? false) : undefined
  const isServer = options.authorizationServer !== false
  const openId = openIdPaths(isServer ? options.openid : false)
  const paths: Paths = {
    authorize: page(options.authorizePath ?? '/oauth/authorize'),
    token: path(options.tokenPath ?? '/oauth/token'),
    decision: page(options.decisionPath ?? '/oauth/authorize/decision'),
    login: page(options.loginPath ?? '/login'),
    logout: page(options.logoutPath ?? '/logout'),
    revoke: path(options.revokePath ?? '/oauth/revoke'),
    introspect: path(options.introspectPath ?? '/oauth/introspect'),
    metadata: path(options.metadataPath ?? '/.well-known/oauth-authorization-server'),
    configuration: openId.configuration,
    jwks: openId.jwks ?? (isServer ? jwksPath(options) : undefined),
    userinfo: openId.userinfo,
    endSession: page(openId.endSession),
    grants: page(openId.grants),
    account: page(isServer && accountPath(options.pages)),
    ...extensionPaths(options)
  }
  refuseShared(paths)
  return paths
}

/** Others verify tokens that we sign: the keys are published without OpenID Connect, too (OI-01). */
const jwksPath = ({ jwtAccessTokens: jwt }: OAuth2Options): string | undefined =>
  jwt === undefined || jwt === false ? undefined : (jwt === true ? undefined : jwt.jwksPath) ?? '/oauth/jwks'

function refuseShared (paths: Paths): void {
  const used = new Map<string, string>()
  for (const [endpoint, path] of Object.entries(paths)) {
    if (path === undefined) continue
    const option = endpoint === 'account' ? 'accountPage' : `${endpoint}Path`
    const other = used.get(path)
    if (other !== undefined) {
      throw new InvalidOptionsError(`the option "${option}" is "${path}", which is the path of "${other}", too.`)
    }
    used.set(path, option)
  }
}
