/** The body of a batch: its operations, checked before the first of them runs. */
import type { Violation } from '@fastback/core'
import { maxViolations } from '@fastback/core/remote'
import { invalidBatch } from './errors.js'
import type { BatchLimits } from './settings.js'

const verbs = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** One operation, as it was sent. */
export interface BatchOperation {
  /** What references of later operations name it by. */
  readonly id: string | undefined
  readonly method: typeof verbs[number]
  /** Below the API's prefix; parts in braces stand for values of earlier responses. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** Undefined: none. */
  readonly body: unknown
}

export interface Batch {
  readonly operations: readonly BatchOperation[]
  /** Whether all is done, or nothing. */
  readonly isAtomic: boolean
}

/** Headers that an operation may have of its own; all others are those of the request. */
const ownHeaders: ReadonlySet<string> = new Set(['if-match', 'if-none-match', 'content-type', 'prefer'])
const idForm = /^[A-Za-z_][\w-]{0,63}$/
const bodyTypes = /^application\/(?:json|merge-patch\+json|json-patch\+json)(?:\s*;\s*charset=utf-8)?$/i
const headerValue = /^[\x20-\x7e]{0,1000}$/
const longestPath = 2000

/**
 * Reads the body of a batch.
 * @throws RequestError 400 INVALID_BATCH with every violation
 */
export function readBatch (body: unknown, { maxOperations }: BatchLimits): Batch {
  const found = new Violations()
  if (!isObject(body)) {
    found.add('', 'type', 'must be an object with "operations"')
    throw invalidBatch(found.all)
  }
  const { operations, atomic = true, ...others } = body
  for (const name of Object.keys(others)) found.add(`.${name}`, 'additionalProperties', 'is not known')
  if (typeof atomic !== 'boolean') found.add('.atomic', 'type', 'must be true or false')
  if (!Array.isArray(operations) || operations.length === 0) {
    found.add('.operations', 'type', 'must be a list of at least one operation')
  } else if (operations.length > maxOperations) {
    found.add('.operations', 'maxItems', `has ${operations.length} operations; at most ${maxOperations} are taken`)
  }
  if (found.all.length > 0) throw invalidBatch(found.all)
  const ids = new Set<string>()
  const read = (operations as unknown[]).map((each, i) => operationOf(each, `.operations[${i}]`, ids, found))
  if (found.all.length > 0) throw invalidBatch(found.all)
  return { operations: read as BatchOperation[], isAtomic: atomic as boolean }
}

class Violations {
  readonly all: Violation[] = []
  add (path: string, code: string, message: string): void {
    if (this.all.length < maxViolations) this.all.push({ path, code, message, info: {} })
  }
}

function operationOf (given: unknown, at: string, ids: Set<string>, found: Violations): BatchOperation | undefined {
  if (!isObject(given)) {
    found.add(at, 'type', 'must be an object with "method" and "path"')
    return undefined
  }
  const { id, method, path, headers = {}, body, ...others } = given
  for (const name of Object.keys(others)) found.add(`${at}.${name}`, 'additionalProperties', 'is not known')
  if (id !== undefined) checkId(id, at, ids, found)
  if (!verbs.includes(method as never)) found.add(`${at}.method`, 'enum', `must be one of ${verbs.join(', ')}`)
  const why = typeof path === 'string' ? pathFault(path) : 'must be a text'
  if (why !== undefined) found.add(`${at}.path`, 'pattern', why)
  checkHeaders(headers, at, found)
  if (method === 'GET' && body !== undefined) found.add(`${at}.body`, 'type', 'is not taken with GET')
  const named = isObject(headers) ? Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]) : []
  return {
    id: id as string | undefined,
    method: method as BatchOperation['method'],
    path: path as string,
    headers: Object.fromEntries(named) as Record<string, string>,
    body
  }
}

function checkId (id: unknown, at: string, ids: Set<string>, found: Violations): void {
  if (typeof id !== 'string' || !idForm.test(id)) {
    found.add(`${at}.id`, 'pattern', 'must be a letter, and then letters, digits, "_" and "-", at most 64')
  } else if (ids.has(id)) found.add(`${at}.id`, 'uniqueItems', 'is the id of an earlier operation')
  else ids.add(id)
}

function checkHeaders (headers: unknown, at: string, found: Violations): void {
  if (!isObject(headers)) {
    found.add(`${at}.headers`, 'type', 'must be an object of texts')
    return
  }
  const seen = new Set<string>()
  for (const [name, value] of Object.entries(headers)) {
    const header = name.toLowerCase()
    const where = `${at}.headers.${name}`
    if (!ownHeaders.has(header)) {
      found.add(where, 'enum', `is not taken: an operation may have ${[...ownHeaders].join(', ')}`)
    } else if (seen.has(header)) found.add(where, 'uniqueItems', 'is there twice')
    else if (typeof value !== 'string' || !headerValue.test(value)) {
      found.add(where, 'pattern', 'must be a text of printable ASCII characters, at most 1,000')
    } else if (header === 'content-type' && !bodyTypes.test(value)) {
      found.add(where, 'enum', 'must be application/json, or a JSON patch')
    }
    seen.add(header)
  }
}

/**
 * What is wrong with a path: it is to have one spelling, in which nothing but segments leads anywhere. (The server
 * reduces other spellings to one for requests of their own.)
 */
function pathFault (path: string): string | undefined {
  if (path.length > longestPath) return `is longer than ${longestPath} characters`
  const [before] = path.split('?', 1) as [string]
  if (!/^\/[^/]/.test(path) || /^\/\//.test(path)) return 'must begin with one "/", below the root of the API'
  if (/[^\x21-\x7e]|[\\#]/.test(path)) return 'must have neither spaces, "\\", "#" nor characters beyond ASCII: escape them'
  if (/%(?![\da-f]{2})/i.test(path)) return 'has an escape that is none'
  if (/\/\/|%(?:2f|5c|00)|\/(?:\.|%2e){1,2}(?:\/|$)/i.test(before)) {
    return 'must have neither empty segments, "." or "..", nor escaped slashes'
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
