/** Makes the shared methods of a model calls of the other application (service-connectors.md, RM-2 and RM-4). */
import type { ModelClass, ModelInstance, Row, SharedMethod } from '@fastback/core'
import { promiseOrCallback, splitCallback } from '@fastback/core/connector'
import { builtinFunction, includedOf, relationsOf, sharedMethodsOf } from '@fastback/core/remote'
import { RestClass } from '@fastback/rest/remoting'
import { JudgedMethod, type Instance } from './judged-method.js'
import { RemoteMethod, sharedClassOf, type Caller } from './remote-call.js'

type Method = (this: ModelClass | ModelInstance, ...args: unknown[]) => unknown

/**
 * Puts a call in the place of each method that is shared now, under all its names. What was put there before is made
 * anew: more may be shared by then.
 */
export function callRemotely (Model: ModelClass, caller: Caller): void {
  // What is described to clients does not say everything, such as whose rows a filter is about.
  const methods = new Map(sharedMethodsOf(Model).map(method => [method.fullName, method]))
  for (const routed of new RestClass(sharedClassOf(Model)).methods) {
    const { sharedMethod: shared } = routed
    const remote = new RemoteMethod(Model, routed, caller)
    const judged = new JudgedMethod(Model, methods.get(shared.fullName) as SharedMethod, remote)
    const holder = shared.isStatic ? Model : Model.prototype
    const methodOf = (name: string): Method => function (...args) {
      if (isElsewhere(this, Model)) return inherited(holder, name).apply(this, args)
      const { values, callback } = splitCallback(args)
      const self = shared.isStatic ? undefined : this as unknown as Instance
      const call = async (): Promise<unknown> => await judged.call(self, values)
      return promiseOrCallback(call, callback, remote.givesSeveral, Model.registry)
    }
    for (const name of [shared.name, ...shared.aliases]) put(holder, name, methodOf(name))
  }
  put(Model.prototype, 'save', savingNew(Model))
  for (const name of relationsOf(Model).keys()) put(Model.prototype, name, accessorOf(name))
}

/** `new Note(data).save()` is a `create` there, and gives what that gave; stored ones are saved as everywhere. */
const savingNew = (Model: ModelClass): Method => function (...args) {
  const self = this as ModelInstance & { isNewRecord (): boolean }
  if (isElsewhere(self, Model) || !self.isNewRecord()) return inherited(Model.prototype, 'save').apply(self, args)
  const { values, callback } = splitCallback(args)
  const create = (self.constructor as ModelClass).create as Method
  return promiseOrCallback(() => create.call(self.constructor as ModelClass, self, ...values) as Promise<unknown>,
    callback, false, Model.registry)
}

/** A model that extends this one and has its rows in another data source calls nobody for them. */
function isElsewhere (self: ModelClass | ModelInstance | undefined, Model: ModelClass): boolean {
  const called = typeof self === 'function' ? self : (self as ModelInstance | undefined)?.constructor
  const { dataSource } = (called ?? Model) as Partial<ModelClass>
  return dataSource !== undefined && dataSource !== Model.dataSource
}

/** What models have of a name, had this one no calls in its place. */
const inherited = (holder: object, name: string): Method =>
  (Object.getPrototypeOf(holder) as Record<string, Method>)[name] as Method

const put = (holder: object, name: string, member: Method | PropertyDescriptor): void => {
  const descriptor = typeof member === 'function' ? { value: builtinFunction(member), writable: true } : member
  Object.defineProperty(holder, name, { ...descriptor, configurable: true, enumerable: false })
}

/** What members of an accessor call, by the middle of the name of the instance method. */
const members: Readonly<Record<string, string>> = {
  get: 'get',
  getAsync: 'get',
  find: 'get',
  create: 'create',
  count: 'count',
  exists: 'exists',
  findById: 'findById',
  updateById: 'updateById',
  destroyById: 'destroyById',
  deleteById: 'destroyById',
  destroyAll: 'delete',
  deleteAll: 'delete',
  add: 'link',
  remove: 'unlink',
  update: 'update',
  destroy: 'destroy'
}

/** `note.author`: a function that loads, with the other operations as members; each one request (RM-4). */
const accessorOf = (relation: string): PropertyDescriptor => ({
  get (this: ModelInstance) {
    const verb = (name: string) => (...args: unknown[]): unknown => {
      const method = this[`__${name}__${relation}`]
      if (typeof method !== 'function') throw new TypeError(`The relation "${relation}" has no "${name}".`)
      return (method as Method).apply(this, args)
    }
    const included = includedOf(this as Row)
    const load = verb('get')
    const accessor = (...args: unknown[]): unknown =>
      args.length === 0 && included?.[relation] !== undefined ? included[relation] : load(...args)
    return Object.assign(accessor, Object.fromEntries(
      Object.entries(members).map(([name, called]) => [name, verb(called)])
    ))
  }
})
