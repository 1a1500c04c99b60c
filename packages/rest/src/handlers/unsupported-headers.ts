/**
 * Headers that ask for what the routes of models do not do: to write a row only in a certain state, or once for all
 * repeats. Who sends one relies on it (RFC 9110, section 13.1: a precondition must not be passed over).
 */
import type { SharedMethod } from '@fastback/core'
import { warnOnce } from '@fastback/core/remote'
import type { KeySupport } from '../idempotency/methods.js'
import { keyHeader } from '../idempotency/request-key.js'
import type { FastifyRequest } from 'fastify'
import { unsupportedHeader } from '../errors/request-errors.js'
import { sourceOf } from '../parse/source.js'

const unsupported: Readonly<Record<string, string>> = {
  'if-match': 'If-Match',
  'if-unmodified-since': 'If-Unmodified-Since',
  'idempotency-key': 'Idempotency-Key'
}

/** Judges a request before its method is called. @throws RequestError 400 UNSUPPORTED_HEADER, UNKNOWN_FILTER_KEY */
export type RequestCheck = (request: FastifyRequest) => void

/**
 * What judges the headers of requests for a method. `If-Match` is read where rows have tags (`conditions/row-call.ts`).
 * Methods of an application may read headers themselves, and so do arguments that come from one, but for keys for
 * repeats where the application has them. In applications that say `unsupportedHeaders: "ignore"` the log tells of it
 * once.
 */
export function headerCheckOf (
  method: SharedMethod, { comparesMatch, keys }: { comparesMatch: () => boolean, keys: KeySupport }
): RequestCheck {
  const isOwn = method.builtin === undefined && method.relation === undefined
  const read = method.accepts.filter(argument => sourceOf(argument) === 'header').map(({ arg }) => arg.toLowerCase())
  if (keys === 'taken') read.push(keyHeader)
  const checked = isOwn ? (keys === 'refused' ? [keyHeader] : []) : Object.keys(unsupported)
  const names = checked.filter(name => !read.includes(name))
  const { registry } = method.model
  return ({ headers }) => {
    for (const name of names) {
      if (headers[name] === undefined || (name === 'if-match' && comparesMatch())) continue
      const header = unsupported[name] as string
      if (registry.settings.unsupportedHeaders !== 'ignore') {
        throw unsupportedHeader(header)
      }
      warnOnce(registry, { header }, `Requests have the header ${header}, which has no effect on the routes of models`)
    }
  }
}
