/**
 * LIKE, exactly as the reference matches: characters are code points, `\` takes the next one literally, case is folded
 * as `foldCase` does.
 */
import { foldCase } from '@fastback/core/connector'
import type { Placeholders } from '../../query/statement-builder.js'
import { foldedFrom } from './fold-table.js'
import { needsCode } from './text-code.js'

interface Pattern { readonly pattern: string, readonly ignoreCase: boolean }

export interface Like {
  readonly code: string
  /** Whether an expression for a text (stored, see `text-code.ts`) matches. */
  sql (text: string, placeholders: Placeholders): string
}

/** Undefined for patterns with characters that are stored in code. Adds the values that it binds. */
export function likeOf ({ pattern, ignoreCase }: Pattern, values: unknown[]): Like | undefined {
  if (needsCode(pattern)) return undefined
  const folded = ignoreCase ? foldCase(pattern) : pattern
  const single = hasSingle(folded)
  if (ignoreCase) {
    const { from, to } = foldedFrom(folded)
    values.push(from, to)
  }
  values.push(closed(folded))
  return {
    code: `L${ignoreCase ? 'i' : ''}${single ? '_' : ''}`,
    sql: (text, placeholders) => {
      const whole = single ? withoutCode(text) : text
      const compared = ignoreCase
        ? `lower(translate(${whole}, ${placeholders.next()}::text, ${placeholders.next()}::text) COLLATE "C")`
        : whole
      return `${compared} LIKE ${placeholders.next()}::text`
    }
  }
}

/** Whether a character of the pattern stands for any one character. */
const hasSingle = (pattern: string): boolean => /_/.test(pattern.replaceAll(/\\./gsu, ''))

/** A `\` at the end stands for itself. */
const closed = (pattern: string): string => /^(?:[^\\]|\\.)*\\$/su.test(pattern) ? `${pattern}\\` : pattern

/** A character that is stored as two is one for `_`. */
const withoutCode = (text: string): string =>
  `CASE WHEN strpos(${text}, chr(1)) > 0 THEN regexp_replace(${text}, '[\\x01\\x02]{2}', chr(1), 'g') ELSE ${text} END`
