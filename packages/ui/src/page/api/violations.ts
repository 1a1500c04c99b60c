/** What of a validation error belongs to which field. */

export interface Violation {
  /** The property; undefined for the row as a whole. */
  readonly property: string | undefined
  /** A sentence without its subject, or a whole one. */
  readonly message: string
}

/** Reads the violations of an error: the list of them, or LoopBack's messages by property. */
export function readViolations (details: unknown): Violation[] {
  if (Array.isArray(details)) return (details as unknown[]).flatMap(fromEntry)
  if (details === null || typeof details !== 'object') return []
  const { messages } = details as { messages?: unknown }
  if (messages === null || typeof messages !== 'object') return []
  return Object.entries(messages).flatMap(([property, texts]) =>
    [texts].flat().map(text => ({ property, message: String(text) })))
}

function fromEntry (entry: unknown): Violation[] {
  if (entry === null || typeof entry !== 'object') return []
  const { path, message, info } = entry as { path?: unknown, message?: unknown, info?: { missingProperty?: unknown } }
  if (typeof message !== 'string') return []
  const { property, rest } = splitPath(typeof path === 'string' ? path : '')
  const missing = info?.missingProperty
  if (typeof missing === 'string') {
    return [property === undefined
      ? { property: missing, message: 'is required' }
      : { property, message: `${rest}.${missing} is required` }]
  }
  return [{ property, message: rest === '' ? message : `${rest} ${message}` }]
}

/** `.items[0].qty` is the property `items` and the rest `[0].qty`; `['zip-code']` is one as well. */
function splitPath (path: string): { property: string | undefined, rest: string } {
  const plain = /^\.([^.[]+)/.exec(path)
  if (plain !== null) return { property: plain[1], rest: path.slice(plain[0].length) }
  const quoted = /^\['((?:[^'\\]|\\.)*)'\]/.exec(path)
  if (quoted === null) return { property: undefined, rest: path }
  return { property: (quoted[1] as string).replaceAll(/\\(.)/g, '$1'), rest: path.slice(quoted[0].length) }
}
