/** The text of a row and what stands around it, as one expression. */
import type { TextAround } from './column-types.js'

/** @param row an expression; NULL makes all of it NULL */
export function textWithin (
  { before, start, end }: TextAround, row: string, literal: (text: string) => string
): string {
  const parts = [...before.flatMap(([text, value]) => [literal(text), value]), literal(start), `(${row})`, literal(end)]
  return parts.join(' || ')
}
