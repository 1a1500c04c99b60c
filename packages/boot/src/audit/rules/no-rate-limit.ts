import { isRecord } from '../../load/is-record.js'
import type { FolderRule } from '../rule.js'
import type { Found } from '../finding.js'
import { providerOf } from './oauth2.js'

export const noRateLimit: FolderRule = {
  needsFolder: true,
  code: 'FBK_AUDIT_NO_RATE_LIMIT',
  severity: 'medium',
  title: 'Attempts at passwords and client secrets are not counted',
  why: 'Passwords can be guessed as fast as the server can hash them, which is work that it then does for nobody else.',
  find (subject) {
    const { configuration: { settings }, sources } = subject
    const found: Found[] = []
    if (isRecord(settings.auth) && settings.auth.rateLimit === false) {
      found.push({
        ...sources.config('config', ['auth', 'rateLimit']),
        what: 'Login, reset and verification have no limit.',
        fix: '"rateLimit": { "account": { "max": 20, "timeWindow": 60000 } }'
      })
    }
    const provider = providerOf(subject)
    if (provider !== undefined && provider.settings.rateLimit === undefined) {
      found.push({
        ...provider.place('rateLimit'),
        what: 'Failed attempts at the OAuth endpoints have no limit.',
        fix: '"rateLimit": { "max": 20, "window": 300 }'
      })
    }
    return found
  }
}
