import type { AuditRule } from '../rule.js'

export const trustProxy: AuditRule = {
  code: 'FBK_AUDIT_TRUST_PROXY',
  severity: 'medium',
  title: 'Every client may say by X-Forwarded-For which address it has',
  why: 'Limits per address, and log lines, then count the address that the attacker makes up, a new one with each request.',
  find ({ configuration: { settings }, sources }) {
    if (settings['trust proxy'] !== true) return []
    return [{ ...sources.config('config', ['trust proxy']), what: 'The headers of every proxy are believed, and of everybody who pretends to be one.', fix: '"trust proxy": "127.0.0.1"' }]
  }
}
