/** Texts of several statements, taken apart as MySQL's own client does: the server takes one at a time. */

/** What a `;` is no end in: texts, names and comments. There are no backslashes in texts (NO_BACKSLASH_ESCAPES). */
const whole = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|--(?=\s)[^\n]*|#[^\n]*|\/\*[\s\S]*?\*\//y
const delimiterLine = /DELIMITER[ \t]+(\S+)[ \t]*(?:\n|$)/iy

/** Whether there is more than blanks and comments: a comment that MySQL reads (`/*! … `) is a statement. */
const saysSomething = (text: string): boolean =>
  text.replace(/\/\*(?!!)[\s\S]*?(?:\*\/|$)|--(?=\s)[^\n]*|--$|#[^\n]*/g, '').trim() !== ''

/**
 * The statements of a text, without their ends. `DELIMITER` at the beginning of a line says how statements end from
 * there on, for procedures and triggers that have `;` within.
 *
 * ```js
 * statementsIn("INSERT INTO a VALUES (';'); DROP TABLE b")   // ["INSERT INTO a VALUES (';')", 'DROP TABLE b']
 * ```
 */
export function statementsIn (script: string): string[] {
  const statements: string[] = []
  let delimiter = ';'
  let start = 0
  const end = (at: number, length: number): void => {
    const statement = script.slice(start, at).trim()
    if (saysSomething(statement)) statements.push(statement)
    start = at + length
  }
  for (let at = 0; at < script.length;) {
    const atLineStart = at === 0 || script[at - 1] === '\n'
    const line = atLineStart ? matchAt(delimiterLine, script, at) : null
    const skipped = line === null ? matchAt(whole, script, at) : null
    if (line !== null) {
      end(at, line[0].length)
      delimiter = line[1] as string
      at = start
    } else if (skipped !== null) at += skipped[0].length
    else if (script.startsWith(delimiter, at)) {
      end(at, delimiter.length)
      at = start
    } else at++
  }
  end(script.length, 0)
  return statements
}

function matchAt (pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}
