/**
 * The operators of conditions: the one list of them (security.md, S-20). What reads, types, describes or explains them
 * is typed by names from here, so that a new operator is an error of the compiler wherever it is missing.
 */

/** By the values that they can be applied to. */
export const operatorGroups = {
  /** Every value. */
  equality: ['eq', 'neq', 'inq', 'nin', 'exists'],
  /** Values that have an order. */
  ranges: ['gt', 'gte', 'lt', 'lte', 'between'],
  /** Texts. */
  patterns: ['like', 'nlike', 'ilike', 'nilike', 'regexp'],
  /** Points on the earth. */
  distances: ['near']
} as const

/** Keys next to an operator, which say more about it and are no operators themselves. */
export const operatorOptions = {
  patterns: ['options'],
  distances: ['maxDistance', 'minDistance', 'unit']
} as const

/** Operators whose operand is a list. */
export const listOperators = ['inq', 'nin', 'between'] as const satisfies readonly OperatorName[]

export type OperatorGroup = keyof typeof operatorGroups
/** An operator: of one group, or any. */
export type OperatorName<G extends OperatorGroup = OperatorGroup> = typeof operatorGroups[G][number]
/** A key that says more about an operator. */
export type OperatorOption<G extends keyof typeof operatorOptions = keyof typeof operatorOptions> =
  typeof operatorOptions[G][number]

/** `T`, which has a member for each of the names: the compiler refuses one that lacks a name. */
export type Covering<Names extends keyof T, T> = [Names] extends [keyof T] ? T : never

export const operatorNames: readonly OperatorName[] = Object.values(operatorGroups).flat()
export const operatorOptionNames: readonly OperatorOption[] = Object.values(operatorOptions).flat()
