import { aclService, type Rule } from '@fastback/acl'
import type { Subject } from '../subject.js'

/** Whether everybody whom a rule fits has a user or an application. Roles that code works out may fit anybody. */
export function isLoggedIn ({ principalType, principalId }: Rule, { registry }: Subject): boolean {
  if (principalType !== 'ROLE') return principalType !== 'SCOPE'
  return !['$everyone', '$unauthenticated'].includes(principalId) && !aclService(registry).resolvers.has(principalId)
}
