/** Methods that are no built-in ones with a field of their own: those of applications, relations and scopes. */
import type { JsonSchema, ModelClass } from '@fastback/core'
import type { DescribedArgument, PublishedRoute } from '@fastback/rest'
import {
  GraphQLBoolean, GraphQLFloat, GraphQLList, GraphQLNonNull, GraphQLString,
  type GraphQLFieldConfigArgumentMap, type GraphQLInputType, type GraphQLOutputType, type GraphQLResolveInfo
} from 'graphql'
import { callMethod, memberOf, type CallContext } from '../execution/call.js'
import { planOf } from '../execution/plan.js'
import { withRelations } from '../execution/read.js'
import { described } from './data-types.js'
import type { ModelEntry } from './entries.js'
import { idType } from './id-type.js'
import type { FieldParts } from './model-fields.js'
import { isName, lowerFirst, nameOf, upperFirst } from './names.js'
import type { Field } from './object-types.js'
import { writeArguments, writeHeaders } from './write-arguments.js'

/** Entries of models by their names. */
export type EntryNamed = (name: string) => ModelEntry | undefined

/** The name of a method's field: `noteGreet`, `noteCreateComments`. */
export const methodFieldName = ({ name: model }: ModelEntry, { method: { name } }: PublishedRoute): string =>
  lowerFirst(model) + nameOf(name).split('_').filter(part => part !== '').map(upperFirst).join('')

/** An argument of a field, and where the route takes it. */
interface RouteArgument extends Pick<DescribedArgument, 'name' | 'required' | 'schema' | 'description'> {
  readonly in: DescribedArgument['in'] | 'data'
}

/** The field of a method; undefined, with why, where an argument has no name in GraphQL. */
export function methodField (
  entry: ModelEntry, route: PublishedRoute, parts: FieldParts, named: EntryNamed
): Field | string {
  const all = argumentsOf(route)
  const unnamed = all.find(({ name }) => !isName(name) || name === 'idempotencyKey' || name === 'ifVersion')
  if (unnamed !== undefined) return `GraphQL does not take its argument "${unnamed.name}"`
  const args: GraphQLFieldConfigArgumentMap = Object.fromEntries(all.map(argument => {
    const type = argumentType(entry, route, argument, parts, named)
    return [argument.name, {
      type: argument.required ? new GraphQLNonNull(type) : type,
      ...(argument.description === undefined ? {} : { description: argument.description })
    }]
  }))
  const result = resultOf(route, parts, named)
  return {
    type: result.type,
    ...described(route),
    args: { ...args, ...writeArguments(entry, route) },
    resolve: async (_, given: Record<string, unknown>, context, info) => {
      const { value } = await callMethod(context, route, valuesOf(all, given))
      return await result.read(value, context, info)
    }
  }
}

function argumentsOf (route: PublishedRoute): RouteArgument[] {
  const { body, method } = route
  const own: RouteArgument[] = route.arguments.filter(({ name, in: where }) => where !== 'header' || isName(name))
  if (body === undefined) return own
  const whole = method.accepts.find(({ http }) =>
    typeof http === 'object' && http !== null && 'source' in http && http.source === 'body')
  if (whole !== undefined) {
    return [...own, { name: whole.arg, in: 'data', required: body.required, schema: body.schema, description: undefined }]
  }
  const { properties = {}, required = [] } = body.schema as {
    properties?: Record<string, JsonSchema>, required?: string[]
  }
  return [...own, ...Object.entries(properties).map(([name, schema]): RouteArgument => (
    { name, in: 'form', required: required.includes(name), schema, description: schema.description as string | undefined }
  ))]
}

function argumentType (
  entry: ModelEntry, { method, body }: PublishedRoute, argument: RouteArgument, parts: FieldParts, named: EntryNamed
): GraphQLInputType {
  if (argument.in === 'path' && argument.name === 'id') return idType(entry, parts)
  const schema = method.accepts.find(({ arg }) => arg === argument.name)?.modelSchema
  const target = schema === undefined ? undefined : named(schema.model)
  if (schema !== undefined && target !== undefined && body !== undefined) {
    return parts.data.of(target, schema, body.schema, method)
  }
  return typeOf(argument.schema, parts)
}

function typeOf (schema: JsonSchema, parts: FieldParts): GraphQLInputType & GraphQLOutputType {
  const { common } = parts.values
  switch (schema.type) {
    case 'string':
      if (schema.format === 'date-time') return common.DateTime
      return schema.format === 'date' ? common.Date : GraphQLString
    case 'integer': return schema.format === 'int64' ? common.BigInt : common.SafeInt
    case 'number': return GraphQLFloat
    case 'boolean': return GraphQLBoolean
    case 'array': return new GraphQLList(typeOf((schema.items ?? {}) as JsonSchema, parts))
    default: return common.JSON
  }
}

function valuesOf (all: readonly RouteArgument[], given: Readonly<Record<string, unknown>>) {
  const of = (...where: Array<RouteArgument['in']>): Record<string, unknown> => Object.fromEntries(
    all.filter(each => where.includes(each.in) && given[each.name] !== undefined).map(({ name }) => [name, given[name]])
  )
  const header = Object.fromEntries(
    Object.entries(of('header')).map(([name, value]) => [name.toLowerCase(), String(value)])
  )
  const form = of('form')
  const [data] = Object.values(of('data'))
  return {
    path: of('path'),
    query: of('query'),
    headers: { ...header, ...writeHeaders(given) },
    ...(data !== undefined ? { body: data } : Object.keys(form).length === 0 ? {} : { body: form })
  }
}

interface Result {
  readonly type: GraphQLOutputType
  /** From the value of the response to that of the field. */
  read (value: unknown, context: CallContext, info: GraphQLResolveInfo): unknown
}

function resultOf ({ method, response }: PublishedRoute, parts: FieldParts, named: EntryNamed): Result {
  const { common } = parts.values
  const inBody = method.returns.filter(({ http }) => http?.target === undefined)
  const [only, ...others] = inBody
  if (only === undefined) return { type: GraphQLBoolean, read: () => true }
  if (only.root !== true) {
    // One result that has a name is the value itself.
    const name = only.arg ?? 'result'
    const { properties = {} } = (response.schema ?? {}) as { properties?: Record<string, JsonSchema> }
    return others.length === 0
      ? { type: typeOf(properties[name] ?? {}, parts), read: value => memberOf({ value }, name) ?? null }
      : { type: common.JSON, read: value => value }
  }
  const isList = Array.isArray(only.type)
  const entry = entryOf(isList ? (only.type as unknown[])[0] : only.type, named)
  if (entry === undefined) return { type: typeOf(response.schema ?? {}, parts), read: value => value }
  return {
    type: isList ? new GraphQLList(entry.type) : entry.type,
    read: (value, context, info) => withRelations(context, planOf(info, entry, info.fieldNodes), value)
  }
}

const entryOf = (type: unknown, named: EntryNamed): ModelEntry | undefined =>
  named(typeof type === 'function' ? (type as unknown as ModelClass).modelName : String(type))
