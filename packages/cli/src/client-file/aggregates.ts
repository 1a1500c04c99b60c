/** `aggregate` of a client: names are those of the model, and the rows of the result follow from the request. */
import { listOperators, operatorGroups, operatorOptions, type OperatorName } from '@fastback/core/query'
import type { OpenApiDocument, Operation, Schema } from '@fastback/explorer'
import { key, text } from '../source-text.js'
import { typeName } from '../models-file/schema-text.js'
import { bodyOf, filterSchema, refName, successOf } from './described.js'

/**
 * The schema that an operation groups rows by.
 * @returns the name among the components; undefined for any other operation, also one that is called `aggregate`
 */
export function aggregateSchemaOf (operation: Operation, { components }: OpenApiDocument): string | undefined {
  const name = refName(filterSchema(operation))
  const { groupBy, having } = (components.schemas[name ?? '']?.properties ?? {}) as Record<string, Schema>
  return groupBy === undefined || having === undefined ? undefined : name
}

/** The type of the function: rows, conditions and kinds of values of the model's lists, where it has any. */
export function aggregateCall (model: string, { paths, components: { schemas } }: OpenApiDocument): string {
  const find = Object.values(paths).flatMap(item => Object.values(item))
    .find(({ operationId, tags }) => tags[0] === model && /^find(?:\.get\d*)?$/.test(operationId.slice(model.length + 1)))
  const row = find === undefined ? undefined : refName(bodyOf(successOf(find))?.items as Schema | undefined)
  const filter = find === undefined ? undefined : refName(filterSchema(find))
  const where = refName((schemas[filter ?? '']?.properties as Record<string, Schema> | undefined)?.where)
  if (row === undefined || where === undefined) return 'AggregateCall<Record<string, unknown>, Record<string, unknown>, {}>'
  const kinds = Object.entries((schemas[row]?.properties ?? {}) as Record<string, Schema>).flatMap(([name, schema]) => {
    const kind = kindOf(schema)
    return kind === undefined ? [] : [`${key(name)}: ${text(kind)}`]
  })
  return `AggregateCall<${typeName(row)}, ${typeName(where)}, ${kinds.length === 0 ? '{}' : `{ ${kinds.join(', ')} }`}>`
}

/** What a text is besides a text: dates have periods, decimals have sums. */
function kindOf ({ format, anyOf }: Schema): 'date' | 'decimal' | undefined {
  if (format === 'date-time') return 'date'
  if (format === 'decimal') return 'decimal'
  return (anyOf as Schema[] | undefined)?.map(kindOf).find(kind => kind !== undefined)
}

const union = (names: readonly string[]): string => names.map(text).join(' | ')

/** Those that compare with one value. */
const scalarOperators = [...operatorGroups.equality, ...operatorGroups.ranges].filter((name: OperatorName) =>
  name !== 'exists' && !listOperators.some(each => each === name))

