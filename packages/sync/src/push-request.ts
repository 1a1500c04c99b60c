/** What a client pushes, checked (SYD-22). */
import type { Row } from '@fastback/core'
import { malformed, tooMany } from './errors.js'

const mostPerPush = 1_000

/** One write of a client: of a whole row, of some properties, or a delete. */
export interface PushedChange {
  readonly id: string | number
  /** The revision that the client wrote upon; null: the row was not there. */
  readonly base: string | null
  readonly data?: Row
  readonly fields?: Row
  readonly deleted?: true
}

export interface PushRequest {
  readonly changes: readonly PushedChange[]
  readonly atomic: boolean
}

const isObject = (value: unknown): value is Row =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/** @throws RequestError 400 INVALID_CHANGES, 413 TOO_MANY_CHANGES */
export function checkedPush (body: unknown): PushRequest {
  const { changes, atomic } = isObject(body) ? body : {}
  if (!Array.isArray(changes)) throw malformed('"changes" is not an array.')
  if (changes.length > mostPerPush) throw tooMany(mostPerPush)
  if (atomic !== undefined && typeof atomic !== 'boolean') throw malformed('"atomic" is neither true nor false.')
  return { changes: changes.map(checkedChange), atomic: atomic === true }
}

function checkedChange (given: unknown): PushedChange {
  const { id, base = null, data, fields, deleted } = isObject(given) ? given : {}
  if (!((typeof id === 'string' && id !== '') || typeof id === 'number')) throw malformed('A change needs an "id".')
  if (base !== null && typeof base !== 'string') throw malformed('"base" is a revision, or null.')
  const kinds = [data !== undefined, fields !== undefined, deleted !== undefined].filter(Boolean).length
  if (kinds !== 1) throw malformed('A change has one of "data", "fields" and "deleted".')
  if (deleted !== undefined) {
    if (deleted !== true) throw malformed('"deleted" is true where it stands.')
    return { id, base, deleted }
  }
  if (data !== undefined) {
    if (!isObject(data)) throw malformed('"data" is a row.')
    return { id, base, data }
  }
  if (!isObject(fields)) throw malformed('"fields" is an object of properties.')
  if (base === null) throw malformed('"fields" needs the revision that they were changed in.')
  return { id, base, fields }
}
