/** Which methods take an `Idempotency-Key`. */
import type { SharedMethod } from '@fastback/core'
import { extendsModel } from '@fastback/core/remote'
import { isFile, isObjectStream } from '../handlers/result.js'
import { fileArguments } from '../multipart/file-arguments.js'
import { sourceOf } from '../parse/source.js'
import { keyHeader } from './request-key.js'
import { idempotencyLimits, type IdempotencyLimits, type IdempotencySetting } from './settings.js'

/** In lower case, as routes of methods have them. */
const writingVerbs: readonly string[] = ['all', 'post', 'patch', 'put', 'delete']

/**
 * Whether a route takes keys. `refused`: requests that write may have one in this application, and this route can store
 * no response. `unread`: nobody looks at the header here.
 */
export type KeySupport = 'taken' | 'refused' | 'unread'

export function keySupportOf (method: SharedMethod, verb: string, setting: IdempotencySetting): KeySupport {
  if (limitsOf(method, setting) === undefined || !isWriting(method, verb)) return 'unread'
  return isRepeatable(method) ? 'taken' : 'refused'
}

/**
 * The limits within which a route takes keys; undefined where it takes none: it only reads, the setting says so, its
 * response is a stream, a file or an access token (which is stored nowhere but as its hash), its body is not read as
 * JSON or a form, or the method reads the header itself.
 *
 * ```js
 * idempotencyOf(method, 'post', settings.idempotency)?.ttl
 * ```
 */
export const idempotencyOf = (
  method: SharedMethod, verb: string, setting: IdempotencySetting
): IdempotencyLimits | undefined =>
  keySupportOf(method, verb, setting) === 'taken' ? limitsOf(method, setting) : undefined

const limitsOf = ({ model }: SharedMethod, setting: IdempotencySetting): IdempotencyLimits | undefined =>
  idempotencyLimits(setting, model.settings.idempotency as IdempotencySetting | undefined)

const isWriting = ({ accessType, accepts }: SharedMethod, verb: string): boolean =>
  writingVerbs.includes(verb) && accessType?.toUpperCase() !== 'READ' &&
  !accepts.some(argument => sourceOf(argument) === 'header' && argument.arg.toLowerCase() === keyHeader)

function isRepeatable (method: SharedMethod): boolean {
  const { accepts, options, model: { registry } } = method
  // Rows with files come as JSON, too: only forms of theirs are refused.
  const files = [...fileArguments(accepts, registry)?.values() ?? []]
  return options.requestBody === undefined && !isFile(method) && !isObjectStream(method) && !givesToken(method) &&
    files.every(({ row }) => row !== undefined)
}

/** Whether a method's result is a row of a token model, in which the token's text is: logins say `object`. */
export function givesToken ({ name: method, returns, model }: SharedMethod): boolean {
  const { models } = model.registry
  if (method === 'login' && extendsModel(model, 'User')) return true
  return returns.some(({ type }) => {
    const [name] = [type].flat() as unknown[]
    const Model = typeof name === 'string' && Object.hasOwn(models, name) ? models[name] : undefined
    return Model !== undefined && extendsModel(Model, 'AccessToken')
  })
}
