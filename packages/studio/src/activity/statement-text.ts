/** Statements as they are shown: the framework's have placeholders, those that an application writes have values. */

/** Statements that are remembered: an application has few, and sends them often. */
const mostKnown = 500

/** Statements of one data source as they are shown. */
export class StatementTexts {
  readonly #known = new Map<string, string>()

  /** @param connector name of the connector */
  constructor (readonly connector: string) {}

  of (sql: string): string {
    const known = this.#known.get(sql)
    if (known !== undefined) return known
    const shown = shownStatement(sql, this.connector)
    if (this.#known.size >= mostKnown) this.#known.clear()
    if (sql.length <= most) this.#known.set(sql, shown)
    return shown
  }
}

/** Characters that are kept. */
const most = 4_000

const parts = {
  /** Strings in single quotes; backslashes escape only where `E` stands before. */
  standard: /[eE]'(?:[^'\\]|''|\\[\s\S])*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(?:[a-zA-Z_]\w*)?\$[\s\S]*?\$(?:[a-zA-Z_]\w*)?\$|--[^\n]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?|\$\d+|['"]|[\w$.]+/g,
  /** MySQL and MariaDB: double quotes are strings, too, names are in backticks. */
  mysql: /'(?:[^'\\]|''|\\[\s\S])*'|"(?:[^"\\]|""|\\[\s\S])*"|`(?:[^`]|``)*`|(?:--|#)[^\n]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?|['"]|[\w$.]+/g
}

/**
 * A statement without values: texts and numbers are `?`, comments are left out.
 *
 * ```js
 * shownStatement("SELECT * FROM users WHERE pin = 1234 AND name = 'ann' LIMIT 1")
 * // 'SELECT * FROM users WHERE pin = ? AND name = ? LIMIT ?'
 * ```
 * @param connector name of the connector: databases quote in different ways
 */
export function shownStatement (sql: string, connector = ''): string {
  const isMysql = /mysql|maria/i.test(connector)
  const shown = sql.slice(0, 4 * most).replace(isMysql ? parts.mysql : parts.standard, part => {
    if (/^(?:--|#|\/\*)/.test(part)) return ''
    // A name in quotes; one that never ends may be the beginning of a text that was cut.
    if (part.length > 1 && (part.startsWith('`') || (part.startsWith('"') && !isMysql))) return part
    if (/^\$\d+$/.test(part)) return part
    return /^[eE]?['"]|^\$(?:[a-zA-Z_]\w*)?\$|^\.?\d/.test(part) ? '?' : part
  })
  return shown.length > most ? `${shown.slice(0, most)} …` : shown
}
