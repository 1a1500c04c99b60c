/**
 * `@fastback/acl`: access control lists, roles and principals, checked on every shared method.
 */
export { acl, acl as default } from './plugin.js'
export type { AclOptions } from './options.js'
export {
  explainAccess, type ConsideredRule, type ExplainedRows, type Explanation, type Question
} from './explain.js'
export { type CallerKind, type MethodReview } from './review.js'
export { type Permission, type Rule } from './rules/rule.js'
export type { Decision } from './rules/decision.js'
export { type OwnerKeys } from './roles/owner-key.js'
export { installAclModels, aclModels } from './models/index.js'
export type { Resolver, ResolverContext } from './roles/resolver.js'
export * as errors from './errors.js'
export { aclService, type AclService } from './service.js'
export type { AclTypes, PrincipalQuery, RoleMappingTypes, RoleTypes, ScopeTypes } from './models/types.js'
export { boot } from './boot.js'
