/** Which of several rules wins (behaviour.md, B-5.4). */
import type { Rule } from './rule.js'

const permissionRank = { ALLOW: 0, ALARM: 1, AUDIT: 2, DENY: 3 } as const

export function roleRank (role: string): number {
  switch (role) {
    case '$everyone': return 1
    case '$authenticated': case '$unauthenticated': return 2
    case '$related': return 3
    case '$owner': return 4
    default: return 5
  }
}

/**
 * A number that is greater for the rule that wins: by property, access type, kind of principal, role, permission, the
 * first difference deciding.
 */
function weightOf (rule: Rule): number {
  const principal = rule.principalType === 'ROLE' ? 1 : rule.principalType === 'APP' ? 2 : 3
  const role = rule.principalType === 'ROLE' ? roleRank(rule.principalId) : 0
  let weight = rule.methods === undefined ? 0 : 1
  weight = weight * 2 + (rule.accessType === undefined ? 0 : 1)
  weight = weight * 4 + principal
  weight = weight * 6 + role
  return weight * 4 + permissionRank[rule.permission]
}

/** The same but for the permission: rules of one rank that allow add up. */
export const rankOf = (rule: Rule): number => Math.floor(weightOf(rule) / 4)

/** The heaviest first. */
export const byWeight = (rules: readonly Rule[]): Rule[] => [...rules].sort((a, b) => weightOf(b) - weightOf(a))
