/** Puts an entry into the application: its way in, and its routes. */
import { BridgeFlow } from './bridge-flow.js'
import type { Entry } from './entry.js'
import { Flow } from './flow.js'
import { BridgeKind } from './kinds/bridge.js'
import type { Redirecting } from './kinds/kind.js'
import type { LdapKind } from './kinds/ldap.js'
import type { Logins } from './logins.js'
import { limited } from './rate-limit.js'
import type { Visit } from './visit.js'
import type { Installed } from './installed.js'

/** Loads what the entry needs, and nothing else. @throws FBK_LOGIN_INVALID_PROVIDER, FBK_LOGIN_PACKAGE_MISSING */
async function kindOf (logins: Logins, entry: Entry): Promise<Redirecting | LdapKind | undefined> {
  const warn = (message: string): void => { logins.registry.log.warn({ provider: entry.name }, message) }
  switch (entry.kind) {
    case 'oidc':
    case 'oauth2': {
      const { OAuthKind } = await import('./kinds/oauth.js')
      return new OAuthKind(entry)
    }
    case 'ldap': {
      const { LdapKind } = await import('./kinds/ldap.js')
      return await LdapKind.load(entry)
    }
    case 'saml': {
      const { SamlKind } = await import('./kinds/saml.js')
      return await SamlKind.load(entry, logins.states, warn)
    }
    default: return undefined
  }
}

/** @throws FBK_LOGIN_INVALID_PROVIDER, FBK_LOGIN_PACKAGE_MISSING */
export async function prepareEntry (logins: Logins, entry: Entry): Promise<Installed> {
  if (entry.kind === 'bridge') {
    const warn = (message: string): void => { logins.registry.log.warn({ provider: entry.name }, message) }
    const bridge = await BridgeKind.load(entry, name => logins.host.load(name), logins.settings.origin, warn)
    const { handle } = new BridgeFlow(logins, entry, bridge)
    return { entry, flow: undefined, begin: handle, finish: handle }
  }
  const kind = await kindOf(logins, entry)
  const flow = new Flow(logins, entry, kind)
  return entry.isDirect
    ? { entry, flow, begin: flow.direct, finish: flow.direct }
    : { entry, flow, begin: flow.begin, finish: flow.finish }
}

/**
 * The routes of an entry. They are there at once; what answers them may take a moment to be loaded.
 * @returns when it is loaded, or why it cannot be
 */
export function installEntry (logins: Logins, entry: Entry, prepared: Promise<Installed>,
  custom?: (visit: Visit) => Promise<void>): void {
  const { host } = logins
  logins.installed.set(entry.name, prepared)
  host.route(entry.authMethod, entry.authPath,
    limited(logins, entry, async visit => { await (await prepared).begin(visit) }))
  if (entry.isDirect) return
  host.route(entry.callbackMethod, entry.callbackPath, custom ??
    (async visit => { await (await prepared).finish(visit) }))
  if (entry.kind !== 'saml') return
  host.route('get', `${entry.authPath}/metadata`, async visit => {
    const kind = (await prepared).flow?.kind as Redirecting
    visit.text(200, 'application/samlmetadata+xml', await kind.metadata?.(new URL(entry.callbackURL, visit.origin).href) ?? '')
  })
}
