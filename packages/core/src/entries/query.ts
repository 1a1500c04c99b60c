/**
 * `@fastback/core/query`: what conditions and orders mean, for who answers them away from the server. It loads nothing
 * of Node and no other package.
 */
export type { Comparison, Condition, ConditionValue, OrderTerm, PropertyOrder, PropertyPath } from '../query/ast.js'
export { conditionCompiler, nearOf } from '../query/conditions.js'
export { deepEqual } from '../query/equal.js'
export { metresPer } from '../query/geo.js'
export {
  listOperators, operatorGroups, operatorNames, operatorOptionNames, operatorOptions, type Covering, type OperatorGroup,
  type OperatorName, type OperatorOption
} from '../query/operator-names.js'
export { compileNearOrder, compileOrder } from '../query/order.js'
export { quantifiers } from '../query/quantifiers.js'
