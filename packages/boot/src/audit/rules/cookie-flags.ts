import { isRecord } from '../../load/is-record.js'
import type { FolderRule } from '../rule.js'
import type { Found } from '../finding.js'
import { providerOf } from './oauth2.js'
import { entriesOf, optionsAt } from './middleware.js'

/** Packages that keep a session by a cookie. */
const sessions = ['express-session', 'cookie-session', 'client-sessions', '@fastify/session', '@fastify/secure-session']

export const cookieFlags: FolderRule = {
  needsFolder: true,
  code: 'FBK_AUDIT_COOKIE_FLAGS',
  severity: 'medium',
  title: 'Session cookies that scripts, other sites or listeners can have, or that nobody signs',
  why: 'A session cookie is a login. Without httpOnly every script of the page reads it, without secure every listener, unsigned it can be made up.',
  find (subject) {
    const found: Found[] = []
    for (const entry of entriesOf(subject, ...sessions)) {
      const options = optionsAt(entry)
      const keys = isRecord(options.cookie) ? ['cookie'] : []
      const cookie = isRecord(options.cookie) ? options.cookie : options
      const report = (key: string, what: string, fix: string): void => {
        found.push({ ...entry.place('params', ...keys, key), what: `The cookie of ${entry.written} ${what}.`, fix })
      }
      if (cookie.httpOnly === false) report('httpOnly', 'is readable by scripts', '"httpOnly": true')
      if (cookie.secure === false) report('secure', 'is sent without TLS', '"secure": true')
      if (String(cookie.sameSite).toLowerCase() === 'none') {
        report('sameSite', 'goes along with requests of other sites', '"sameSite": "lax"')
      }
      if (options.signed === false) {
        found.push({
          ...entry.place('params', 'signed'),
          what: `The cookie of ${entry.written} is not signed.`,
          fix: '"signed": true'
        })
      }
    }
    const provider = providerOf(subject)
    if (provider?.settings.session.secure === false) {
      found.push({
        ...provider.place('session', 'secure'),
        what: 'The cookie of the OAuth pages is sent without TLS.',
        fix: '"secure": true'
      })
    }
    return found
  }
}
