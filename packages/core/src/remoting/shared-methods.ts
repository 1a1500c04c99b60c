/**
 * Collects the shared methods of a model: built-in, declared in JSON, declared in code, of relations and scopes; less
 * those that are disabled.
 */
import { isDeprecated, readDeprecation } from '../definition/deprecation.js'
import { locationOf } from '../definition/location.js'
import { softDeleteIn } from '../definition/soft-delete-property.js'
import { InvalidDefinitionError } from '../errors.js'
import { historyIn } from '../history/setting.js'
import type { ModelClass } from '../interfaces/model-class.js'
import type { ModelState } from '../interfaces/model-state.js'
import { nestedMethods } from '../relations/nest.js'
import type { RelationMethod } from '../interfaces/relation.js'
import { scopeMethods } from '../relations/scope-methods.js'
import { builtinMethods } from './builtin-methods.js'
import { argumentsOf, returnsOf } from './method-schemas.js'
import { methodSelector, namesOf } from './method-selector.js'
import {
  OWN_METHOD, type HttpRoute, type RemoteMethodOptions, type RestHook, type SharedMethod
} from '../interfaces/shared-method.js'

/**
 * All methods of a model that are shared, in the order in which routes should be made.
 *
 * ```js
 * sharedMethodsOf(Note).map(method => method.fullName) // ['create', 'patchOrCreate', …]
 * sharedMethodsOf(Note, { '*': false, find: true }).map(method => method.fullName) // ['find']
 * ```
 * @param applicationSettings `remoting.sharedMethods` of the application (`{ "*": false, "find": true }`)
 */
export function sharedMethodsOf (Model: ModelClass, applicationSettings?: Record<string, unknown>): SharedMethod[] {
  const all = allMethodsOf(Model)
  return all.filter(methodSelector(Model.state, applicationSettings, all))
}

/**
 * The full names and aliases of all methods of a model, those that are not shared among them: what rules, hooks and
 * `disableRemoteMethodByName` may name.
 *
 * ```js
 * methodNamesOf(Note).includes('prototype.updateAttributes') // true
 * ```
 */
export const methodNamesOf = (Model: ModelClass): string[] => allMethodsOf(Model).flatMap(namesOf)

function allMethodsOf (Model: ModelClass): SharedMethod[] {
  const methods = declaredMethodsOf(Model)
  return Model.state.idNames.length > 1 ? methods.filter(method => !isById(method)) : methods
}

/**
 * Whether a method's path holds an id. Models with compound ids have no such methods: one value would stand for several
 * rows.
 *
 * ```js
 * methods.filter(isById).map(method => method.fullName) // ['exists', 'findById', …, 'prototype.patchAttributes']
 * ```
 */
export const isById = ({ isStatic, builtin, http }: SharedMethod): boolean =>
  !isStatic || (builtin !== undefined && http.some(({ path }) => path.startsWith('/:id')))

function declaredMethodsOf (Model: ModelClass): SharedMethod[] {
  const { state } = Model
  const declared = new Map<
    string,
    { options: RemoteMethodOptions; relation?: string; nested?: RelationMethod['nested'] }
  >()
  if (isPersisted(Model)) {
    for (const [name, options] of Object.entries(
      builtinMethods(Model.modelName, state.settings.replaceOnPUT !== false, {
        aggregates: hasAggregates(Model), bulk: hasBulk(Model),
        softDelete: softDeleteIn(state.settings) !== undefined, history: historyIn(state.settings) !== undefined,
        live: hasLive(Model)
      })
    )) { declared.set(name, { options }) }
  }
  for (const relation of state.relations.values()) {
    // Model scripts ask for the methods while models that relations lead to are yet to come.
    if (!relation.isResolved) continue
    for (const method of relation.methods()) {
      declared.set(`prototype.${method.name}`, { options: method.options, relation: relation.name })
    }
  }
  for (const method of nestedMethods(Model)) {
    declared.set(`prototype.${method.name}`, { options: method.options, nested: method.nested })
  }
  for (const method of scopeMethods(Model)) declared.set(method.name, { options: method.options })
  for (const [name, options] of applicationMethods(state)) declared.set(name, { options })
  for (const each of state.chain()) {
    for (const [name, options] of markedFunctions(each.Model)) {
      if (!declared.has(name)) declared.set(name, { options })
    }
  }
  return [...declared]
    .map(([name, { options, relation, nested }]) => sharedMethod(Model, name, options, relation, nested))
}

/** The model is not compiled for it: models that its relations lead to may be yet to come. */
const hasAggregates = ({ state: { settings }, registry }: ModelClass): boolean =>
  (settings.aggregates ?? registry.settings.aggregates) !== false

/**
 * Whether many rows of a model are written in one request (setting `bulk`).
 *
 * ```js
 * hasBulk(Note) // false
 * ```
 */
export const hasBulk = ({ state: { settings }, registry }: ModelClass): boolean =>
  (settings.bulk ?? registry.settings.bulk) === true

/**
 * Whether rows of a model can be watched by live queries (setting `live`).
 *
 * ```js
 * hasLive(Note) // false
 * ```
 */