export const aggregateTypes = `type AggregateValue<Row, K> = K extends keyof Row ? unknown extends Row[K] ? unknown : NonNullable<Row[K]> : K extends \`\${infer R}.\${infer P}\` ? R extends keyof Row ? AggregateValue<NonNullable<Row[R]>, P> : unknown : unknown
type AggregateName<Row> = { [K in keyof Row & string]-?: unknown extends Row[K] ? K : NonNullable<Row[K]> extends object ? never : K }[keyof Row & string]
/** Into objects and into rows of relations to one row. */
type AggregatePath<Row> = { [K in keyof Row & string]-?: unknown extends Row[K] ? never : NonNullable<Row[K]> extends readonly unknown[] ? never : NonNullable<Row[K]> extends object ? \`\${K}.\${AggregateInner<NonNullable<Row[K]>>}\` : never }[keyof Row & string]
type AggregateInner<Row> = string extends keyof Row ? string : AggregateName<Row> | \`\${string}.\${string}\`
type AggregateKind<Row, Kinds, Kind> = string extends keyof Row ? string : { [K in keyof Kinds]: Kinds[K] extends Kind ? K : never }[keyof Kinds]
type AggregateNumber<Row> = { [K in keyof Row & string]-?: number extends Row[K] ? K : NonNullable<Row[K]> extends number ? K : never }[keyof Row & string]
type AggregateSummed<Row, Kinds> = AggregateNumber<Row> | AggregateKind<Row, Kinds, 'decimal'> | AggregatePath<Row>
type AggregateGroup<Row> = AggregateName<Row> | AggregatePath<Row> | { readonly [name: string]: string }
type AggregateTotal<Row, Kinds> =
  | { readonly count: '*' | (keyof Row & string) | AggregatePath<Row> }
  | { readonly countDistinct: AggregateName<Row> | AggregatePath<Row> }
  | { readonly sum: AggregateSummed<Row, Kinds> }
  | { readonly avg: AggregateSummed<Row, Kinds> }
  | { readonly min: AggregateName<Row> | AggregatePath<Row> }
  | { readonly max: AggregateName<Row> | AggregatePath<Row> }

type AggregateGroups<G> = G extends readonly unknown[] ? G[number] : G
type AggregateDated<G> = G extends object ? Exclude<keyof G, 'timeZone'> & string : never
type AggregateResult<Row, T> =
  T extends { readonly count: unknown } | { readonly countDistinct: unknown } ? number
    : T extends { readonly min: infer K } | { readonly max: infer K } ? AggregateValue<Row, K> | null
      : T extends { readonly avg: infer K } ? (AggregateValue<Row, K> extends string ? string : number) | null
        : T extends { readonly sum: infer K } ? (AggregateValue<Row, K> extends number ? number : AggregateValue<Row, K>) | null
          : never
type AggregateColumns<Row, G, A> = { [K in Extract<AggregateGroups<G>, string>]: AggregateValue<Row, K> | null } & {
  [K in AggregateDated<AggregateGroups<G>>]: string | null
} & { -readonly [N in keyof A]: AggregateResult<Row, A[N]> }
/** One object of the result. */
export type AggregatedRow<Row, G, A> = { [K in keyof AggregateColumns<Row, G, A>]: AggregateColumns<Row, G, A>[K] }

type AggregateCondition<V> = V | null | ({
  readonly [O in ${union(scalarOperators)}]?: V | null
} & {
  readonly [O in ${union(listOperators)}]?: ReadonlyArray<V | null>
} & {
  readonly [O in ${union([...operatorGroups.patterns, ...operatorOptions.patterns])}]?: string
})
type AggregateHaving<Result> = { readonly [K in keyof Result]?: AggregateCondition<NonNullable<Result[K]>> } & {
  readonly [B in 'and' | 'or' | 'nor']?: ReadonlyArray<AggregateHaving<Result>>
}
type AggregateOrder<Result> = (keyof Result & string) | \`\${keyof Result & string} \${'ASC' | 'DESC' | 'asc' | 'desc'}\`
type AggregatePeriod<Row, Kinds, G> = G extends string ? unknown : {
  [K in keyof G]: K extends 'timeZone' ? string
    : K extends AggregateKind<Row, Kinds, 'date'> | \`\${string}.\${string}\` ? 'year' | 'quarter' | 'month' | 'week' | 'day' | 'hour' : never
}
type AggregatePeriods<Row, Kinds, G> = G extends readonly unknown[] ? { [I in keyof G]: AggregatePeriod<Row, Kinds, G[I]> } : AggregatePeriod<Row, Kinds, G>
/** Nothing is inferred from what is checked. */
type AggregateGiven<T> = [T][T extends unknown ? 0 : never]

/** What an aggregate asks for; without \`groupBy\` all rows are one group. */
export interface AggregateRequest<Row, Where, Kinds, G, A> {
  readonly where?: Where
  /** Properties, paths into objects and related rows ('customer.city'), dates by their period: { at: 'month' } */
  readonly groupBy?: G & AggregatePeriods<Row, Kinds, AggregateGiven<G>>
  /** By name: { total: { sum: 'amount' }, n: { count: '*' } } */
  readonly aggregate?: A
  /** A condition on the results, by the names of groups and aggregates. */
  readonly having?: AggregateHaving<AggregatedRow<Row, AggregateGiven<G>, AggregateGiven<A>>>
  readonly order?: AggregateOrder<AggregatedRow<Row, AggregateGiven<G>, AggregateGiven<A>>> | ReadonlyArray<AggregateOrder<AggregatedRow<Row, AggregateGiven<G>, AggregateGiven<A>>>>
  readonly limit?: number
  readonly skip?: number
  readonly offset?: number
  /** Whose days, months … dates are grouped by. Default: UTC. */
  readonly timeZone?: string
}

/** Groups rows. The objects of the result have the members that the request names. */
export interface AggregateCall<Row, Where, Kinds> {
  <const G extends AggregateGroup<Row> | ReadonlyArray<AggregateGroup<Row>> = never, const A extends { readonly [name: string]: AggregateTotal<Row, Kinds> } = {}>(parameters: { filter: AggregateRequest<Row, Where, Kinds, G, A> }, options?: CallOptions): Promise<Array<AggregatedRow<Row, G, A>>>
}`
