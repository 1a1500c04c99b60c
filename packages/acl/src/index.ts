/**
 * `@fastback/acl`: access control lists, roles and principals, checked on every shared method.
 */
export { acl, acl as default } from './plugin.js'
export type { AclOptions } from './options.js'
export { explainAccess, type ConsideredRule, type Explanation, type Question } from './explain.js'
export { allowedWithout, reviewAccess, reviewOperation, type CallerKind, type MethodReview } from './review.js'
export { ruleOf, isExecuteForAll, type Permission, type Rule } from './rules/rule.js'
export { isAllowed, type Decision } from './rules/decide.js'
export { takesOwnerFromToken } from './guard/owner-from-token.js'
export { ownerKeys, type OwnerKeys } from './roles/owner-key.js'
export { asksRelated } from './guard/include-rules.js'
export { builtinGuarded } from './warnings.js'
export { installAclModels, aclModels } from './models/index.js'
export type { Resolver, ResolverContext } from './roles/resolver.js'
export * as errors from './errors.js'
export { aclService, type AclService } from './service.js'
export { boot } from './boot.js'
