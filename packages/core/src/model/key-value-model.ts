/**
 * `KeyValueModel`: values by key, each with an optional time to live (specification, base models; behaviour.md, section
 * 9).
 */
import type { CompiledModel } from '../interfaces/compiled-model.js'
import type { KeyValueSupport } from '../data-source/connector.js'
import type { ModelDefinitionInput } from '../definition/definition.js'
import { badQuery, keyNotFound, NoKeyValueError, RequestError } from '../errors.js'
import { chain, type MaybePromise } from '../maybe-promise.js'
import { promiseOrCallback, type OperationCallback } from '../callbacks.js'
import type { ArgumentDefinition } from '../interfaces/shared-method.js'
import type { ModelClass } from '../interfaces/model-class.js'
import { statically } from './statically.js'

const key: ArgumentDefinition = {
  arg: 'key',
  type: 'string',
  required: true,
  description: 'Key',
  http: { source: 'path' }
}

export const keyValueModel: ModelDefinitionInput = {
  name: 'KeyValueModel',
  base: 'Model',
  methods: {
    get: {
      accepts: [key],
      returns: { arg: 'value', type: 'any', root: true },
      http: { verb: 'get', path: '/:key' },
      rest: { after: refuseMissing },
      description: 'Get the value of a key.'
    },
    set: {
      accepts: [
        key,
        { arg: 'value', type: 'any', required: true, http: { source: 'body' } },
        { arg: 'ttl', type: 'number', http: { source: 'query' }, description: 'Time to live in milliseconds' }
      ],
      http: { verb: 'put', path: '/:key' },
      description: 'Set the value of a key.'
    },
    expire: {
      accepts: [
        key,
        {
          arg: 'ttl',
          type: 'number',
          required: true,
          http: { source: 'form' },
          description: 'Time to live in milliseconds'
        }
      ],
      http: { verb: 'put', path: '/:key/expire' },
      description: 'Set the time to live of a key.'
    },
    ttl: {
      accepts: [key],
      returns: { arg: 'value', type: 'any', root: true },
      http: { verb: 'get', path: '/:key/ttl' },
      description: 'Milliseconds that a key has left.'
    },
    keys: {
      accepts: {
        arg: 'filter',
        type: 'object',
        http: { source: 'query' },
        description: 'A pattern: {"match": "user-*"}'
      },
      returns: { arg: 'keys', type: ['string'], root: true },
      http: { verb: 'get', path: '/keys' },
      description: 'The keys that match.'
    }
  }
}

/** Hooks see the missing value as null, before it becomes a 404. */
function refuseMissing (
  context: { result?: unknown; args: { key?: unknown }; method: { sharedClass?: { name?: string } } },
  next: (error?: unknown) => void
): void {
  if (context.result !== null && context.result !== undefined) return next()
  next(keyNotFound(`Unknown "${context.method.sharedClass?.name ?? ''}" key "${String(context.args.key)}".`))
}

interface Store { readonly model: CompiledModel, readonly values: KeyValueSupport }

/** @throws FBK_CORE_NOT_ATTACHED, FBK_CORE_NO_KEY_VALUE */
function storeOf (Model: ModelClass): Store {
  const model = Model.compiled
  const { keyValue, name } = model.connector
  if (keyValue === undefined) throw new NoKeyValueError(Model.dataSource?.name ?? '', name, Model.modelName)
  return { model, values: keyValue }
}

function mustBeKey (given: unknown): string {
  if (typeof given !== 'string' || given === '') throw new RequestError(400, 'key is a required argument')
  return given
}

/** Times are whole milliseconds; part of one is one. */
function mustBeTime (given: unknown): number {
  if (typeof given !== 'number' || !(given > 0) || !Number.isSafeInteger(Math.ceil(given))) {
    throw new RequestError(400, 'ttl must be a positive number of milliseconds')
  }
  return Math.ceil(given)
}

function timeOf (given: unknown): number | undefined {
  const ttl = given !== null && typeof given === 'object' ? (given as { ttl?: unknown }).ttl : given
  return ttl === undefined || ttl === null ? undefined : mustBeTime(ttl)
}

