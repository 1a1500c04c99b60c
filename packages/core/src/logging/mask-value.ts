/** Masks secrets in what is logged, by the names of members at any depth. */
import { isSecretName, isSecretParameter } from './secret-names.js'
import { masked, maskText, maskUrl } from './mask-text.js'

/** Levels and members that are looked at, and shown: a log line is no place for more. */
const deepest = 8
const most = 1000

/** Members whose text is an address. */
const addresses: ReadonlySet<string> = new Set(['url', 'originalurl', 'location', 'href', 'uri', 'referer', 'referrer',
  'path', 'redirect', 'target'])
/** What an error says of itself (`ECONNRESET`, `LOGIN_FAILED`, 404), and no code of OAuth. */
const errorCode = /^[A-Z][A-Z0-9_]*$/

/**
 * A copy that can be logged. Members that are named like a secret are masked, texts are read as `maskText` and
 * `maskUrl` do.
 */
export function maskValue (value: unknown, name = ''): unknown {
  try {
    return new Walk().mask(value, name, 0)
  } catch {
    // A getter or a toJSON that throws: the line is written all the same.
    return '[unreadable]'
  }
}

class Walk {
  readonly #path = new Set<object>()
  #seen = 0

  mask (value: unknown, name: string, depth: number): unknown {
    if (typeof value === 'string') return addresses.has(name.toLowerCase()) ? maskUrl(value) : maskText(value)
    if (value === null || typeof value !== 'object' || value instanceof Date) return value
    if (depth > deepest || this.#seen > most || this.#path.has(value)) return '[more]'
    if (Buffer.isBuffer(value) || ArrayBuffer.isView(value)) return '[bytes]'
    this.#path.add(value)
    try {
      return this.#object(value, name, depth)
    } finally {
      this.#path.delete(value)
    }
  }

  #object (value: object, name: string, depth: number): unknown {
    if (value instanceof Error) return this.#error(value, depth)
    const { toJSON } = value as { toJSON?: unknown }
    if (typeof toJSON === 'function') return this.mask((toJSON as () => unknown).call(value), name, depth + 1)
    if (Array.isArray(value)) {
      return value.slice(0,
        most).map(each => { this.#seen++; return this.mask(each, name, depth + 1) })
    }
    if (value instanceof Map || value instanceof URLSearchParams) {
      return this.#members([...value.entries()].map(([key,
        each]) => [String(key), each]), depth)
    }
    return this.#members(Object.entries(value), depth)
  }

  #members (entries: ReadonlyArray<readonly [string, unknown]>, depth: number): Record<string, unknown> {
    const shown: Array<[string, unknown]> = []
    for (const [name, value] of entries) {
      if (++this.#seen > most) break
      shown.push([name, isSecret(name, value) ? masked : this.mask(value, name, depth + 1)])
    }
    return Object.fromEntries(shown)
  }

  /** As pino shows errors. */
  #error (error: Error, depth: number): Record<string, unknown> {
    const { name: type, message, stack, cause } = error
    return {
      type: error.constructor === undefined ? type : error.constructor.name,
      message: maskText(message),
      stack: maskText(stack ?? ''),
      ...(cause === undefined ? {} : { cause: this.mask(cause, 'cause', depth + 1) }),
      ...this.#members(Object.entries(error).filter(([name]) => !['message', 'stack', 'cause'].includes(name)), depth)
    }
  }
}

function isSecret (name: string, value: unknown): boolean {
  if (value === undefined || value === null || value === '' || typeof value === 'boolean' ||
    typeof value === 'function') return false
  return isSecretName(name) || (isSecretParameter(name) && typeof value === 'string' && !errorCode.test(value))
}
