import { userModels } from '@fastback/auth/service'
import type { AuditRule } from '../rule.js'

/** Seconds: longer than this is as good as no end. */
const tenYears = 315_569_260

export const eternalTokens: AuditRule = {
  code: 'FBK_AUDIT_ETERNAL_TOKENS',
  severity: 'medium',
  title: 'Access tokens that do not end',
  why: 'A token that is stolen, or that somebody forgot, opens the account for ever; a login with {"ttl": -1} asks for one.',
  find ({ enforced, registry, sources }) {
    if (!enforced) return []
    return userModels(registry).flatMap(Model => {
      const { allowEternalTokens, maxTTL } = Model.settings
      const key = allowEternalTokens === true ? 'allowEternalTokens' : Number(maxTTL) > tenYears ? 'maxTTL' : undefined
      if (key === undefined) return []
      const what =
        key === 'maxTTL'
          ? `A token of ${Model.modelName} may last ${Math.floor(Number(maxTTL) / 31_556_926)} years.`
          : `Everyone who logs in as ${Model.modelName} may ask for a token that never expires.`
      return [
        {
          ...sources.model(Model, [key]),
          what,
          fix: key === 'maxTTL' ? '"maxTTL": 31556926' : '"allowEternalTokens": false'
        }
      ]
    })
  }
}
