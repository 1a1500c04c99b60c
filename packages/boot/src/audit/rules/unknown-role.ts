import { hasRoleRows, isNobodys, namedRoles } from '@fastback/acl/review'
import { nearestName } from '@fastback/core/remote'
import type { AuditRule } from '../rule.js'
import { describeRule, writtenRows } from '../rows.js'

export const unknownRole: AuditRule = {
  code: 'FBK_AUDIT_UNKNOWN_ROLE',
  severity: 'medium',
  title: 'A row for a role that nobody can be in',
  why: 'The row fits nobody. A DENY row that was to keep somebody out keeps nobody out.',
  async find (subject) {
    const { registry } = subject
    const all = namedRoles(registry)
    const mayBeRow = hasRoleRows(registry)
    return (await writtenRows(subject))
      .filter(({ rule }) => rule.principalType === 'ROLE' && isNobodys(registry, rule.principalId))
      .map(({ rule, place }) => {
        const { principalId, permission } = rule
        const better = nearestName(principalId, all)
        return {
          ...place('principalId'),
          ...(permission === 'DENY' ? { severity: 'high' as const } : {}),
          what: `Nobody can be in the role "${principalId}" of "${describeRule(rule)}": no resolver${mayBeRow ? '' : ', and no model of roles,'} is there for it.`,
          fix:
            better === undefined
              ? `Role.registerResolver('${principalId}', (role, context) => …)`
              : `"principalId": "${better}"`
        }
      })
  }
}
