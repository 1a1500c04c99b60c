import { builtinGuarded } from '@fastback/acl/review'
import type { AuditRule } from '../rule.js'
import { isOpenTo, some } from '../rows.js'

export const builtinOpen: AuditRule = {
  code: 'FBK_AUDIT_BUILTIN_OPEN',
  severity: 'high',
  title: 'A published model of tokens, roles, rules or applications that callers without a role may use',
  why: 'Who may write these rows gives themselves every right; who may read tokens acts for other people.',
  find ({ enforced, models, sources }) {
    if (!enforced) return []
    return models.flatMap(({ Model, name, methods }) => {
      const open =
        builtinGuarded(Model) === undefined ? [] : methods.filter(review => isOpenTo(review, 'anonymous', 'user'))
      if (open.length === 0) return []
      const what = `${name} is published, and callers without a role may call ${some(open.map(({ method }) => method.name))}.`
      return [{ ...sources.config('model-config', [name, 'public']), what, fix: '"public": false' }]
    })
  }
}
