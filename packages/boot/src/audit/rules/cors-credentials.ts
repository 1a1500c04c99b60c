import type { AuditRule } from '../rule.js'
import { entriesOf, optionsAt } from './middleware.js'

/** An address that no application names. */
const stranger = 'https://stranger.invalid'

export const corsCredentials: AuditRule = {
  code: 'FBK_AUDIT_CORS_CREDENTIALS',
  severity: 'high',
  title: 'CORS lets pages of every origin send credentials',
  why: 'Any page that a logged-in user visits acts in that user\'s name, and reads the answers.',
  find (subject) {
    return entriesOf(subject, 'cors').flatMap(entry => {
      const { origin, credentials } = optionsAt(entry)
      if (credentials !== true || !letsIn(origin)) return []
      return [{ ...entry.place('params', 'origin'), what: 'Every origin may send credentials.', fix: '"origin": ["https://app.example"]' }]
    })
  }
}

const letsIn = (origin: unknown): boolean => origin === undefined || [origin].flat().some(each => each === true || each === '*' || each === 'null' || (each instanceof RegExp && each.test(stranger)))
