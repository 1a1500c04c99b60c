/**
 * A model's rules of access, as everybody reads them. Applications may keep an object of their own form in
 * `settings.acls`, for their own `Model.checkAccess`: it is no list of rules, and no rule is read out of it.
 */
import type { AclDefinition } from './definition.js'
import { InvalidDefinitionError } from '../errors.js'

/** What has settings: a class, or the definition of one. */
interface Ruled { readonly settings: Readonly<Record<string, unknown>> }

const none: readonly AclDefinition[] = Object.freeze([])

/**
 * The rules of a model; none where its `acls` are no list.
 *
 * ```js
 * rulesOf(registry.getModel('AccessToken')) // [{ principalId: '$everyone', permission: 'DENY', … }]
 * ```
 */
export const rulesOf = ({ settings: { acls } }: Ruled): readonly AclDefinition[] =>
  Array.isArray(acls) ? acls as AclDefinition[] : none

/**
 * Whether `acls` is something that only the application can read.
 *
 * ```js
 * hasOwnFormOfRules(registry.defineModel({ name: 'Note', acls: { READ: '*' } })) // true
 * ```
 */
export const hasOwnFormOfRules = ({ settings: { acls } }: Ruled): boolean =>
  acls !== undefined && acls !== null && !Array.isArray(acls)

/**
 * The list itself, for those who add to it.
 *
 * ```js
 * rulesToExtend(Note).push({ principalType: 'ROLE', principalId: '$everyone', permission: 'DENY' })
 * ```
 * @param place names what adds, for messages
 * @throws FBK_CORE_INVALID_DEFINITION where `acls` is no list: rules beside it would not count
 */
export function rulesToExtend (model: { readonly settings: Record<string, unknown> }, place: string): AclDefinition[] {
  if (hasOwnFormOfRules(model)) {
    throw new InvalidDefinitionError(place, 'a rule cannot be added to "acls" that is no list of rules')
  }
  return (model.settings.acls ??= []) as AclDefinition[]
}
