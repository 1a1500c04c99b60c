import type { ModelClass } from '../interfaces/model-class.js'
import type { ArgumentDefinition, HttpRoute, RemoteMethodOptions, SharedMethod } from '../interfaces/shared-method.js'
import { namesOf } from './method-selector.js'
import { sharedMethod, sharedMethodsOf } from './shared-methods.js'

/** Declares a method; a name without `prototype.` is an instance method where `isStatic` is not true. */
export type DefineSharedMethod =
  (name: string, options?: RemoteMethodOptions & { isStatic?: boolean }, fn?: unknown) => void

/** A shared method with the names that code of LoopBack applications reads. */
export interface DescribedSharedMethod extends Omit<SharedMethod, 'http'> {
  /** `Note.find`, `Note.prototype.patchAttributes` */
  readonly stringName: string
  /** As declared: one route or several, relative to the class, and for instance methods to `/:id`. */
  readonly http: HttpRoute | HttpRoute[]
  readonly errors: readonly unknown[]
  readonly shared: true
  /** True for `sharedCtor`. */
  readonly isSharedCtor?: boolean
  readonly ctor: ModelClass
  readonly sharedClass: SharedClass
  /** The function that a call runs. */
  readonly fn: unknown
  getFunction (): unknown
  /** Whether a function, or a name without `prototype.`, is that of this method. */
  isDelegateFor (suspect: unknown, isStatic?: boolean): boolean
  /** Whether a full name (`find`, `prototype.publish`) or an alias is that of this method. */
  isDelegateForName (fullName: string): boolean
}

/**
 * What of a model is shared, as code of LoopBack applications asks for it: to switch off all methods but a few, to list
 * them, to declare others.
 *
 * ```js
 * for (const { name, isStatic } of Note.sharedClass.methods()) {
 *   if (name !== 'find') Note.sharedClass.disableMethodByName(isStatic ? name : `prototype.${name}`)
 * }
 * ```
 */
export interface SharedClass {
  readonly name: string
  readonly ctor: ModelClass
  readonly http: HttpRoute
  readonly options: Readonly<Record<string, unknown>>
  /** What stands before the routes and arguments of instance methods: the id. */
  readonly sharedCtor: DescribedSharedMethod
  methods (): DescribedSharedMethod[]
  /** LoopBack's list of methods, which code filters to take methods away. */
  _methods: DescribedSharedMethod[]
  find (suspect: unknown, isStatic?: boolean): DescribedSharedMethod | null
  findMethodByName (fullName: string): DescribedSharedMethod | null
  isMethodEnabled (method: { readonly name: string, readonly isStatic: boolean }): boolean
  disableMethodByName (fullName: string): void
  /** The 2.x form. */
  disableMethod (name: string, isStatic?: boolean): void
  defineMethod: DefineSharedMethod
  /** Lets a function declare methods, now. */
  resolve (resolver: (define: DefineSharedMethod) => void): void
}

export function sharedClassOf (Model: ModelClass): SharedClass {
  const fullNameOf = (name: string, isStatic: boolean): string => isStatic ? name : `prototype.${name}`
  const sharedClass: SharedClass = {
    name: Model.modelName,
    ctor: Model,
    get http () { return { path: `/${Model.pluralModelName}`, ...Model.settings.http as HttpRoute | undefined } },
    get options () { return Model.settings.remoting as Record<string, unknown> | undefined ?? {} },
    get sharedCtor () { return describedConstructor(Model, sharedClass) },
    methods: () => sharedMethodsOf(Model).map(method => described(method, sharedClass)),
    get _methods () { return sharedClass.methods() },
    set _methods (kept) {
      const names = new Set(kept.map(({ fullName }) => fullName))
      for (const { fullName } of sharedClass.methods()) {
        if (!names.has(fullName)) Model.disableRemoteMethodByName(fullName)
      }
    },
    find: (suspect, isStatic = false) =>
      sharedClass.methods().find(method => method.isDelegateFor(suspect, isStatic)) ?? null,
    findMethodByName: name => sharedClass.methods().find(method => method.isDelegateForName(name)) ?? null,
    isMethodEnabled: ({ name, isStatic }) => sharedClass.findMethodByName(fullNameOf(name, isStatic)) !== null,
    disableMethodByName (name) { Model.disableRemoteMethodByName(name) },
    disableMethod (name, isStatic = false) { Model.disableRemoteMethodByName(fullNameOf(name, isStatic)) },
    defineMethod (name, options = {}, fn) {
      const { isStatic = false, ...rest } = options
      const holder = (isStatic ? Model : Model.prototype) as Record<string, unknown>
      if (fn !== undefined && holder[name] === undefined) holder[name] = fn
      Model.remoteMethod(name.startsWith('prototype.') ? name : fullNameOf(name, isStatic), rest)
    },
    resolve (resolver) { resolver.call(sharedClass, sharedClass.defineMethod) }
  }
  return sharedClass
}

/** What stands for `new Model` in descriptions: an id, from the path. */
const constructorOptions: RemoteMethodOptions = {
  accepts: [{ arg: 'id', type: 'any', required: true, http: { source: 'path' }, description: 'Model id' }],
  http: [{ path: '/:id' }],
  returns: { root: true }
}

const describedConstructor = (Model: ModelClass, sharedClass: SharedClass): DescribedSharedMethod =>
  ({ ...described(sharedMethod(Model, 'prototype.sharedCtor', constructorOptions), sharedClass), isSharedCtor: true })

/** `http: "optionsFromRequest"` is a function to those who list arguments: no client sends such an argument. */
const ofRequest = (argument: ArgumentDefinition): ArgumentDefinition =>
  ({ ...argument, http: (context: { readonly options?: unknown }) => context.options })

/** An argument as LoopBack describes it: filters and keys name no model; data for new rows say who chooses the id. */
function describedArgument (argument: ArgumentDefinition, { model: { registry } }: SharedMethod): ArgumentDefinition {
  if (typeof argument.http === 'string') return ofRequest(argument)
  const { modelSchema, modelFilter, modelId } = argument
  if (modelFilter !== undefined || modelId === true) {
    const { model, ...rest } = argument
    return rest
  }
  if (modelSchema?.variant !== 'create') return argument
  const state = registry.models[modelSchema.model]?.state
  const isGenerated = state?.definition.properties[state.idName]?.generated === true
  return { ...argument, createOnlyInstance: isGenerated && state?.settings.forceId !== false }
}

/** LoopBack has the one route of a method of its own without a list around it. */
const unlisted = (http: RemoteMethodOptions['http'] = {}): HttpRoute | HttpRoute[] =>
  Array.isArray(http) && http.length === 1 ? http[0] as HttpRoute : http

function described (method: SharedMethod, sharedClass: SharedClass): DescribedSharedMethod {
  const { model, name, isStatic, options, fullName, builtin } = method
  const getFunction = (): unknown => (isStatic ? model : model.prototype as Record<string, unknown>)[name]
  return {
    ...method,
    accepts: method.accepts.map(argument => describedArgument(argument, method)),
    http: builtin === undefined ? options.http ?? {} : unlisted(options.http),
    errors: [options.errors ?? []].flat() as unknown[],
    stringName: `${model.modelName}.${fullName}`,
    shared: true,
    ctor: model,
    sharedClass,
    get fn () { return getFunction() },
    getFunction,
    isDelegateFor: (suspect, wanted = false) => typeof suspect === 'function'
      ? getFunction() === suspect
      : isStatic === wanted && [name, ...method.aliases].includes(suspect as string),
    isDelegateForName: suspect => namesOf(method).includes(suspect)
  }
}