/** @throws RequestError 400 for a filter or pattern that cannot be */
function matchOf ({ registry }: ModelClass, filter: unknown): string | undefined {
  if (filter === undefined || filter === null) return undefined
  const match: unknown = typeof filter === 'object' ? (filter as { match?: unknown }).match : filter
  if (match === undefined || match === null) return undefined
  const { patternLength } = registry.queryLimits
  if (typeof match !== 'string' || match.length > patternLength) {
    throw badQuery(`match must be a text of at most ${patternLength} characters`)
  }
  return match
}

async function allKeys (keys: Iterable<string> | AsyncIterable<string>): Promise<string[]> {
  const all: string[] = []
  for await (const each of keys) all.push(each)
  return all
}

/**
 * Keys one by one: `next()` promises the next one, undefined at the end; with a callback it calls back. Also for `for
 * await`.
 *
 * ```js
 * for await (const key of Session.iterateKeys({ match: 'user-*' })) console.log(key)
 * ```
 */
export class KeyIterator implements AsyncIterable<string> {
  readonly #keys: AsyncIterator<string> | Iterator<string>
  constructor (keys: Iterable<string> | AsyncIterable<string>) {
    this.#keys = Symbol.asyncIterator in keys ? keys[Symbol.asyncIterator]() : keys[Symbol.iterator]()
  }

  /** The next key, undefined at the end; with a callback nothing. Rejects when the store does. */
  next (callback?: OperationCallback<string | undefined>): Promise<string | undefined> | undefined {
    return promiseOrCallback(async () => {
      const { done, value } = await this.#keys.next()
      return done === true ? undefined : value as string
    }, callback)
  }

  async * [Symbol.asyncIterator] (): AsyncGenerator<string> {
    for (let found = await this.next(); found !== undefined; found = await this.next()) yield found
  }
}

/** Class functions of key-value models; each gives a promise or takes a callback. */
export const keyValueStatics = {
  /** The value; null when there is none. */
  get: statically((Model, [given]): MaybePromise<unknown> => {
    const { model, values } = storeOf(Model)
    return chain(values.get(model, mustBeKey(given)), value => value ?? null)
  }),
  /** `(key, value, ttl?)`, the time in milliseconds or as `{ ttl }`. */
  set: statically((Model, [given, value, ttl]) => {
    const { model, values } = storeOf(Model)
    if (value === undefined || typeof value === 'function') throw new RequestError(400, 'value is a required argument')
    return values.set(model, mustBeKey(given), value, timeOf(ttl))
  }),
  /** @throws RequestError 404 KEY_NOT_FOUND */
  expire: statically((Model, [given, ttl]) => {
    const { model, values } = storeOf(Model)
    return chain(values.expire(model, mustBeKey(given), mustBeTime(timeOf(ttl))), found => {
      if (!found) throw keyNotFound(`Cannot expire unknown key "${String(given)}"`)
    })
  }),
  /** Milliseconds left; undefined for a key that stays. @throws RequestError 404 KEY_NOT_FOUND */
  ttl: statically((Model, [given]) => {
    const { model, values } = storeOf(Model)
    return chain(values.ttl(model, mustBeKey(given)), left => {
      if (left === undefined) throw keyNotFound(`Cannot get TTL for unknown key "${String(given)}"`)
      return left ?? undefined
    })
  }),
  /** All keys, or those that `{ match }` lets through. */
  keys: statically((Model, [filter]) => {
    const { model, values } = storeOf(Model)
    return allKeys(values.keys(model, matchOf(Model, filter)))
  }),
  iterateKeys (this: ModelClass, filter?: unknown): KeyIterator {
    const { model, values } = storeOf(this)
    return new KeyIterator(values.keys(model, matchOf(this, filter)))
  },
  /** Whether there was such a key. */
  delete: statically((Model, [given]) => {
    const { model, values } = storeOf(Model)
    return values.delete(model, mustBeKey(given))
  }),
  deleteAll: statically(Model => {
    const { model, values } = storeOf(Model)
    return values.deleteAll(model)
  })
}
