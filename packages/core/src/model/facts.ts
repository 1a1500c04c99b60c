/**
 * What the packages beside this one ask about a model, and tell it. `ModelClass.state` is the core's own: nobody else
 * reads or changes it.
 */
import type { Connector } from '../data-source/connector.js'
import type { PropertyDefinition, RelationDefinition } from '../definition/definition.js'
import { notify, RULE, type HookContext, type HookName, type Observer } from '../hooks.js'
import type { MaybePromise } from '../maybe-promise.js'
import type { Relation } from '../interfaces/relation.js'
import type { RemoteMethodOptions } from '../interfaces/shared-method.js'
import type { ModelClass } from '../interfaces/model-class.js'
import type { WriteLayerKind } from '../interfaces/write-layers.js'
import type { RemoteHook, WriteLayer } from '../interfaces/model-state.js'

/**
 * The model's relations and those of its bases, by name.
 *
 * ```js
 * relationsOf(Note).get('author')?.type // 'belongsTo'
 * ```
 */
export const relationsOf = (Model: ModelClass): ReadonlyMap<string, Relation> => Model.state.relations

/**
 * The models that it extends, the root first, and itself last.
 *
 * ```js
 * lineageOf(Note).map(({ modelName }) => modelName) // ['Model', 'PersistedModel', 'Note']
 * ```
 */
export const lineageOf = (Model: ModelClass): readonly ModelClass[] => Model.state.chain().map(state => state.Model)

/**
 * Whether a model is another one or extends it.
 *
 * ```js
 * extendsModel(Customer, 'User')
 * ```
 * @param base the other model, or the name that it was defined under
 */
export const extendsModel = (Model: ModelClass, base: ModelClass | string): boolean =>
  Model.state.chain().some(state => typeof base === 'string' ? state.own.name === base : state.Model === base)

/**
 * Whether the model is published; undefined: anyone who publishes decides.
 *
 * ```js
 * isPublic(registry.attach('Note', 'db', { public: true })) // true
 * ```
 */
export const isPublic = (Model: ModelClass): boolean | undefined => Model.state.isPublic

/**
 * Says whether the model is published.
 *
 * ```js
 * publish(registry.getModel('Note'), false)
 * ```
 */
export function publish (Model: ModelClass, isPublic: boolean): void {
  Model.state.isPublic = isPublic
}

/**
 * Whether a hook has an observer, of the model's own or of its bases'; or a certain one.
 *
 * ```js
 * hasObserver(Note, 'before save') // false
 * ```
 */
export const hasObserver = (Model: ModelClass, hook: HookName, observer?: Observer): boolean =>
  lineageOf(Model).some(each => hasOwnObserver(each, hook, observer))

/**
 * Whether a hook has an observer of the model's own, those of its bases left out; or a certain one.
 *
 * ```js
 * hasOwnObserver(Note, 'access', onlyOwn)
 * ```
 */
export function hasOwnObserver (Model: ModelClass, hook: HookName, observer?: Observer): boolean {
  const observers = Model.state.observers.get(hook) ?? []
  return observer === undefined ? observers.length > 0 : observers.includes(observer)
}

/**
 * Whether anything listens to the model's operations or to calls of its methods.
 *
 * ```js
 * isWatched(Note) // false: operations need not be told anybody
 * ```
 */
export const isWatched = (Model: ModelClass): boolean =>
  Model.state.chain().some(({ observers, remoteHooks }) => observers.size > 0 || remoteHooks.length > 0)

/**
 * Listeners of remote calls: those of the root first. As in LoopBack, `beforeRemote` of a model is not for those that
 * extend it where the application's setting `inheritRemoteHooks` is false.
 *
 * ```js
 * remoteHooksOf(Note).filter(({ moment }) => moment === 'before')
 * ```
 */
export const remoteHooksOf = (Model: ModelClass): RemoteHook[] => {
  const areInherited = Model.registry.settings.inheritRemoteHooks !== false
  return Model.state.chain().flatMap(state => areInherited || state === Model.state
    ? state.remoteHooks
    : state.remoteHooks.filter(({ isOfApplication }) => isOfApplication !== true))
}

/**
 * Adds a listener of remote calls; models that extend this one have it as well.
 *
 * ```js
 * addRemoteHook(Note, { moment: 'before', pattern: 'prototype.*', listener: async ctx => { console.log(ctx.args) } })
 * ```
 */
export function addRemoteHook (Model: ModelClass, hook: RemoteHook): void {
  Model.state.remoteHooks.push(hook)
}

/**
 * A remote method that was declared on the model itself.
 *
 * ```js
 * ownRemoteMethod(User, 'login')?.accepts
 * ```
 */
export const ownRemoteMethod = (Model: ModelClass, name: string): RemoteMethodOptions | undefined =>
  Model.state.remoteMethods.get(name)

