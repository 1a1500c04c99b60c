import type { FolderRule } from '../rule.js'

export const trustProxy: FolderRule = {
  needsFolder: true,
  code: 'FBK_AUDIT_TRUST_PROXY',
  severity: 'medium',
  title: 'Every client may say by X-Forwarded-For which address it has',
  why: 'Limits per address, and log lines, then count the address that the attacker makes up, a new one with each request.',
  find ({ configuration: { settings }, sources }) {
    const trusted = settings['trust proxy']
    if (typeof trusted === 'number' && trusted > 0) {
      const what = `The last ${trusted === 1 ? 'address' : `${trusted} addresses`} of X-Forwarded-For ${trusted === 1 ? 'is' : 'are'} believed, whoever sent the request: clients that reach this server past the proxy choose theirs.`
      return [
        { ...sources.config('config', ['trust proxy']), severity: 'low', what, fix: '"trust proxy": "127.0.0.1"' }
      ]
    }
    if (trusted !== true) return []
    return [
      {
        ...sources.config('config', ['trust proxy']),
        what: 'The headers of every proxy are believed, and of everybody who pretends to be one.',
        fix: '"trust proxy": "127.0.0.1"'
      }
    ]
  }
}
