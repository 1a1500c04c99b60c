/**
 * What a rule says that nobody can read: a kind of principal or access that there is not, a key that is misspelt. Such
 * a rule is never wider than it reads (security.md, S-103): one that allows grants nothing, and one that denies denies
 * the widest that it can mean.
 */
import type { ModelClass, ModelRegistry } from '@fastback/core'
import { accessTypes, extendsModel, nearest, nearestName, permissions, ruleKeys } from '@fastback/core/remote'
import { readNarrowing } from '../rows/narrowing.js'
import { readAssurance } from './assurance.js'
import type { Rule } from './rule.js'

const ownTypes = ['ROLE', 'USER', 'APP', 'SCOPE']

/** One thing that cannot be meant: its key, and a sentence without its subject. */
export interface VoidPart { readonly key: string, readonly says: string }

/**
 * The kinds of principals: those of the house, and user models by name.
 *
 * ```js
 * principalTypesOf(registry) // ['ROLE', 'USER', 'APP', 'SCOPE', 'Customer']
 * ```
 */
export const principalTypesOf = (registry: ModelRegistry): string[] => [
  ...ownTypes,
  ...Object.values(registry.models).filter(Model => extendsModel(Model, 'User')).map(({ modelName }) => modelName)
]

/**
 * What of a rule cannot be meant as it is written.
 *
 * ```js
 * voidParts(registry, ruleOf({ permission: 'DENY', principalType: 'ROL', principalId: '$everyone' }, true))
 * // [{ key: 'principalType', says: '"ROL" is no kind of principal. Did you mean "ROLE"?' }]
 * ```
 * @param Model whose rows and properties the rule may name. Default: these parts are not looked at
 */
export function voidParts (
  registry: ModelRegistry, { written, accessType, principalType }: Rule, Model?: ModelClass
): VoidPart[] {
  const parts: VoidPart[] = Object.keys(written).filter(isMisspelt)
    .map(key => ({ key, says: `the key "${key}" is not known.${nearest(key, ruleKeys)}` }))
  const { permission } = written
  if (!permissions.some(each => each === String(permission).toUpperCase())) {
    const meant = typeof permission === 'string' ? nearest(permission, permissions) : ''
    parts.push({ key: 'permission', says: `"${String(permission)}" is no permission.${meant}` })
  }
  if (accessType !== undefined && !accessTypes.some(each => each === accessType)) {
    const meant = nearest(accessType, accessTypes)
    parts.push({ key: 'accessType', says: `"${accessType}" is no kind of access.${meant}` })
  }
  const types = principalTypesOf(registry)
  if (!types.includes(principalType)) {
    const meant = nearest(principalType, types)
    parts.push({ key: 'principalType', says: `"${principalType}" is no kind of principal.${meant}` })
  }
  const { fault, assurance } = readAssurance(written.accessAssurance)
  if (fault !== undefined) parts.push({ key: 'accessAssurance', says: fault })
  if (assurance !== undefined && String(permission).toUpperCase() === 'DENY') {
    parts.push({ key: 'accessAssurance', says: '"accessAssurance" has no meaning in a rule that denies.' })
  }
  return Model === undefined ? parts : [...parts, ...readNarrowing(Model, written).faults]
}

/**
 * The rule as it counts. One that denies somebody whom nobody can read denies everybody, and those beside whom it may
 * have meant: their rows weigh more than one for everybody.
 */
export function asItCounts (Model: ModelClass, rule: Rule): Rule[] {
  const { narrowing, faults } = readNarrowing(Model, rule.written)
  const parts: VoidPart[] = [...voidParts(Model.registry, rule), ...faults]
  const { assurance } = readAssurance(rule.written.accessAssurance)
  if (parts.length === 0) {
    return narrowing === undefined && assurance === undefined ? [rule] : [{ ...rule, narrowing, assurance }]
  }
  if (rule.permission !== 'DENY') return [{ ...rule, methods: [] }]
  const isUnread = (key: string): boolean => parts.some(part => part.key === key || stands(part.key, key))
  const wide = {
    ...rule,
    ...isUnread('accessType') ? { accessType: undefined } : {},
    ...isUnread('property') ? { methods: undefined } : {}
  }
  if (!isUnread('principalType') && !isUnread('principalId')) return [wide]
  const { principalId } = rule
  return [
    { ...wide, principalType: 'ROLE', principalId: '$everyone' },
    ...['ROLE', 'USER', 'APP'].map(principalType => ({ ...wide, principalType, principalId }))
  ]
}

/** Whether a misspelt key is most likely this one. */
const stands = (misspelt: string, key: string): boolean =>
  isMisspelt(misspelt) && nearestName(misspelt, ruleKeys) === key

const isMisspelt = (key: string): boolean => !ruleKeys.includes(key) && nearestName(key, ruleKeys) !== undefined