export const hasLive = ({ state: { settings }, registry }: ModelClass): boolean =>
  (settings.live ?? registry.settings.live) === true

/**
 * Methods that definitions and code declare. A model's own stand before those of its bases: of two on one route the
 * first is reached.
 */
function applicationMethods (state: ModelState): Map<string, RemoteMethodOptions> {
  const methods = new Map<string, RemoteMethodOptions>()
  for (const each of state.chain().reverse()) {
    const own = new Map(Object.entries(each.own.methods) as Array<[string, RemoteMethodOptions]>)
    for (const [name, options] of each.remoteMethods) {
      if (each === state || !(OWN_METHOD in options)) own.set(name, options)
    }
    for (const [name, options] of own) if (!methods.has(name)) methods.set(name, options)
  }
  return methods
}

/** Functions that code has marked themselves, the older form: `Note.hello.shared = true`, `Note.hello.http = {…}`. */
function markedFunctions (Model: ModelClass): Array<[name: string, options: RemoteMethodOptions]> {
  const of = (holder: object, prefix: string): Array<[string, RemoteMethodOptions]> =>
    Object.entries(Object.getOwnPropertyDescriptors(holder)).flatMap(([name, { value, enumerable }]) => {
      const marked = value as (RemoteMethodOptions & { shared?: unknown, modelName?: unknown }) | undefined
      const isMarked = enumerable === true && typeof value === 'function' && marked?.shared === true
      return isMarked && marked.modelName === undefined ? [[prefix + name, { ...marked }]] : []
    })
  return [...of(Model, ''), ...of(Model.prototype as object, 'prototype.')]
}

/**
 * Whether a model has the operations of connected models.
 *
 * ```js
 * isPersisted(registry.getModel('PersistedModel')) // true
 * isPersisted(registry.getModel('Model')) // false
 * ```
 */
export function isPersisted ({ state }: ModelClass): boolean {
  return state.chain().some(each => each.own.name === 'PersistedModel')
}

/** One method, as its options describe it. */
export function sharedMethod (
  Model: ModelClass,
  fullName: string,
  options: RemoteMethodOptions,
  relation?: string,
  nested?: RelationMethod['nested']
): SharedMethod {
  const isStatic = !fullName.startsWith('prototype.')
  const name = isStatic ? fullName : fullName.slice('prototype.'.length)
  return {
    model: Model,
    modelName: Model.modelName,
    name,
    isStatic,
    fullName,
    aliases: [options.aliases ?? []].flat(),
    accepts: argumentsOf(options.accepts, {
      model: Model.modelName,
      method: fullName,
      ignoresKeywords: (Model.settings.propertyKeywords ?? Model.registry.settings.propertyKeywords) === 'ignore'
    }),
    ...deprecatedBy(Model, fullName, options),
    returns: returnsOf(options.returns, { model: Model.modelName, method: fullName }),
    byName: typeof options.run === 'function',
    http: routesOf(name, options, isStatic),
    accessType: options.accessType,
    accessScopes: options.accessScopes,
    documented: options.documented !== false,
    responses: Object.fromEntries(
      Object.entries(options.responses ?? {}).map(([status, response]) => [
        status, typeof response === 'string' ? { description: response } : response
      ])
    ),
    description: text(options.description),
    notes: text(options.notes),
    builtin: options.builtin as SharedMethod['builtin'],
    relation,
    nested,
    rest: { before: listOf<RestHook>(options.rest?.before), after: listOf<RestHook>(options.rest?.after) },
    options
  }
}

/**
 * Routes relative to the model; a method without any has `all /name` (behaviour.md, section 9). A path need not begin
 * with a slash.
 */
function routesOf (name: string, options: RemoteMethodOptions, isStatic: boolean): SharedMethod['http'] {
  const written = listOf<HttpRoute>(options.http)
  return (written.length === 0 ? [{}] : written).map(route => {
    const given = route.path === undefined || route.path === '' ? name : route.path
    const path = given.startsWith('/') ? given : `/${given}`
    const verb = (route.verb ?? 'all').toLowerCase()
    return {
      ...route,
      verb: verb === 'del' ? 'delete' : verb,
      path: isStatic ? path : `/:id${path === '/' ? '' : path}`
    }
  })
}

function listOf<T> (value: T | T[] | undefined | null): T[] {
  return value === undefined || value === null ? [] : Array.isArray(value) ? value : [value]
}

const text = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.join('\n') : value

/** What the method says, else its model. */
function deprecatedBy (
  Model: ModelClass, fullName: string, options: RemoteMethodOptions
): Pick<SharedMethod, 'deprecated' | 'deprecation'> {
  const isOwn = options.deprecated !== undefined
  const written: unknown = options.deprecated ?? Model.settings.deprecated
  return {
    deprecated: isDeprecated(written),
    deprecation: readDeprecation(written, (key, problem) => {
      const part = isOwn ? `methods.${fullName}.deprecated${key}` : `deprecated${key}`
      throw new InvalidDefinitionError(locationOf(Model.state.definition, part), problem)
    })
  }
}
