/**
 * Instances of embedded rows. What they save and destroy, they save in and take out of the row that they are part of.
 */
import { chain, type MaybePromise } from '../maybe-promise.js'
import { assignRow, compiledOf, markPersisted } from '../instances/instance.js'
import type { ModelInstance } from '../instances/model-instance.js'
import type { OperationOptions } from '../interfaces/operation-options.js'
import { promiseOrCallback, splitCallback } from '../callbacks.js'
import type { Row } from '../properties/types.js'
import { optionsOf } from './accessor.js'

/** What a relation does for one of its embedded instances. */
export interface Embedding {
  /** Whether embedded rows are rows of their own model as well: what their instances do, they do there first. */
  readonly persistent: boolean
  /** Stores the instance: in the place of the row with its id, or beside the others. */
  keep(owner: ModelInstance, instance: ModelInstance, options: OperationOptions): MaybePromise<unknown>
  /** Sets `data` on the stored row. @throws RequestError 404 when it is not there */
  change(
    owner: ModelInstance,
    instance: ModelInstance,
    data: unknown,
    options: OperationOptions
  ): MaybePromise<ModelInstance>
  /** @throws RequestError 404 when it is not there */
  takeOut(owner: ModelInstance, instance: ModelInstance, options: OperationOptions): MaybePromise<unknown>
  /** The row as it is stored. @throws RequestError 404 when it is not there */
  stored(owner: ModelInstance, instance: ModelInstance, options: OperationOptions): MaybePromise<Row>
}

const OWNER = Symbol('fastback.embeddedIn')

type Embedded = ModelInstance & { [OWNER]: ModelInstance }
type Method = (self: Embedded, values: readonly any[], embedding: Embedding) => MaybePromise<unknown>

/** Does the same with the row of the instance's own model, where it has one. */
function own (
  self: Embedded,
  name: 'save' | 'patchAttributes' | 'destroy',
  values: readonly unknown[]
): MaybePromise<unknown> {
  const method = (compiledOf(self).Model.prototype as ModelInstance)[name]
  return typeof method === 'function' ? (method.apply(self, values) as Promise<unknown>) : undefined
}

const keep = (self: Embedded, options: unknown, embedding: Embedding): MaybePromise<ModelInstance> =>
  chain(embedding.keep(self[OWNER], self, optionsOf(options)), () => {
    markPersisted(self)
    return self
  })

const change: Method = (self, [data, options], embedding) => embedding.persistent
  ? chain(own(self, 'patchAttributes', [data, options]), () => keep(self, options, embedding))
  : chain(embedding.change(self[OWNER], self, data, optionsOf(options)), changed => brought(self, changed as Row))

const destroy: Method = (self, [options], embedding) =>
  chain(embedding.persistent ? own(self, 'destroy', [options]) : undefined, () =>
    chain(embedding.takeOut(self[OWNER], self, optionsOf(options)), () => {
      markPersisted(self, false)
      return { count: 1 }
    })
  )

const save: Method = (self, [options], embedding) =>
  chain(embedding.persistent ? own(self, 'save', [options]) : undefined, () => keep(self, options, embedding))

const methods: Readonly<Record<string, Method>> = {
  save,
  updateAttributes: change,
  patchAttributes: change,
  updateAttribute: (self, [name, value, options], embedding) =>
    change(self, [{ [name as string]: value }, options], embedding),
  replaceAttributes: (self, [data, options], embedding) => {
    const kept: Row = Object.fromEntries(compiledOf(self).key.map(({ name }) => [name, self[name]]))
    for (const name of Object.keys(self)) delete self[name]
    assignRow(self, { ...(data as Row), ...kept }, compiledOf(self))
    return save(self, [options], embedding)
  },
  destroy,
  delete: destroy,
  remove: destroy,
  reload: (self, [options], embedding) =>
    chain(embedding.stored(self[OWNER], self, optionsOf(options)), row => brought(self, row))
}

/** The instance with the values of `row` and no others. */
function brought (self: Embedded, row: Row): ModelInstance {
  for (const name of Object.keys(self)) if (!Object.hasOwn(row, name)) delete self[name]
  return assignRow(self, row, compiledOf(self))
}

/** What stands between embedded instances of a relation and the prototype of their model. */
export function embeddedPrototype (prototype: ModelInstance, embedding: Embedding): object {
  return Object.create(prototype, Object.fromEntries(Object.entries(methods).map(([name, method]) => {
    const value = function (this: Embedded, ...args: unknown[]): unknown {
      const { values, callback } = splitCallback(args)
      return promiseOrCallback(() => method(this, values, embedding), callback, false, compiledOf(this).Model.registry)
    }
    return [name, { value, configurable: true, enumerable: false, writable: true }]
  }))) as object
}

/** Whether an instance is embedded in another, with which it is stored. */
export const isEmbedded = (instance: ModelInstance): boolean => OWNER in instance

/**
 * Makes an instance one that is embedded in `owner`. It is never new to code: what it saves, its owner keeps.
 */
export function embedIn (
  owner: ModelInstance, instance: ModelInstance, prototype: object, { persistent }: Embedding
): ModelInstance {
  if (!persistent) markPersisted(instance)
  if (Object.getPrototypeOf(instance) !== prototype) Object.setPrototypeOf(instance, prototype)
  Object.defineProperty(instance, OWNER, { value: owner, configurable: true })
  return instance
}
