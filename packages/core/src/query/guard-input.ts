/** Checks a filter before it is parsed: depth, number of keys, no prototype keys (security.md, S-20, S-23). */
import { badQuery, limitExceeded } from '../errors.js'
import { isPlainObject, type ParseContext } from './parse-context.js'

/**
 * Checks an object that came from outside or from code. Linear in its size, and it stops at the first level too deep.
 * @throws RequestError 400: QUERY_OBJECT_TOO_DEEP, QUERY_OBJECT_IS_CIRCULAR, QUERY_LIMIT_EXCEEDED, a prototype key
 */
export function guardInput (context: ParseContext, query: object): void {
  const { call } = context.options
  if (call?.disableSanitize === true) return
  const depth = call?.maxDepthOfQuery ?? context.model.settings.maxDepthOfQuery ?? context.limits.depth
  let keysLeft = context.external ? context.limits.keys : Infinity
  const above: object[] = []
  walk(query)

  function walk (node: object): void {
    if (above.length > depth) throw tooDeep(above, depth)
    above.push(node)
    if (Array.isArray(node)) {
      for (let i = 0; i < node.length; i++) {
        const item = node[i] as unknown
        if (item !== null && typeof item === 'object' && (Array.isArray(item) || isPlainObject(item))) walk(item)
      }
    } else {
      const keys = Object.keys(node)
      if ((keysLeft -= keys.length) < 0) {
        throw limitExceeded(`more than ${context.limits.keys} keys`, context.limits.keys)
      }
      for (const key of keys) {
        if (context.external && namesPrototype(key)) throw badQuery(`The name "${key}" is not allowed in a query.`)
        const item = (node as Record<string, unknown>)[key]
        if (item !== null && typeof item === 'object' && (Array.isArray(item) || isPlainObject(item))) walk(item)
      }
    }
    above.pop()
  }
}

function tooDeep (above: readonly object[], depth: number): Error {
  if (new Set(above).size < above.length) return badQuery('The query object is circular', 'QUERY_OBJECT_IS_CIRCULAR')
  return badQuery(`The query object exceeds maximum depth ${depth}`, 'QUERY_OBJECT_TOO_DEEP')
}

/** Whether a name leads to an object's prototype. */
export const isPrototypeKey = (name: string): boolean =>
  name === '__proto__' || name === 'constructor' || name === 'prototype'

/** The same for a key, which may be a dotted path. */
const namesPrototype = (key: string): boolean =>
  isPrototypeKey(key) || (key.includes('.') && key.split('.').some(isPrototypeKey))
