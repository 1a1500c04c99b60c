/** Totals, averages and counts by groups. */
import type { PublishedRoute } from '@fastback/rest'
import {
  GraphQLEnumType, GraphQLFloat, GraphQLInputObjectType, GraphQLInt, GraphQLList, GraphQLNonNull, GraphQLObjectType,
  GraphQLString, type GraphQLOutputType
} from 'graphql'
import { callMethod } from '../execution/call.js'
import { selectedFields } from '../execution/collect.js'
import { listOf } from '../execution/related.js'
import { described } from './data-types.js'
import type { ModelEntry } from './entries.js'
import { whereOf } from './filter-types.js'
import type { Field, TypeParts } from './object-types.js'

interface Group {
  /** What the rows are grouped by. */
  readonly names: readonly string[]
  readonly values: Readonly<Record<string, unknown>>
}

/** Values by property, and the kinds of properties that have them. */
const functions = {
  countOf: undefined,
  countDistinct: undefined,
  sum: ['number', 'integer', 'long', 'bigint', 'decimal'],
  avg: ['number', 'integer', 'long', 'bigint', 'decimal'],
  min: ['string', 'number', 'integer', 'long', 'bigint', 'decimal', 'date'],
  max: ['string', 'number', 'integer', 'long', 'bigint', 'decimal', 'date']
} as const
type FunctionName = keyof typeof functions

/** Of the names of types. */
const suffixes: Readonly<Record<FunctionName, string>> = {
  countOf: 'Counts', countDistinct: 'DistinctCounts', sum: 'Sums', avg: 'Averages', min: 'Minimums', max: 'Maximums'
}

const periods = ['year', 'quarter', 'month', 'week', 'day', 'hour']

/** The name of a result in the aggregate that REST is asked for. */
const nameOf = (fn: string, property: string): string => `${fn}_${property}`

/** The types of the argument `groupBy`, one for a schema. */
export const groupType = (): GraphQLInputObjectType => new GraphQLInputObjectType({
  name: 'GroupBy',
  fields: {
    by: { type: new GraphQLNonNull(GraphQLString), description: 'A property, or a path: "size.height", "shop.name".' },
    period: {
      type: new GraphQLEnumType({ name: 'Period', values: Object.fromEntries(periods.map(name => [name, {}])) }),
      description: 'Of dates.'
    },
    timeZone: { type: GraphQLString, description: 'Whose days, weeks and months count: "America/Lima". Default: UTC.' }
  }
})

export function aggregateField (entry: ModelEntry, route: PublishedRoute, parts: TypeParts): Field {
  const { JSON: json, SafeInt } = parts.values.common
  const byFunction = (Object.keys(functions) as FunctionName[]).flatMap(fn => {
    const type = valuesType(entry, fn, parts)
    return type === undefined ? [] : [[fn, type] as const]
  })
  const type = new GraphQLObjectType<Group>({
    name: parts.names.take(`${entry.name}Aggregate`),
    fields: {
      group: {
        type: new GraphQLNonNull(json),
        description: 'The values that the rows of this group have, by what they are grouped by.',
        resolve: ({ names, values }) => Object.fromEntries(names.map(name => [name, values[name]]))
      },
      count: { type: SafeInt, description: 'How many rows.', resolve: ({ values }) => values.count_ },
      ...Object.fromEntries(byFunction.map(([fn, values]) => [fn, { type: values, resolve: (group: Group) => group }]))
    }
  })
  return {
    type: new GraphQLList(new GraphQLNonNull(type)),
    ...described(route),
    args: {
      where: { type: parts.filters.where(entry) },
      groupBy: { type: new GraphQLList(new GraphQLNonNull(parts.groupBy)) },
      having: { type: json, description: 'A condition on groups, and on results by "sum_price", "count_".' },
      order: { type: new GraphQLList(new GraphQLNonNull(GraphQLString)), description: '"sum_price DESC"' },
      limit: { type: GraphQLInt },
      skip: { type: GraphQLInt }
    },
    resolve: async (_, args, context, info) => {
      const aggregate: Record<string, object> = {}
      for (const { name, nodes } of selectedFields(info, type, info.fieldNodes)) {
        if (name === 'count') aggregate.count_ = { count: '*' }
        const values = byFunction.find(([fn]) => fn === name)
        if (values === undefined) continue
        for (const { name: property } of selectedFields(info, values[1], nodes)) {
          aggregate[nameOf(name, property)] = { [name === 'countOf' ? 'count' : name]: property }
        }
      }
      const { where, groupBy, having, order, limit, skip } = args as Record<string, any>
      const { value } = await callMethod(context, route, {
        query: {
          filter: given({
            aggregate: Object.keys(aggregate).length === 0 ? undefined : aggregate,
            where: where === undefined || where === null ? undefined : whereOf(entry, where),
            groupBy: (groupBy as Grouping[] | null | undefined)?.map(groupOf), having, order, limit, skip
          })
        }
      })
      const names = ((groupBy ?? []) as Grouping[]).map(({ by }) => by)
      return listOf(value).map((values): Group => ({ names, values }))
    }
  }
}

interface Grouping { readonly by: string, readonly period?: string | null, readonly timeZone?: string | null }

const groupOf = ({ by, period, timeZone }: Grouping): unknown =>
  period === undefined || period === null ? by : given({ [by]: period, timeZone })

const given = (members: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== null))

const isDouble = (kind: string): boolean => kind === 'number' || kind === 'integer'

/** A field for each property that a function works on; undefined where there is none. */
function valuesType (entry: ModelEntry, fn: FunctionName, { values, names }: TypeParts): GraphQLObjectType | undefined {
  const kinds: readonly string[] | undefined = functions[fn]
  const { common } = values
  const fields = [...entry.properties.values()]
    .filter(({ type }) => kinds?.includes(type.kind) ?? true)
    .map(property => {
      const { output } = values.of(entry, property)
      const type: GraphQLOutputType = fn === 'countOf' || fn === 'countDistinct'
        ? common.SafeInt
        : fn === 'min' || fn === 'max' ? output : isDouble(property.type.kind) ? GraphQLFloat : common.Decimal
      return [property.name, { type, resolve: ({ values }: Group) => values[nameOf(fn, property.name)] }] as const
    })
  if (fields.length === 0) return undefined
  return new GraphQLObjectType({ name: names.take(entry.name + suffixes[fn]), fields: Object.fromEntries(fields) })
}
