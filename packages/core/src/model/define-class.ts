import type { OwnDefinition } from '../definition/normalise.js'
import type { ModelRegistry } from '../interfaces/model-registry.js'
import { relationDeclarators } from '../relations/declarators.js'
import { defineScope } from '../relations/scope.js'
import { remotingDeclarators } from '../remoting/declare.js'
import { runMethods } from '../remoting/run-methods.js'
import { sharedClassOf, type SharedClass } from '../remoting/shared-class.js'
import { showValidations } from '../validations/declared-validations.js'
import { validationDeclarators } from './validation-declarators.js'
import { BaseModel, initialise, type InstanceOptions } from './base-model.js'
import type { ModelClass } from '../interfaces/model-class.js'
import { keyValueStatics } from './key-value-model.js'
import { persistedMethods, persistedStatics } from './persisted-model.js'
import {
  clearObservers, notifyObserversAround, observe, removeObserver, replaceableNotifier
} from './observe.js'
import { ClassState } from './state.js'

type Data = ConstructorParameters<typeof BaseModel>[0]

/**
 * Makes the class of a model: a subclass of its base's class, with its own state. The functions all models have come
 * with the root model.
 */
export function defineClass (registry: ModelRegistry, own: OwnDefinition, base: ModelClass | undefined): ModelClass {
  const Model = callableClass(own.name, (base ?? BaseModel) as unknown as typeof BaseModel)
  const state = new ClassState(Model, own, base?.state)
  defineHidden(Model, { modelName: own.name, registry, state, ...(base === undefined ? {} : { super_: base }) })
  // As in LoopBack, one that code puts on a model is not that of the models which extend it.
  defineHidden(Model, { extend: BaseModel.extend })
  let shared: SharedClass | undefined
  Object.defineProperty(Model, 'sharedClass', { get: () => (shared ??= sharedClassOf(Model)), configurable: true })
  showValidations(Model)
  if (base === undefined) {
    defineHidden(Model, {
      ...validationDeclarators,
      ...relationDeclarators,
      ...remotingDeclarators,
      observe,
      removeObserver,
      clearObservers,
      notifyObserversAround,
      scope: scopeDeclarator
    })
    Object.defineProperty(Model, 'notifyObserversOf', { ...replaceableNotifier, enumerable: false, configurable: true })
  }
  if (own.name === 'PersistedModel') {
    defineHidden(Model, persistedStatics)
    defineHidden(Model.prototype, persistedMethods)
  }
  if (own.name === 'KeyValueModel') defineHidden(Model, keyValueStatics)
  for (const [name, scope] of Object.entries(own.scopes)) defineScope(Model, name, scope as object)
  const { statics, instances } = runMethods(Model, own.methods)
  defineHidden(Model, statics)
  defineHidden(Model.prototype, instances)
  return Model
}

/**
 * A class that needs no `new`, as LoopBack's: `Note({ title })` is an instance, and `Note.call(this, data)` the
 * constructor of code that extends it the old way.
 */
function callableClass (name: string, Parent: typeof BaseModel): ModelClass {
  const Model = function (this: BaseModel, data?: Data, options?: InstanceOptions): unknown {
    if (new.target === undefined && !(this instanceof Model)) return new Class(data, options)
    initialise(this, data, options)
  }
  const Class = Model as unknown as ModelClass
  Object.setPrototypeOf(Class, Parent)
  Model.prototype = Object.create(Parent.prototype) as object
  defineHidden(Class.prototype, { constructor: Class })
  return Object.defineProperty(Class, 'name', { value: functionName(name), configurable: true })
}

/** Names of models may have more characters than names of functions. */
function functionName (name: string): string {
  const readable = name.replace(/[-.:]/g, '_')
  return /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(readable) ? readable : 'ModelConstructor'
}

function scopeDeclarator (this: ModelClass, name: string, definition: object): void {
  defineScope(this, name, definition)
}

/** Not enumerable, and replaceable: applications override methods by assignment. */
function defineHidden (target: object, members: object): void {
  for (const [name, value] of Object.entries(members)) {
    Object.defineProperty(target, name, { value, enumerable: false, configurable: true, writable: true })
  }
}
