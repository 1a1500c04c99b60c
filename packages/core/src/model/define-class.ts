import type { OwnDefinition } from '../definition/normalise.js'
import type { ModelRegistry } from '../interfaces/model-registry.js'
import { relationDeclarators } from '../relations/declarators.js'
import { defineScope } from '../relations/scope.js'
import { remotingDeclarators } from '../remoting/declare.js'
import { sharedClassOf, type SharedClass } from '../remoting/shared-class.js'
import { showValidations } from '../validations/declared-validations.js'
import { validationDeclarators } from './validation-declarators.js'
import { BaseModel } from './base-model.js'
import type { ModelClass } from '../interfaces/model-class.js'
import { keyValueStatics } from './key-value-model.js'
import { persistedMethods, persistedStatics } from './persisted-model.js'
import {
  clearObservers, notifyObserversAround, observe, removeObserver, replaceableNotifier
} from './observe.js'
import { ClassState } from './state.js'

/**
 * Makes the class of a model: a subclass of its base's class, with its own state. The functions all models have come
 * with the root model.
 */
export function defineClass (registry: ModelRegistry, own: OwnDefinition, base: ModelClass | undefined): ModelClass {
  const Parent = (base ?? BaseModel) as unknown as typeof BaseModel
  const Model = { [own.name]: class extends Parent {} }[own.name] as unknown as ModelClass
  const state = new ClassState(Model, own, base?.state)
  defineHidden(Model, { modelName: own.name, registry, state })
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
    Object.defineProperty(Model, 'sharedClass', { get: sharedClass, enumerable: false, configurable: true })
  }
  if (own.name === 'PersistedModel') {
    defineHidden(Model, persistedStatics)
    defineHidden(Model.prototype, persistedMethods)
  }
  if (own.name === 'KeyValueModel') defineHidden(Model, keyValueStatics)
  for (const [name, scope] of Object.entries(own.scopes)) defineScope(Model, name, scope as object)
  return Model
}

function sharedClass (this: ModelClass): SharedClass {
  return sharedClassOf(this)
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
