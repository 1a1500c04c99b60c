/** Where an offset is, for a person. */
export interface TextPosition {
  /** Both from 1. */
  readonly line: number
  readonly column: number
  /** The line, without the blanks around it. */
  readonly said: string
}

/**
 * The place of an offset in a text.
 *
 * ```js
 * positionAt('a\n  b', 4) // { line: 2, column: 3, said: 'b' }
 * ```
 */
export function positionAt (text: string, offset: number): TextPosition {
  const start = text.lastIndexOf('\n', offset - 1) + 1
  const end = text.indexOf('\n', offset)
  return {
    line: text.slice(0, start).split('\n').length,
    column: offset - start + 1,
    said: text.slice(start, end === -1 ? undefined : end).trim().slice(0, 160)
  }
}
