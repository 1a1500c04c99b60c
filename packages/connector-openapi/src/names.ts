/** Names of functions (service-connectors.md, section 9): one for each operation, and others for the same. */
import { isCalledUnasked } from '@fastback/service-client'
import type { ApiOperation } from './operations.js'

const camel = (name: string): string =>
  name.replaceAll(/[^A-Za-z0-9$]+([A-Za-z0-9$])?/g, (_, next: string | undefined) => next?.toUpperCase() ?? '')
    .replace(/^[A-Z]/, first => first.toLowerCase())

const isName = (name: string): boolean => /^[A-Za-z_$][\w$]*$/.test(name) && !isCalledUnasked(name)

export interface NamedOperation {
  /** That it is shared by. */
  readonly name: string
  /** Behind its tags, and in camel case. */
  readonly aliases: readonly string[]
  readonly operation: ApiOperation
}

/**
 * ```js
 * nameOperations(operations).map(({ name, aliases }) => [name, aliases])
 * // [['list_pets', ['listPets', 'pets_list_pets']]]
 * ```
 */
export function nameOperations (operations: readonly ApiOperation[]): NamedOperation[] {
  const taken = new Set<string>()
  const take = (name: string): boolean => {
    if (!isName(name) || taken.has(name)) return false
    taken.add(name)
    return true
  }
  const named = operations.map(operation => {
    const { id, tags, method } = operation
    const wanted = [id, camel(id), ...tags.map(tag => `${camel(tag)}_${camel(id)}`), `${camel(id)}_${method.toLowerCase()}`]
    return { operation, name: wanted.find(take) ?? free(camel(id), take) }
  })
  return named.map(({ operation, name }) => {
    const { id, tags } = operation
    const others = [camel(id), ...tags.flatMap(tag => [`${tag}_${id}`, `${camel(tag)}_${camel(id)}`])]
    return { operation, name, aliases: [...new Set(others)].filter(take) }
  })
}

function free (name: string, take: (name: string) => boolean): string {
  for (let n = 2; ; n++) {
    const next = `${isName(name) ? name : 'operation'}${String(n)}`
    if (take(next)) return next
  }
}
