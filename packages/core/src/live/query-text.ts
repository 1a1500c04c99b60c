/** Queries as text: the same for two that mean the same, so that who watches one watches the other as well. */
import type { Condition, Query } from '../query/ast.js'

/**
 * A condition as text. Two conditions with the same text have the same rows.
 *
 * ```js
 * conditionText(query.where) // '{"kind":"compare","path":{"property":"stars","path":[]},"op":"gt","value":2}'
 * ```
 * @param times whether instants stand in it: without them, conditions of rules that count from now on are the same
 */
export const conditionText = (condition: Condition | undefined, times = true): string =>
  JSON.stringify(condition, function (this: Record<string, unknown>, name, value: unknown) {
    const held = this[name]
    if (held instanceof Date) return times ? { $date: held.getTime() } : { $date: 'then' }
    if (Buffer.isBuffer(held)) return { $bytes: held.toString('base64') }
    if (typeof value === 'bigint') return { $long: String(value) }
    if (typeof value === 'number' && !Number.isFinite(value)) return { $number: String(value) }
    return isPath(value) ? { property: value.property, path: value.path } : value
  }) ?? ''

const isPath = (value: unknown): value is { readonly property: string, readonly path: readonly string[] } =>
  value !== null && typeof value === 'object' && 'property' in value && 'path' in value && 'declared' in value

/**
 * What of a query beside its condition makes it another one: order, page, and what of rows is shown.
 *
 * ```js
 * pageText(query) // '[[["stars",true]],10,0,["id","title"],"none"]'
 * ```
 */
export const pageText = ({ order, limit, skip, select }: Query): string => JSON.stringify([
  order.map(term => 'path' in term ? [term.path.property, ...term.path.path, term.descending] : ['', term.descending]),
  limit ?? null, skip, select.names, select.extra
])
