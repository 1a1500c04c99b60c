/**
 * Rules that stand at a relation or scope (`"relations": { "orders": { …, "acls": [ … ] } }`), as rules of the model
 * for the methods of it.
 */
import type { AclDefinition } from './definition.js'
import { InvalidDefinitionError } from '../errors.js'

/** The first parts of the names of all methods that a relation or scope may have. */
const prefixes = [
  'get',
  'findById',
  'findOne',
  'count',
  'exists',
  'create',
  'update',
  'updateById',
  'delete',
  'destroy',
  'destroyById',
  'link',
  'unlink'
]

/**
 * The relation or scope whose methods have such a name, whether or not a relation of its type has this one.
 *
 * ```js
 * relationOfMethod('__findById__orders') // 'orders'
 * relationOfMethod('find') // undefined
 * ```
 */
export function relationOfMethod (name: string): string | undefined {
  const [, prefix = '', relation] = /^__([A-Za-z]+)__(.+)$/.exec(name) ?? []
  return prefixes.includes(prefix) ? relation : undefined
}

/**
 * The rows of a relation's (or scope's) `acls`, each with the methods that it is about: those that it names, or all of
 * the relation.
 *
 * ```js
 * const acls = [{ principalType: 'ROLE', principalId: '$everyone', permission: 'DENY' }]
 * relationAcls('orders', { acls }, 'model "Customer", relation "orders"')
 * // the row, with property: ['__get__orders', '__findById__orders', …]
 * ```
 * @param place names the relation, for messages
 * @throws FBK_CORE_INVALID_DEFINITION where `acls` is no list of objects
 */
export function relationAcls (name: string, relation: unknown, place: string): AclDefinition[] {
  const { acls } = (relation ?? {}) as { acls?: unknown }
  if (acls === undefined || acls === null) return []
  if (!Array.isArray(acls) || acls.some(acl => acl === null || typeof acl !== 'object')) {
    throw new InvalidDefinitionError(`${place}, acls`, 'must be a list of rules')
  }
  const all = prefixes.map(prefix => `__${prefix}__${name}`)
  return (acls as AclDefinition[]).map(acl => {
    const named = [acl.property ?? '*'].flat()
    return { ...acl, property: named.some(each => each === '*' || each === '' || each === name) ? all : named }
  })
}
