/** Which methods can be called without a connection of their own. */
import type { SharedMethod } from '@fastback/core'
import { isFile, isObjectStream } from '../handlers/result.js'
import { givesToken } from '../idempotency/methods.js'
import { sourceOf } from '../parse/source.js'

/**
 * Why a method cannot be called as a part of another request; undefined where it can.
 *
 * ```js
 * callFault(login) // 'it gives an access token'
 * ```
 */
export function callFault (method: SharedMethod): string | undefined {
  const { accepts, options, builtin } = method
  if (isObjectStream(method) || builtin === 'createChangeStream') return 'it is a stream'
  if (isFile(method) || options.requestBody !== undefined) return 'it sends or takes a file'
  if (givesToken(method)) return 'it gives an access token'
  if (accepts.some(argument => sourceOf(argument) === 'res')) return 'it writes its response by itself'
}
