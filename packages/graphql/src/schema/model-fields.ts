/** Queries and mutations of the built-in methods of a model. */
import type { PublishedRoute } from '@fastback/rest'
import {
  GraphQLBoolean, GraphQLInt, GraphQLList, GraphQLNonNull, type GraphQLInputType, type GraphQLResolveInfo
} from 'graphql'
import { callMethod, memberOf, type CallContext } from '../execution/call.js'
import { countOf } from '../execution/count.js'
import { planOf } from '../execution/plan.js'
import { builtinRoute, readRows, withRelations } from '../execution/read.js'
import { aggregateField } from './aggregates.js'
import { connectionField } from './connections.js'
import { described, type DataTypes } from './data-types.js'
import type { ModelEntry } from './entries.js'
import { whereOf } from './filter-types.js'
import { idType } from './id-type.js'
import { listArguments, listFilter, rowsArguments } from './list-arguments.js'
import { lowerFirst, nameOf, upperFirst } from './names.js'
import type { Field, TypeParts } from './object-types.js'
import { writeArguments, writeHeaders } from './write-arguments.js'

export interface FieldParts extends TypeParts {
  readonly data: DataTypes
}

/** Takes a field of Query or Mutation. */
export type AddField = (name: string, field: Field) => void

type Args = Readonly<Record<string, any>>

/** Names of the routes that have become a field. */
export type Used = Set<PublishedRoute['method']>

/** The queries of a model's built-in methods. */
export function addQueries (entry: ModelEntry, parts: FieldParts, add: AddField, used: Used): void {
  const one = lowerFirst(entry.name)
  const many = lowerFirst(nameOf(entry.Model.pluralModelName))
  const use = (builtin: string, make: (route: PublishedRoute) => void): void => {
    const route = builtinRoute(entry, builtin)
    if (route === undefined) return
    used.add(route.method)
    make(route)
  }
  use('findById', route => { add(one, byId(entry, route, parts)) })
  use('find', route => {
    add(many === one ? `${many}List` : many, {
      type: listOf(entry),
      ...described(route),
      args: listArguments(entry, parts.filters),
      resolve: async (_, args: Args, context, info) => {
        const { value } = await readRows(context, route, planFor(entry, info), { filter: listFilter(entry, args) })
        return value
      }
    })
    if (entry.Model.compiled.hasCursors) add(`${many}Connection`, connectionField(entry, route, parts))
  })
  use('findOne', route => {
    add(`first${upperFirst(one)}`, {
      type: entry.type,
      ...described(route),
      args: { ...rowsArguments(entry, parts.filters), skip: { type: GraphQLInt } },
      resolve: async (_, args: Args, context, info) => {
        const { value } = await readRows(context, route, planFor(entry, info), { filter: listFilter(entry, args) })
        return value
      }
    })
  })
  use('exists', route => {
    add(`${one}Exists`, {
      type: GraphQLBoolean,
      ...described(route),
      args: { id: idArgument(entry, parts) },
      resolve: async (_, { id }: Args, context) => memberOf(await callMethod(context, route, { path: { id } }), 'exists')
    })
  })
  use('count', route => {
    add(`${many}Count`, {
      type: parts.values.common.SafeInt,
      ...described(route),
      args: { where: { type: parts.filters.where(entry) } },
      resolve: async (_, { where }: Args, context) => await countOf(entry, route, where, context)
    })
  })
  use('aggregate', route => { add(`${many}Aggregate`, aggregateField(entry, route, parts)) })
}