/**
 * Declares a remote method, or declares it anew.
 *
 * ```js
 * setRemoteMethod(Note, 'publishAll', { isStatic: true, http: { verb: 'post', path: '/publish-all' } })
 * ```
 */
export function setRemoteMethod (Model: ModelClass, name: string, options: RemoteMethodOptions): void {
  Model.state.remoteMethods.set(name, options)
  Model.state.invalidate()
}

/**
 * Puts something between a model's operations (and those of models that extend it) and the store: rows may be kept in
 * another form than operations see them.
 *
 * ```js
 * setStoreLayer(AccessToken, connector => new HashingConnector(connector))
 * ```
 */
export function setStoreLayer (Model: ModelClass, layer: (connector: Connector) => Connector): void {
  Model.state.storeLayer = layer
}

/**
 * Puts something before all that is between a model's operations and the store: it sees rows as operations do, and
 * every write of them, whichever operation it belongs to. Models that extend this one have it as well; it gets the
 * model that is meant. There is one of each kind; which of two comes first, their kinds say (`writeLayerKinds`).
 *
 * ```js
 * setWriteLayer(Note, 'tracking', (connector, Model) => withFunctions(connector, { deleteAll: refuse }))
 * ```
 */
export function setWriteLayer (Model: ModelClass, kind: WriteLayerKind, layer: WriteLayer): void {
  Model.state.writeLayers.set(kind, layer)
  Model.state.invalidate()
}

/**
 * The file that defines a model, from the folder of the application; undefined for models of code.
 *
 * ```js
 * sourceOf(Note) // 'common/models/note.json'
 * ```
 */
export const sourceOf = (Model: ModelClass): string | undefined => Model.state.own.source

/**
 * Declares a relation anew, where it was declared: in code, by the model or one that it extends, else in the settings.
 *
 * ```js
 * replaceRelation(Note, 'author', { type: 'belongsTo', model: 'Writer' })
 * ```
 */
export function replaceRelation ({ state }: ModelClass, name: string, definition: RelationDefinition): void {
  if (state.chain().some(({ lateRelations }) => lateRelations.has(name))) state.lateRelations.set(name, definition)
  else (state.settings.relations as Record<string, RelationDefinition>)[name] = definition
  state.invalidate()
}

/**
 * The observers of a hook that were added to the model itself.
 *
 * ```js
 * for (const observer of ownObservers(Note, 'before save')) Draft.observe('before save', observer)
 * ```
 */
export const ownObservers = (Model: ModelClass, hook: HookName): readonly Observer[] =>
  Model.state.observers.get(hook) ?? []

/**
 * Whether rules of access (`RULE`) are among the observers of a hook, those of bases included.
 *
 * ```js
 * if (hasRules(Note, 'before save')) console.log('The owner of a note is its creator.')
 * ```
 */
export const hasRules = (Model: ModelClass, hook: HookName): boolean => rulesAmong(Model, hook).length > 0

/**
 * Tells the rules of access among the observers of a hook, and nobody else: of an operation that another application
 * does, whose hooks are its own.
 *
 * ```js
 * await notifyRules(Note, 'before save', { Model: Note, hookState: {}, options, instance: row, isNewInstance: true })
 * ```
 * @throws RequestError what a rule refuses
 */
export const notifyRules = (Model: ModelClass, hook: HookName, context: HookContext): MaybePromise<void> =>
  notify(rulesAmong(Model, hook), context)

const rulesAmong = (Model: ModelClass, hook: HookName): readonly Observer[] =>
  Model.state.chain().flatMap(({ observers }) => observers.get(hook) ?? []).filter(observer => RULE in observer)

/**
 * Gives a model a property that the framework needs; one that the definition declares under that name wins.
 *
 * ```js
 * implyProperty(AccessToken, 'principalType', { type: 'string', index: true, hidden: true })
 * ```
 */
export function implyProperty ({ state }: ModelClass, name: string, definition: PropertyDefinition): void {
  if (state.implied.has(name) || state.definition.properties[name] !== undefined) return
  state.implied.set(name, definition)
  state.invalidate()
}

/**
 * Stores a value with the rows of a model that code of applications does not see: it is in no definition, schema or
 * type, and only selections that name it (`compiled.selectStored`) read it. Models that extend this one lack it.
 *
 * ```js
 * addInternalProperty(Change, '_at', { type: 'string' })
 * ```
 */
export function addInternalProperty ({ state }: ModelClass, name: string, definition: PropertyDefinition): void {
  state.internal.set(name, definition)
  state.invalidate()
}

/**
 * Whether the model's own definition declares a property, and not one of its bases'.
 *
 * ```js
 * declaresProperty(Note, 'title') // true
 * ```
 */
export const declaresProperty = ({ state }: ModelClass, name: string): boolean =>
  state.own.properties[name] !== undefined
