/**
 * LoopBack 3's way of an offline model, `LocalTodo.replicate(since, RemoteTodo, …)`, over a client: for applications
 * that move step by step (SYD-35). Calls take a callback, or give a promise.
 */
import type { Conflict } from '../conflicts.js'
import type { ClientMembers } from '../client.js'
import type { ModelApi } from '../model-api.js'
import type { Row } from '../engine/records.js'
import type { Filter, Where } from '../query/filter-types.js'
import type { Id } from '../store.js'

type Callback<T extends unknown[]> = (error: unknown, ...results: T | []) => void

/** What `replicate` gives besides conflicts. Any checkpoint does for `since`: the client knows its own. */
export interface Checkpoints { readonly source: number, readonly target: number }

/** A conflict by its old names: the source is whose `replicate` found it. */
export interface ReplicationConflict<R = Row> {
  readonly modelId: Id
  /** Source row and target row; null: gone. */
  models (callback?: Callback<[R | null, R | null]>): Promise<[R | null, R | null]>
  type (callback?: Callback<['update' | 'delete' | 'unknown']>): Promise<'update' | 'delete' | 'unknown'>
  resolve (callback?: Callback<[]>): Promise<void>
  resolveUsingSource (callback?: Callback<[]>): Promise<void>
  resolveUsingTarget (callback?: Callback<[]>): Promise<void>
  resolveManually (data: R | null, callback?: Callback<[]>): Promise<void>
  /** The same with the sides exchanged. */
  swapParties (): ReplicationConflict<R>
}

/** One side of a pair of models. */
export interface Replicated<R extends object> {
  /**
   * Syncs both ways, whichever side it is called on. `(since, target, options, callback)`, of which `target` alone is
   * needed.
   */
  replicate (...given: unknown[]): Promise<Array<ReplicationConflict<R>>>
  on (event: 'conflicts', listener: (conflicts: Array<ReplicationConflict<R>>) => void): void
}

/** The side that is at hand. */
export interface LocalModel<R extends object> extends Replicated<R> {
  find (filter?: Filter<R>, callback?: Callback<[R[]]>): Promise<R[]>
  findOne (filter?: Filter<R>, callback?: Callback<[R | null]>): Promise<R | null>
  findById (id: Id, callback?: Callback<[R | null]>): Promise<R | null>
  count (where?: Where<R>, callback?: Callback<[number]>): Promise<number>
  create (row: Partial<R>, callback?: Callback<[R]>): Promise<R>
  /** Changes the row, or makes it where there is none. */
  upsert (row: Partial<R>, callback?: Callback<[R]>): Promise<R>
  deleteById (id: Id, callback?: Callback<[{ count: number }]>): Promise<{ count: number }>
}

/**
 * ```js
 * const { local: LocalTodo, remote: RemoteTodo } = loopbackModels(client, 'Todo')
 * LocalTodo.replicate(since, RemoteTodo, (error, conflicts, checkpoints) => { … })
 * ```
 * @param name of a model of the client
 * @param idName its id property
 */
export function loopbackModels<R extends object> (
  client: ClientMembers, name: string, idName = 'id'
): { readonly local: LocalModel<R>, readonly remote: Replicated<R> } {
  const api = (client as unknown as Record<string, ModelApi<R>>)[name] as ModelApi<R>
  let syncs = 0
  const side = (isLocal: boolean): Replicated<R> => {
    const listeners: Array<(conflicts: Array<ReplicationConflict<R>>) => void> = []
    return {
      replicate: async (...given) => {
        const callback = given.at(-1)
        const work = async (): Promise<[Array<ReplicationConflict<R>>, Checkpoints]> => {
          await client.sync()
          syncs++
          const all = await client.conflicts.list() as unknown as Array<Conflict<R>>
          const found = all.filter(({ model }) => model === name).map(conflict => oldConflict(conflict, isLocal))
          if (found.length > 0) for (const listener of listeners) listener(found)
          return [found, { source: syncs, target: syncs }]
        }
        const [conflicts] = await told(work(), typeof callback === 'function' ? callback as Callback<unknown[]> : undefined)
        return conflicts
      },
      on: (_event, listener) => { listeners.push(listener) }
    }
  }
  const local: LocalModel<R> = {
    ...side(true),
    find: async (filter, callback) => await one(api.find(filter), callback),
    findOne: async (filter, callback) => await one(api.findOne(filter).then(row => row ?? null), callback),
    findById: async (id, callback) => await one(api.findById(id).then(row => row ?? null), callback),
    count: async (where, callback) => await one(api.count(where), callback),
    create: async (row, callback) => await one(api.create(row), callback),
    upsert: async (row, callback) => {
      const id = (row as Record<string, unknown>)[idName] as Id | undefined
      const isThere = id !== undefined && await api.findById(id) !== undefined
      return await one(isThere ? api.patch(id, row) : api.create(row), callback)
    },
    deleteById: async (id, callback) => await one(api.delete(id).then(isGone => ({ count: isGone ? 1 : 0 })), callback)
  }
  return { local, remote: side(false) }
}

function oldConflict<R> (conflict: Conflict<R>, isLocal: boolean): ReplicationConflict<R> {
  const { id, local, remote } = conflict
  const sides: [R | null, R | null] = isLocal ? [local, remote] : [remote, local]
  const resolved = async (resolution: 'local' | 'remote' | R | null, callback?: Callback<[]>): Promise<void> => {
    await told(conflict.resolve(resolution).then((): [] => []), callback)
  }
  const type = local === null || remote === null ? 'delete' : conflict.base === null ? 'unknown' : 'update'
  return {
    modelId: id,
    models: async callback => await told(Promise.resolve(sides), callback),
    type: async callback => await one(Promise.resolve(type), callback),
    resolve: async callback => { await resolved(isLocal ? 'local' : 'remote', callback) },
    resolveUsingSource: async callback => { await resolved(isLocal ? 'local' : 'remote', callback) },
    resolveUsingTarget: async callback => { await resolved(isLocal ? 'remote' : 'local', callback) },
    resolveManually: async (data, callback) => { await resolved(data, callback) },
    swapParties: () => oldConflict(conflict, !isLocal)
  }
}

/** Who gives a callback is told by it, errors as well. */
async function told<T extends unknown[]> (work: Promise<T>, callback: Callback<T> | undefined): Promise<T> {
  if (callback === undefined) return await work
  let results: T
  try {
    results = await work
  } catch (error) {
    callback(error)
    return [[]] as unknown as T
  }
  callback(null, ...results)
  return results
}

const one = async <T>(work: Promise<T>, callback: Callback<[T]> | undefined): Promise<T> =>
  (await told(work.then((result): [T] => [result]), callback))[0]
