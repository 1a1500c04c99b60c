import type { AuditRule } from '../rule.js'
import { some } from '../rows.js'

export const methodWithoutRule: AuditRule = {
  code: 'FBK_AUDIT_METHOD_WITHOUT_RULE',
  severity: 'low',
  title: 'Methods of which no row speaks, on a model that has rows',
  why: 'They are open to everybody by default. A row that says so shows that it is meant; one that denies closes them, and what is added later.',
  find ({ enforced, models, sources }) {
    if (!enforced) return []
    return models.flatMap(({ Model, name, methods }) => {
      const open = methods.filter(({ plan }) => plan.rules.length === 0 && plan.otherwise !== 'DENY')
      if (open.length === 0 || open.length === methods.length) return []
      const reading = open.every(({ operation }) => operation.accessType === 'READ')
      return [
        {
          ...sources.model(Model, ['acls']),
          severity: reading ? ('low' as const) : ('medium' as const),
          what: `Everybody may call ${some(open.map(({ method }) => method.name))} of ${name}: no row speaks of ${open.length === 1 ? 'it' : 'them'}.`,
          fix: `{ "principalType": "ROLE", "principalId": "$everyone", "permission": "${reading ? 'ALLOW", "accessType": "READ' : 'DENY'}" }`
        }
      ]
    })
  }
}
