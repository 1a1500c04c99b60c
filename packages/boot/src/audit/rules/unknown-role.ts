import { aclService } from '@fastback/acl'
import { nearest } from '@fastback/core/remote'
import type { AuditRule } from '../rule.js'
import { describeRule, writtenRows } from '../rows.js'
import type { Subject } from '../subject.js'

const dynamic = ['$everyone', '$authenticated', '$unauthenticated', '$owner']

export const unknownRole: AuditRule = {
  code: 'FBK_AUDIT_UNKNOWN_ROLE',
  severity: 'medium',
  title: 'A row for a role that nobody can be in',
  why: 'The row fits nobody. A DENY row that was to keep somebody out keeps nobody out.',
  async find (subject) {
    const { resolvers } = aclService(subject.registry)
    const all = [...dynamic, ...resolvers.keys()]
    // Roles that are rows may be made at any time, where the model is there; those with a dollar sign are never rows.
    const mayBeRow = hasRoles(subject)
    const fitsNobody = (role: string): boolean => !all.includes(role) && (!mayBeRow || role.startsWith('$'))
    return (await writtenRows(subject))
      .filter(({ rule }) => rule.principalType === 'ROLE' && fitsNobody(rule.principalId))
      .map(({ rule, place }) => {
        const { principalId, permission } = rule
        const better = /"(.+)"/.exec(nearest(principalId, all))?.[1]
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

const hasRoles = ({ registry }: Subject): boolean =>
  registry.findModel('Role') !== undefined && (registry.getModelByType('Role')?.dataSource ?? null) !== null
