/** Errors of databases, made presentable. */
import type { MaybePromise } from '@fastback/core'
import { isPromise } from '@fastback/core/connector'
import type { Dialect } from './dialects/dialect.js'
import type { ErrorContext } from './dialects/driver.js'

/** Does something, and says its errors as clients and operators know them. */
export function translating<T> (dialect: Dialect, context: ErrorContext, work: () => MaybePromise<T>): MaybePromise<T> {
  const failed = (error: unknown): never => { throw dialect.translateError(error, context) }
  try {
    const result = work()
    return isPromise(result) ? result.catch(failed) : result
  } catch (error) {
    return failed(error)
  }
}