/** The mutations of a model's built-in methods. */
export function addMutations (entry: ModelEntry, parts: FieldParts, add: AddField, used: Used): void {
  const one = upperFirst(entry.name)
  const many = upperFirst(nameOf(entry.Model.pluralModelName))
  const several = many === one ? `${many}List` : many
  const use = (builtin: string, make: (route: PublishedRoute) => void): void => {
    const route = builtinRoute(entry, builtin)
    if (route === undefined) return
    used.add(route.method)
    make(route)
  }
  const where = { type: new GraphQLNonNull(parts.filters.where(entry)) }
  use('create', route => {
    const data = new GraphQLNonNull(dataOf(entry, route, parts))
    add(`create${one}`, write(entry, route, { data: { type: data } }))
    add(`create${several}`, {
      ...write(entry, route, { data: { type: new GraphQLNonNull(new GraphQLList(data)) } }), type: listOf(entry)
    })
  })
  const byData: Array<[builtin: string, name: string]> = [
    ['patchOrCreate', `upsert${one}`], ['replaceOrCreate', `replaceOrCreate${one}`]
  ]
  for (const [builtin, name] of byData) {
    use(builtin, route => {
      add(name, write(entry, route, { data: { type: new GraphQLNonNull(dataOf(entry, route, parts)) } }))
    })
  }
  const byRow: Array<[builtin: string, name: string]> = [
    ['patchAttributes', `update${one}`], ['replaceById', `replace${one}`]
  ]
  for (const [builtin, name] of byRow) {
    use(builtin, route => {
      add(name, write(entry, route, {
        id: idArgument(entry, parts), data: { type: new GraphQLNonNull(dataOf(entry, route, parts)) }
      }))
    })
  }
  use('upsertWithWhere', route => {
    add(`upsert${one}WithWhere`, write(entry, route, {
      where, data: { type: new GraphQLNonNull(dataOf(entry, route, parts)) }
    }))
  })
  use('updateAll', route => {
    add(`update${several}`, {
      ...write(entry, route, { where, data: { type: new GraphQLNonNull(dataOf(entry, route, parts)) } }),
      type: parts.affected,
      resolve: async (_, args: Args, context) => (await send(entry, route, args, context)).value
    })
  })
  use('deleteById', route => {
    add(`delete${one}`, {
      ...write(entry, route, { id: idArgument(entry, parts) }),
      type: parts.affected,
      resolve: async (_, args: Args, context) => (await send(entry, route, args, context)).value
    })
  })
  use('restoreById', route => { add(`restore${one}`, write(entry, route, { id: idArgument(entry, parts) })) })
}

/** A method that writes, and gives the row, or the rows, that it wrote. */
function write (entry: ModelEntry, route: PublishedRoute, args: Record<string, { type: GraphQLInputType }>): Field {
  return {
    type: entry.type,
    ...described(route),
    args: { ...args, ...writeArguments(entry, route) },
    resolve: async (_, given: Args, context, info) => {
      const { value } = await send(entry, route, given, context)
      return await withRelations(context, planFor(entry, info), value)
    }
  }
}

const send = async (entry: ModelEntry, route: PublishedRoute, args: Args, context: CallContext) =>
  await callMethod(context, route, {
    path: { id: args.id as unknown },
    query: args.where === undefined ? {} : { where: whereOf(entry, args.where as Args) },
    headers: writeHeaders(args),
    ...(args.data === undefined ? {} : { body: args.data as unknown })
  })

const dataOf = (
  entry: ModelEntry, { method, body }: PublishedRoute, { data, values }: FieldParts
): GraphQLInputType => {
  const schema = method.accepts.map(({ modelSchema }) => modelSchema).find(each => each !== undefined)
  return schema === undefined || body === undefined ? values.common.JSON : data.of(entry, schema, body.schema, method)
}

function byId (entry: ModelEntry, route: PublishedRoute, parts: TypeParts): Field {
  return {
    type: entry.type,
    ...described(route),
    args: { id: idArgument(entry, parts) },
    resolve: async (_, { id }: Args, context, info) => {
      const { value } = await readRows(context, route, planFor(entry, info), { path: { id } })
      return value
    }
  }
}

const idArgument = (entry: ModelEntry, parts: TypeParts): { type: GraphQLInputType } =>
  ({ type: new GraphQLNonNull(idType(entry, parts)) })

/** Null where it fails: other fields of the operation have their values all the same. */
const listOf = ({ type }: ModelEntry) => new GraphQLList(new GraphQLNonNull(type))

const planFor = (entry: ModelEntry, info: GraphQLResolveInfo) => planOf(info, entry, info.fieldNodes)
