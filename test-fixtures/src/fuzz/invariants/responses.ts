/** Rules about the response itself. */
import path from 'node:path'
import type { Invariant, Observation, Setting } from './fault.js'

/**
 * No response of 500 or above. What the application's own code throws is its own affair: an error whose stack begins in
 * the application's folder, or in an operation that the caller of the run named.
 */
export const noServerFault: Invariant = (observed, setting) => {
  const { answer, faults } = observed
  if (answer.status < 500 || isApplicationsOwn(observed, setting)) return undefined
  return `status ${answer.status}: ${faults[0]?.stack.slice(0, 1_500) ?? answer.body.toString('utf8', 0, 300)}`
}

export function isApplicationsOwn ({ operation, answer, faults }: Observation, { dir, mayFail }: Setting): boolean {
  if (answer.status >= 500 && mayFail.has(operation.id)) return true
  if (answer.status < 500 || faults.length === 0) return false
  return faults.every(({ stack }) => isThrownIn(dir, stack))
}

/** Whether a stack begins in a file of a folder, functions of Node and the engine left aside. */
export function isThrownIn (dir: string, stack: string): boolean {
  const frame = stack.split('\n').find(line => /^\s+at /.test(line) && !/\(?node:|<anonymous>\)$/.test(line))
  return frame?.includes(dir + path.sep) === true
}

/**
 * Every request gets a response; nothing comes behind it (S-51). Node closes the connection of a CONNECT without a
 * word, as any server may that is no proxy.
 */
export const answered: Invariant = ({ answer, request }) => {
  // Of what is no HTTP the parser does not know the verb: it answers a HEAD with a body, and closes.
  const byParser = request.verb === 'HEAD' && answer.headers.connection === 'close'
  if (answer.surplus !== undefined && !byParser) return `bytes behind the response: ${answer.surplus}`
  if (answer.failure === 'time') return 'no response: nothing within ten seconds'
  if (answer.failure === 'closed' && request.broken !== true && request.verb !== 'CONNECT') {
    return `no response: the connection was closed after ${answer.status === 0 ? 'nothing' : 'a part of it'}`
  }
  return undefined
}

/** No hidden value, and nobody else's token or password, in any body or header (S-10). */
export const nothingHidden: Invariant = ({ answer, request }, { facts }) => {
  if (answer.status === 0) return undefined
  const text = answer.head + '\n' + answer.body.toString()
  const found = facts.secrets.find(secret => text.includes(secret)) ??
    facts.accounts.map(each => each.token).find(token => text.includes(token) && !isSent(request, token))
  return found === undefined ? undefined : `hidden value: ${found}`
}

const isSent = ({ target, headers, body }: Observation['request'], text: string): boolean =>
  target.includes(text) || headers.some(([, value]) => value.includes(text)) || body?.includes(text) === true

const inside: ReadonlyArray<readonly [what: string, pattern: RegExp]> = [
  ['a stack', /(^|\n|\\n)\s+at (\S+ )?\(?(\/|file:|node:)/g],
  ['a module', /node_modules|node:internal|\.js:\d+:\d+/g],
  ['SQL', /\b(SELECT [^<]*? FROM|INSERT INTO|UPDATE "[^<]*? SET|DELETE FROM)\b/g],
  [
    'the words of a driver',
    /SQLITE_\w+|constraint failed|no such (table|column)|syntax error at|\bER_[A-Z_]{4,}|duplicate key value|ECONNREFUSED|ENOENT|EACCES/g
  ],
  [
    'the words of the engine',
    /Cannot read propert|is not a function\b|is not iterable|undefined is not|Unexpected token .* in JSON|of undefined|of null \(/g
  ]
]

/**
 * No stack, no path, no SQL, no message of a driver (S-58). What the request said itself may come back in a message
 * about it.
 */
export const nothingOfTheInside: Invariant = ({ answer, request }, { dir, checkout }) => {
  const body = answer.body.toString()
  for (const place of [dir, checkout]) {
    if (body.includes(place) || answer.head.includes(place)) return `a path of the machine: ${place}`
  }
  if (answer.status < 400) return undefined
  const sent = decoded(request)
  for (const [what, pattern] of inside) {
    if (Array.from(body.matchAll(pattern)).some(([found]) => !sent.includes(found))) {
      return `${what}: ${body.slice(0, 500)}`
    }
  }
  return undefined
}

function decoded ({ target, headers, body }: Observation['request']): string {
  const parts = [target, ...headers.map(([, value]) => value), body?.toString() ?? '']
  return parts.flatMap(part => [part, unescaped(part)]).join('\n')
}

const unescaped = (text: string): string =>
  text.replaceAll(/(%[0-9A-Fa-f]{2})+/g, run => Buffer.from(run.replaceAll('%', ''), 'hex').toString())

/**
 * An error is one of ours: JSON with its status, unless something else was asked for. What Node's parser refuses is,
 * too.
 */
export const errorForm: Invariant = (observed, setting) => {
  const { answer, request } = observed
  if (answer.status < 400 || request.verb === 'HEAD' || isApplicationsOwn(observed, setting)) return undefined
  const type = answer.headers['content-type'] ?? ''
  if (!type.startsWith('application/json')) {
    return /^(text\/html|application\/xml|text\/xml)/.test(type)
      ? undefined
      : `form of an error: type "${type}", status ${answer.status}`
  }
  const status = (parsed(answer.body) as { error?: { statusCode?: unknown } } | undefined)?.error?.statusCode
  return status === answer.status ? undefined : `form of an error: ${answer.body.toString('utf8', 0, 300)}`
}

function parsed (bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    return undefined
  }
}

/** Every response says that its type is not to be guessed (S-53). */
export const notSniffed: Invariant = ({ answer }) =>
  answer.status === 0 || answer.status === 101 || answer.headers['x-content-type-options'] === 'nosniff'
    ? undefined
    : `no X-Content-Type-Options: status ${answer.status}`
