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

/** Whether the only column of a key is the number of the row, which SQLite gives out, by its type. */
export const isRowNumber = (type: unknown): boolean => /^integer$/i.test(String(type))

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

/** The expressions of all checks, with their names where they have one. */
export function namedChecksIn (sql: string): Array<{ readonly name: string | undefined, readonly expression: string }> {
  return definitionParts(sql).flatMap(part => [...part.matchAll(/\bcheck\s*\(/gi)].map(match => ({
    name: constraintName(part.slice(0, match.index)),
    expression: enclosed(part, match.index + match[0].length - 1)
  })))
}

/** The name that stands last in the text before a constraint: `… CONSTRAINT "name"`. */
function constraintName (before: string): string | undefined {
  const word = 'constraint'
  const start = before.toLowerCase().lastIndexOf(word)
  const name = start === -1 || /[\w$]/.test(before[start - 1] ?? ' ') ? '' : before.slice(start + word.length).trim()
  return /^(?:"([^"]+)"|`([^`]+)`|\[([^\]]+)\]|([\w$]+))$/.exec(name)?.slice(1).find(each => each !== undefined)
}

/** The expressions of all checks. */
export const checksIn = (sql: string): string[] => namedChecksIn(sql).map(({ expression }) => expression)
