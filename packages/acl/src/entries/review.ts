/**
 * `@fastback/acl/review`: what rules allow without a request to ask for, for audits and explanations.
 */
export { accessMatrix, type MatrixLine } from '../matrix.js'
export { allowedWithout, reviewAccess, reviewOperation } from '../review.js'
export { ruleOf, isExecuteForAll } from '../rules/rule.js'
export { isAllowed } from '../rules/decide.js'
export { takesOwnerFromToken } from '../guard/owner-from-token.js'
export { ownerKeys } from '../roles/owner-key.js'
export { checksIncluded, checksRelated, includeAccessOf } from '../guard/related-access.js'
export { demandsOf, type Demand } from '../guard/related-demands.js'
export { hasRoleRows, isNobodys, missingMethods, namedRoles, ruleNamesOf } from '../rules/names.js'
export { principalTypesOf, voidParts } from '../rules/void.js'
export { comparedWithCaller } from '../rows/compared-with-caller.js'
export { tenantOf } from '../rows/narrowing.js'
export { rowPolicies, type RowPolicies } from '../row-security/row-policies.js'
export { builtinGuarded } from '../warnings.js'
