/** The schema of an application: made of its published models, once, when it starts. */
import type { ModelClass } from '@fastback/core'
import { callFault } from '@fastback/rest/calls'
import type { PublishedRoute } from '@fastback/rest'
import { GraphQLNonNull, GraphQLObjectType, GraphQLSchema } from 'graphql'
import { groupType } from './aggregates.js'
import { changesField, changeType } from './changes.js'
import { pageInfoType } from './connections.js'
import { DataTypes } from './data-types.js'
import { keysOf, relate, shownProperties, type ModelEntry } from './entries.js'
import { FilterTypes } from './filter-types.js'
import { methodField, methodFieldName } from './method-fields.js'
import { addMutations, addQueries, type FieldParts, type Used } from './model-fields.js'
import { Fields, lowerFirst, TypeNames, type Report } from './names.js'
import { objectType, type Field } from './object-types.js'
import { commonTypes, reservedNames } from './scalars.js'
import { ValueTypes } from './value-types.js'

export interface SchemaOptions {
  /** Whether changes of models can be subscribed to. */
  readonly subscriptions: boolean
  /** Is told what the schema could not take as it is. */
  readonly report: Report
}

/**
 * Makes the schema.
 * @param routes those that somebody may call
 */
export function makeSchema (
  routes: readonly PublishedRoute[], { subscriptions, report }: SchemaOptions
): GraphQLSchema {
  const names = new TypeNames([...reservedNames, 'GroupBy', 'Period', 'ChangeType'], report)
  const common = commonTypes()
  const values = new ValueTypes(common, names)
  const filters = new FilterTypes(values, names, report)
  const parts: FieldParts = {
    values,
    filters,
    names,
    report,
    data: new DataTypes(values, names, report),
    affected: new GraphQLObjectType({
      name: 'Affected', fields: { count: { type: new GraphQLNonNull(common.SafeInt), description: 'How many rows.' } }
    }),
    pageInfo: pageInfoType(),
    groupBy: groupType()
  }
  const entries = entriesOf(routes, parts)
  const query = new Fields<Field>('Query', report)
  const mutation = new Fields<Field>('Mutation', report)
  const subscription = new Fields<Field>('Subscription', report)
  const change = changeType()
  for (const entry of entries.values()) {
    const used: Used = new Set()
    addQueries(entry, parts, (name, field) => { query.add(name, field) }, used)
    addMutations(entry, parts, (name, field) => { mutation.add(name, field) }, used)
    if (subscriptions) addChanges(entry, used)
    addMethods(entry, used)
  }
  if (query.isEmpty) query.add('_empty', { type: common.JSON, description: 'No method that reads is published.', resolve: () => null })
  return new GraphQLSchema({
    query: new GraphQLObjectType({ name: 'Query', fields: query.all }),
    ...(mutation.isEmpty ? {} : { mutation: new GraphQLObjectType({ name: 'Mutation', fields: mutation.all }) }),
    ...(subscription.isEmpty
      ? {}
      : { subscription: new GraphQLObjectType({ name: 'Subscription', fields: subscription.all }) })
  })

  function addChanges (entry: ModelEntry, used: Used): void {
    const route = entry.routes.find(({ method, verb }) => method.builtin === 'createChangeStream' && verb === 'GET')
    if (route === undefined) return
    used.add(route.method)
    subscription.add(`${lowerFirst(entry.name)}Changes`, changesField(entry, route, change, parts))
  }

  function addMethods (entry: ModelEntry, used: Used): void {
    for (const route of entry.routes) {
      const { method, verb } = route
      if (used.has(method) || verb === 'HEAD' || isRelationRead(entry, route)) continue
      used.add(method)
      const fault = callFault(method)
      const field = fault ?? methodField(entry, route, parts, name => named(name))
      if (typeof field === 'string') report(`the method "${method.modelName}.${method.fullName}"`, `it is left out: ${field}`)
      else (verb === 'GET' ? query : mutation).add(methodFieldName(entry, route), field)
    }
  }

  function named (name: string): ModelEntry | undefined {
    return [...entries.values()].find(({ Model }) => Model.modelName === name)
  }
}

/** What related rows say is a field of the rows themselves. */
const isRelationRead = ({ relations }: ModelEntry, { method: { relation }, verb }: PublishedRoute): boolean =>
  verb === 'GET' && relation !== undefined && relations.has(relation)

function entriesOf (routes: readonly PublishedRoute[], parts: FieldParts): Map<ModelClass, ModelEntry> {
  const { names, report } = parts
  const byModel = new Map<ModelClass, PublishedRoute[]>()
  for (const route of routes) byModel.set(route.method.model, [...byModel.get(route.method.model) ?? [], route])
  const entries = new Map<ModelClass, ModelEntry>()
  for (const [Model, own] of byModel) {
    const name = names.take(Model.modelName)
    const type: GraphQLObjectType = objectType(Model, name, () => entries.get(Model) as ModelEntry, parts)
    entries.set(Model, {
      Model, name, type, routes: own, properties: shownProperties(Model, report), keys: keysOf(Model, byModel.keys()),
      relations: new Map(), unions: new Map(), plans: new WeakMap()
    })
  }
  for (const entry of entries.values()) relate(entry, entries, report)
  return entries
}
