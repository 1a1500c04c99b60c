/** References of an operation to the responses of earlier ones: in its body, and in its path. */
import { tooLarge } from '../errors/request-errors.js'
import { unknownReference } from './errors.js'

/** The bodies of the responses so far, by the ids of their operations. They are parsed when one is first asked for. */
export class Responses {
  readonly #texts = new Map<string, string>()
  readonly #values = new Map<string, unknown>()

  /** @param text the body of a response; an empty one has no values */
  add (id: string, text: string): void {
    this.#texts.set(id, text)
  }

  /**
   * The value that `order.items.0.id` leads to: own members, and positions of lists.
   * @throws RequestError 400 BATCH_UNKNOWN_REFERENCE
   */
  value (reference: string): unknown {
    const [id, ...path] = reference.split('.') as [string, ...string[]]
    let value = this.#body(id)
    for (const name of path) {
      const isMember = value !== null && typeof value === 'object' &&
        (Array.isArray(value) ? /^(?:0|[1-9]\d{0,8})$/.test(name) : true) && Object.hasOwn(value, name)
      if (!isMember) throw unknownReference(reference)
      value = (value as Record<string, unknown>)[name]
    }
    if (value === undefined) throw unknownReference(reference)
    return value
  }

  #body (id: string): unknown {
    if (this.#values.has(id)) return this.#values.get(id)
    const text = this.#texts.get(id)
    if (text === undefined) return undefined
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch {
      // A response that is no JSON has no members.
    }
    this.#values.set(id, value)
    return value
  }
}

/**
 * A body with the values in the places of its references: of objects with the one member `$ref`. One with the one
 * member `$$ref` stands for an object that has a `$ref` itself.
 *
 * ```js
 * resolvedBody({ orderId: { $ref: 'o.id' } }, responses, { characters: 1000 }) // { orderId: 7 }
 * ```
 * @param left what the values may have as JSON: one that is large could be named many times
 * @throws RequestError 400 BATCH_UNKNOWN_REFERENCE, 413
 */
export function resolvedBody (body: unknown, responses: Responses, left: { characters: number }): unknown {
  if (body === null || typeof body !== 'object') return body
  if (Array.isArray(body)) return body.map(each => resolvedBody(each, responses, left))
  const members = Object.entries(body as Record<string, unknown>)
  const [first] = members
  if (members.length === 1 && first !== undefined) {
    const [name, value] = first
    if (name === '$ref' && typeof value === 'string') return counted(responses.value(value), left)
    if (name === '$$ref') return { $ref: resolvedBody(value, responses, left) }
  }
  return Object.fromEntries(members.map(([name, value]) => [name, resolvedBody(value, responses, left)]))
}

function counted (value: unknown, left: { characters: number }): unknown {
  left.characters -= JSON.stringify(value).length
  if (left.characters < 0) throw tooLarge()
  return value
}

/**
 * A path with the values in the places of `{order.id}`, each one segment or a part of one. Braces in the query are
 * those of JSON.
 *
 * ```js
 * resolvedPath('/Orders/{order.id}', responses) // '/Orders/7'
 * ```
 * @throws RequestError 400 BATCH_UNKNOWN_REFERENCE, also for what is no part of a path: objects, empty texts, slashes
 */
export function resolvedPath (path: string, responses: Responses): string {
  const end = path.indexOf('?')
  const [before, query] = end === -1 ? [path, ''] : [path.slice(0, end), path.slice(end)]
  return before.replaceAll(/\{([^{}]*)\}/g, (_, reference: string) => {
    const value = responses.value(reference)
    const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
    if (typeof text !== 'string' || text === '' || text.length > 500 || /[/\\\0]|^\.{1,2}$/.test(text)) {
      throw unknownReference(reference)
    }
    return encodeURIComponent(text)
  }) + query
}
