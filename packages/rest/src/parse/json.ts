/**
 * JSON from outside: strict, at most so deep, and without keys that reach a prototype (request-parsing.md, section 6;
 * security.md, S-30).
 */
import secureJson from 'secure-json-parse'

/** Levels of arrays and objects that a body or parameter may have. */
export const defaultJsonDepth = 64

const refusePrototypes = { protoAction: 'error', constructorAction: 'error' } as const

/**
 * Parses JSON text.
 *
 * ```js
 * parseJson('{"a":[1]}', 2) // { a: [1] }; with a depth of 1 it throws
 * ```
 * @param depth levels of arrays and objects that it may have. Default: 64
 * @throws SyntaxError for text that is not JSON, is nested deeper than `depth`, or has a key `__proto__`, or a key
 * `constructor` with a key `prototype` in it
 */
export function parseJson (text: string, depth: number = defaultJsonDepth): unknown {
  // Too deep needs as many opening and closing brackets.
  if (text.length > depth * 2 && isDeeperThan(text, depth)) {
    throw new SyntaxError(`JSON is nested deeper than ${depth} levels`)
  }
  return secureJson.parse(text, refusePrototypes)
}

const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const QUOTE = 0x22
const BACKSLASH = 0x5c

/** One pass over the text, before anything walks the value. Text that is not JSON may give either answer. */
function isDeeperThan (text: string, limit: number): boolean {
  let depth = 0
  for (let i = 0; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case OPEN_ARRAY: case OPEN_OBJECT:
        if (++depth > limit) return true
        break
      case CLOSE_ARRAY: case CLOSE_OBJECT:
        depth--
        break
      case QUOTE:
        i = endOfString(text, i)
    }
  }
  return false
}

/** Index of the quote that ends the string which begins at `start`. */
function endOfString (text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end === -1 ? text.length : end
}

function isEscaped (text: string, index: number): boolean {
  let backslashes = 0
  while (text.charCodeAt(index - 1 - backslashes) === BACKSLASH) backslashes++
  return backslashes % 2 === 1
}
