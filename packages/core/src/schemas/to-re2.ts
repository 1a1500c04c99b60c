/** Patterns of JavaScript (with the flag `u`) as RE2 has them, where both mean the same. */
import { endOfClass } from './pattern-degree.js'

/** What `\s` is in JavaScript; RE2's has the blanks of ASCII alone. */
const blanks = '\\t-\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}'
const lineEnds = '\\n\\r\\x{2028}\\x{2029}'
const all = '\\x{0}-\\x{10ffff}'

/** Escapes that are the same in both, or a character in another notation. */
const escape = /\\(?:([dDwWtnrfv])|u\{([\da-fA-F]+)\}|u([\da-fA-F]{4})|x([\da-fA-F]{2})|c([a-zA-Z])|(0)(?!\d)|([pP]\{[\w=]+\})|([\^$\\.*+?()[\]{}|/-]))/y

const byCode = (code: number): string => `\\x{${code.toString(16)}}`

interface Read { readonly text: string, readonly end: number }

function escapeAt (source: string, at: number): Read | undefined {
  escape.lastIndex = at
  const found = escape.exec(source)
  if (found === null) return undefined
  const [whole, same, point, unit, byte, control, zero, property, literal] = found
  const end = at + whole.length
  const hex = point ?? unit ?? byte
  // Halves of a pair are two escapes.
  if (unit !== undefined && /^d[89a-f]/i.test(unit)) return undefined
  const code = hex !== undefined
    ? Number.parseInt(hex, 16)
    : control !== undefined ? control.charCodeAt(0) % 32 : zero !== undefined ? 0 : undefined
  if (code !== undefined) return { text: byCode(code), end }
  if (property !== undefined) return { text: `\\${property.replace('{Script=', '{').replace('{sc=', '{')}`, end }
  return { text: same !== undefined ? whole : `\\${literal as string}`, end }
}

function classAt (source: string, at: number): Read | undefined {
  const end = endOfClass(source, at)
  if (end > source.length) return undefined
  const isNegated = source[at + 1] === '^'
  let text = ''
  for (let i = at + (isNegated ? 2 : 1); i < end - 1;) {
    if (source.startsWith('\\s', i)) { text += blanks; i += 2; continue }
    if (source.startsWith('\\b', i)) { text += '\\x{8}'; i += 2; continue }
    if (source[i] !== '\\') {
      // What has a meaning in classes of RE2 alone.
      text += source[i] === '[' ? '\\[' : source[i] as string
      i++
      continue
    }
    const read = escapeAt(source, i)
    if (read === undefined) return undefined
    text += read.text
    i = read.end
  }
  if (text === '') return { text: isNegated ? `[${all}]` : `[^${all}]`, end }
  return { text: `[${isNegated ? '^' : ''}${text.startsWith('^') ? '\\' : ''}${text}]`, end }
}

/** What opens a group: none captures here. Undefined for what looks around. */
function groupAt (source: string, at: number): Read | undefined {
  if (source[at + 1] !== '?') return { text: '(?:', end: at + 1 }
  if (source.startsWith('(?:', at)) return { text: '(?:', end: at + 3 }
  const name = /\(\?<[A-Za-z_$][\w$]*>/y
  name.lastIndex = at
  const found = name.exec(source)
  return found === null ? undefined : { text: '(?:', end: at + found[0].length }
}

/**
 * A pattern that is one with the flag `u`, as RE2 has it. Undefined for what RE2 does not have (what looks around, and
 * what refers back), or has in another meaning.
 *
 * ```js
 * toRe2('^(?<year>\\d{4})\\s') // '^(?:\\d{4})[\\t-\\r …]'
 * ```
 */
export function toRe2 (source: string): string | undefined {
  let text = ''
  for (let at = 0; at < source.length;) {
    let read: Read | undefined
    switch (source[at]) {
      case '[': read = classAt(source, at); break
      case '(': read = groupAt(source, at); break
      case '.': read = { text: `[^${lineEnds}]`, end: at + 1 }; break
      case '\\':
        read = source[at + 1] === 's'
          ? { text: `[${blanks}]`, end: at + 2 }
          : source[at + 1] === 'S'
            ? { text: `[^${blanks}]`, end: at + 2 }
            : source[at + 1] === 'b' || source[at + 1] === 'B'
              ? { text: source.slice(at, at + 2), end: at + 2 }
              : escapeAt(source, at)
        break
      default: read = { text: source[at] as string, end: at + 1 }
    }
    if (read === undefined) return undefined
    text += read.text
    at = read.end
  }
  return text
}
