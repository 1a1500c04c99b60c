import type { FolderRule } from '../rule.js'
import type { Found, Severity } from '../finding.js'
import { providerOf } from './oauth2.js'

export const oauthWeakened: FolderRule = {
  needsFolder: true,
  code: 'FBK_AUDIT_OAUTH_WEAKENED',
  severity: 'medium',
  title: 'OAuth options that take a protection away',
  why: 'Codes and tokens then pass where others can read or use them: in addresses, logs and referrers, over plain HTTP, without a proof of who asked for them.',
  find (subject) {
    const provider = providerOf(subject)
    if (provider === undefined) return []
    const { settings, place } = provider
    const found: Found[] = []
    const report = (severity: Severity, key: string, what: string, fix: string): void => {
      found.push({ ...place(key), severity, what, fix })
    }
    if (settings.requirePkce === 'none') {
      report('high', 'requirePkce', 'Codes of public clients are given without PKCE.', '"requirePkce": "public"')
    }
    if (settings.allowInsecureRedirects) {
      report(
        'high',
        'allowInsecureRedirects',
        'Codes and tokens are sent to plain http addresses.',
        '"allowInsecureRedirects": false'
      )
    }
    if (settings.bearerMethods.has('query')) {
      report(
        'medium',
        'bearerMethods',
        'Tokens in addresses count; addresses end up in logs.',
        '"bearerMethods": ["header"]'
      )
    }
    if (settings.authorizationServer && settings.issuer === undefined) {
      report(
        'low',
        'issuer',
        'A client that sets the Host header of a request chooses the issuer.',
        '"issuer": "https://op.example"'
      )
    }
    return found
  }
}
