/** What only the text of a CREATE TABLE says in SQLite. */

/** The text up to the bracket that closes the one at `start`. */
function enclosed (sql: string, start: number): string {
  let depth = 0
  for (let at = start; at < sql.length; at++) {
    const letter = sql[at] as string
    if ('\'"`['.includes(letter)) at = endOfQuoted(sql, at)
    else if (sql.startsWith('--', at)) at = endOf(sql, '\n', at)
    else if (sql.startsWith('/*', at)) at = endOf(sql, '*/', at + 1)
    else if (letter === '(') depth++
    else if (letter === ')' && --depth === 0) return sql.slice(start + 1, at)
  }
  return sql.slice(start + 1)
}

const endOfQuoted = (sql: string, start: number): number =>
  endOf(sql, sql[start] === '[' ? ']' : sql[start] as string, start)

function endOf (sql: string, mark: string, start: number): number {
  const end = sql.indexOf(mark, start + 1)
  return end === -1 ? sql.length : end
}

/** Whether rows of the table have no number of their own (`WITHOUT ROWID`), which is said behind its columns. */
export function lacksRowNumber (sql: string): boolean {
  const start = sql.indexOf('(')
  return start !== -1 && /\bwithout\s+rowid\b/i.test(sql.slice(start + enclosed(sql, start).length + 2))
}

/** Columns and constraints of a table, as they were written. */
export function definitionParts (sql: string): string[] {
  const start = sql.indexOf('(')
  if (start === -1) return []
  const body = enclosed(sql, start).replace(/--[^\n]*/g, ' ').replace(/\/\*.*?(?:\*\/|$)/gs, ' ')
  const parts: string[] = []
  let depth = 0
  let from = 0
  for (let at = 0; at < body.length; at++) {
    const letter = body[at] as string
    if ('\'"`['.includes(letter)) at = endOfQuoted(body, at)
    else if (letter === '(') depth++
    else if (letter === ')') depth--
    else if (letter === ',' && depth === 0) {
      parts.push(body.slice(from, at).trim())
      from = at + 1
    }
  }
  return [...parts, body.slice(from).trim()].filter(part => part !== '')
}

/** The expressions of all checks. */
export function checksIn (sql: string): string[] {
  return definitionParts(sql).flatMap(part =>
    [...part.matchAll(/\bcheck\s*\(/gi)].map(match => enclosed(part, match.index + match[0].length - 1)))
}
