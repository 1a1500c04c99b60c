/** Hooks of LoopBack's beginnings that answer in place of an operation: `next(null, result)`. */
import type { CompiledModel } from '../interfaces/compiled-model.js'
import { isPromise, type MaybePromise } from '../maybe-promise.js'

/** Stops an operation that a hook has answered. */
export class ShortCircuit extends Error {
  constructor (readonly answer: unknown) {
    super('A hook has answered in place of the operation.')
  }
}

/**
 * The result of an operation, or what a hook has answered in its place.
 *
 * ```js
 * Note.beforeSave = (next, data) => { next(null, 'not today') }
 * await note.save() // 'not today'
 * ```
 */
export function unlessShortCircuited<T> (model: CompiledModel, work: () => MaybePromise<T>): MaybePromise<T> {
  if (!model.mayBeAnswered) return work()
  try {
    const result = work()
    return isPromise(result) ? result.catch(answerOf<T>) : result
  } catch (error) {
    return answerOf(error)
  }
}

/** The response of a hook is whatever it says: callers of such models know. */
function answerOf<T> (error: unknown): T {
  if (error instanceof ShortCircuit) return error.answer as T
  throw error
}
