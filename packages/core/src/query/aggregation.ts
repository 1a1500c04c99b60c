/** What an aggregate asks for, once it has been read and checked. */
import type { Condition, GroupTerm, OrderTerm, PropertyPath, RelatedValue } from './ast.js'
import { bothConditions } from './merge.js'

/** The functions of aggregates. All but `count` of rows leave null and missing values out. */
export type AggregateFunction = 'count' | 'countDistinct' | 'sum' | 'avg' | 'min' | 'max'

/** One value of each group. */
export interface AggregateTerm {
  /** Its name in the result. */
  readonly name: string
  readonly fn: AggregateFunction
  /** Undefined: the rows themselves are counted. */
  readonly path: PropertyPath | undefined
}

/** The part of an aggregate that a store may answer (`Connector.aggregate`). */
export interface Aggregation {
  readonly where: Condition | undefined
  readonly groups: readonly GroupTerm[]
  readonly values: readonly AggregateTerm[]
}

/** The rest: conditions, order and page of the results. Paths are names of groups and values. */
export interface AggregatePage {
  readonly having: Condition | undefined
  readonly order: readonly OrderTerm[]
  readonly limit: number | undefined
  readonly skip: number
}

/** The conditions that name the relations which groups lead through, as one; undefined: none does. */
export const relatedOf = (groups: readonly GroupTerm[]): Condition | undefined =>
  groups.flatMap(({ value }) => isRelatedValue(value) ? [value.condition] : [])
    .reduce<Condition | undefined>(bothConditions, undefined)

/** Whether a value lies in a related row. */
export const isRelatedValue = (value: PropertyPath | RelatedValue): value is RelatedValue => 'relations' in value
