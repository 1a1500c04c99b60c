/** What an aggregate asks for, once it has been read and checked. */
import type { Condition, OrderTerm, PropertyPath, RelatedValue } from './ast.js'
import type { PropertyType } from '../properties/types.js'

/** The periods that dates can be grouped by; weeks begin on Monday (ISO 8601). */
export type Period = 'year' | 'quarter' | 'month' | 'week' | 'day' | 'hour'

/** The functions of aggregates. All but `count` of rows leave null and missing values out. */
export type AggregateFunction = 'count' | 'countDistinct' | 'sum' | 'avg' | 'min' | 'max'

/** What rows are grouped by. */
export interface GroupTerm {
  /** Its name in the result. */
  readonly name: string
  /** Where the value lies: in the row, or in a related one. */
  readonly value: PropertyPath | RelatedValue
  readonly type: PropertyType
  /** For dates: the instant at which this period of the date begins is what counts. */
  readonly period?: Period
  /** IANA name of the time zone whose days, weeks … these are. Default: UTC. */
  readonly timeZone?: string
}

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

/** Whether a value lies in a related row. */
export const isRelatedValue = (value: PropertyPath | RelatedValue): value is RelatedValue => 'relations' in value
