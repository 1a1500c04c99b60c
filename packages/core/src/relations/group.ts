/** Putting related rows, read at once for many parents, back to their parents. */
import type { Row } from '../properties/types.js'
import { isKey, keyText, type Key } from './keys.js'

/** The part of a list that is wanted, for each parent. */
export interface Page {
  readonly skip: number
  readonly limit: number | undefined
  /** Throws for more rows than a page of the model may have. */
  readonly fits?: ((rows: number) => void) | undefined
}

/** The different keys that rows have under `name`. What cannot point at a row is left out. */
export function distinctKeys (rows: readonly Row[], name: string): Key[] {
  const keys = new Set<Key>()
  for (let i = 0; i < rows.length; i++) {
    const key = (rows[i] as Row)[name]
    if (isKey(key)) keys.add(key)
  }
  return [...keys]
}

/**
 * Rows by their key under `name`, in the order in which they came. A list under `name` puts the row under each of its
 * keys.
 */
export function groupBy (rows: readonly Row[], name: string): Map<string, Row[]> {
  const groups = new Map<string, Row[]>()
  const add = (key: unknown, row: Row): void => {
    const text = keyText(key)
    const group = groups.get(text)
    if (group === undefined) groups.set(text, [row])
    else group.push(row)
  }
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] as Row
    const key = row[name]
    if (Array.isArray(key)) for (const each of key) add(each, row)
    else add(key, row)
  }
  return groups
}

/** Positions of rows by their key under `name`. */
export function positionsBy (rows: readonly Row[], name: string): Map<string, number> {
  const positions = new Map<string, number>()
  for (let i = 0; i < rows.length; i++) positions.set(keyText((rows[i] as Row)[name]), i)
  return positions
}

/** One page of a list; the list itself where nothing is cut off. */
export function pageOf<T> (list: T[], { skip, limit, fits }: Page): T[] {
  const page =
    skip === 0 && (limit === undefined || limit >= list.length)
      ? list
      : list.slice(skip, limit === undefined ? undefined : skip + limit)
  fits?.(page.length)
  return page
}
