/** What a prepared statement is made of: its key, the values that it binds, its placeholders. */
import type { Dialect } from '../dialects/dialect.js'

/**
 * Collects the key and the values of a statement. Walking the tree of a query once gives the key that says which
 * prepared statement serves it, and the values to bind, in the order in which `?` stands in the statement. Only when no
 * statement has that key yet is the same tree walked again for its SQL.
 */
export class StatementBuilder {
  key: string
  /** Values and callbacks to bind. */
  readonly values: unknown[] = []

  constructor (key: string) {
    this.key = key
  }
}

/** Hands out placeholders in the order in which they stand in the text. */
export class Placeholders {
  #count = 0

  constructor (readonly dialect: Dialect) {}

  next (): string {
    return this.dialect.placeholder(++this.#count)
  }
}

/**
 * Joins terms as a balanced tree of brackets: databases bound the depth of expressions (SQLite: 1000), and `a OR b OR c
 * …` is as deep as it is long.
 */
export function joined (terms: readonly string[], operator: string): string {
  if (terms.length <= 2) return terms.length === 2 ? `(${terms[0]}${operator}${terms[1]})` : terms[0] as string
  const middle = terms.length >> 1
  return `(${joined(terms.slice(0, middle), operator)}${operator}${joined(terms.slice(middle), operator)})`
}
