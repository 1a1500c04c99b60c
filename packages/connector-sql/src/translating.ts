/** Errors of databases, made presentable. */
import type { MaybePromise } from '@fastback/core'
import { isPromise } from '@fastback/core/connector'
import type { Dialect } from './dialects/dialect.js'
import type { ErrorContext } from './dialects/driver.js'

/**
 * Does something, and says its errors as clients and operators know them.
 * @param contextOf what an error was about: made when there is one
 */
export function translating<T> (
  dialect: Dialect, contextOf: () => ErrorContext, work: () => MaybePromise<T>
): MaybePromise<T> {
  try {
    const result = work()
    return isPromise(result)
      ? result.catch(error => { throw dialect.translateError(error, contextOf()) })
      : result
  } catch (error) {
    throw dialect.translateError(error, contextOf())
  }
}

/** Of what no model is known. */
export const ofNoModel = (): ErrorContext => ({})
