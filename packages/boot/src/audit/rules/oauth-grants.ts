import type { FolderRule } from '../rule.js'
import { providerOf } from './oauth2.js'

const deprecated = { implicit: 'implicit', password: 'resourceOwnerPasswordCredentials' } as const

export const oauthGrants: FolderRule = {
  needsFolder: true,
  code: 'FBK_AUDIT_OAUTH_GRANTS',
  severity: 'medium',
  title: 'OAuth grants that RFC 9700 forbids are on',
  why: 'The implicit grant puts tokens in addresses; the password grant teaches users to give their password to other programs.',
  find (subject) {
    const provider = providerOf(subject)
    if (provider === undefined || !provider.settings.authorizationServer) return []
    const on = Object.entries(deprecated)
      .filter(([grant]) => provider.settings.grants.has(grant as 'implicit'))
      .map(([, name]) => name)
    if (on.length === 0) return []
    return [
      {
        ...provider.place('supportedGrantTypes'),
        what: `${on.length === 1 ? 'This grant is' : 'These grants are'} on: ${on.join(', ')}.`,
        fix: '"supportedGrantTypes": ["authorizationCode", "refreshToken", "clientCredentials"]'
      }
    ]
  }
}
