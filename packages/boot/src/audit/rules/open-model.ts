import { builtinGuarded } from '@fastback/acl/review'
import type { AuditRule } from '../rule.js'

export const openModel: AuditRule = {
  code: 'FBK_AUDIT_OPEN_MODEL',
  severity: 'high',
  title: 'A published model without any rule',
  why: 'What no rule decides is allowed to everybody, also without a token.',
  find ({ enforced, models, sources }) {
    if (!enforced) return []
    return models
      .filter(
        ({ Model, methods }) =>
          builtinGuarded(Model) === undefined &&
          methods.every(({ plan }) => plan.rules.length === 0 && plan.otherwise !== 'DENY')
      )
      .map(({ Model, name, methods }) => {
        const writes = methods.some(({ operation }) => operation.accessType === 'WRITE')
        return {
          ...sources.model(Model, ['acls']),
          severity: writes ? ('high' as const) : ('medium' as const),
          what: `Everybody may call every method of ${name}${writes ? ', those that write included' : ''}: no rule speaks of it.`,
          fix: '"acls": [{ "principalType": "ROLE", "principalId": "$everyone", "permission": "DENY" }]'
        }
      })
  }
}
