/** Access rules in one form, wherever they were written. */
import type { Assurance } from '@fastback/auth/service'
import type { AclDefinition, HttpRoute, SharedMethod } from '@fastback/core'
import { permissions } from '@fastback/core/remote'
import type { Narrowing } from '../rows/narrowing.js'

export type Permission = typeof permissions[number]

export interface Rule {
  /** Undefined: every method. */
  readonly methods: readonly string[] | undefined
  /** Undefined: every access type. */
  readonly accessType: string | undefined
  readonly permission: Permission
  readonly principalType: string
  readonly principalId: string
  /** Whether it stands in a definition; else it is a row of the ACL model. */
  readonly declared: boolean
  /** As written, for explanations. */
  readonly written: Readonly<Record<string, unknown>>
  /** What it says of rows and properties, read for one model; undefined: all of them. */
  readonly narrowing?: Narrowing | undefined
  /** Of a rule that allows: how the caller must have logged in; undefined: somehow. */
  readonly assurance?: Assurance | undefined
}

const isWildcard = (value: unknown): boolean => value === undefined || value === null || value === '*' || value === ''

/**
 * The rule of a row. One whose permission is unknown denies: what nobody understands opens nothing.
 *
 * ```js
 * ruleOf({ principalType: 'ROLE', principalId: '$everyone', permission: 'DENY', property: 'create' }, true).methods
 * // ['create']
 * ```
 */
export function ruleOf (written: Readonly<Partial<AclDefinition>>, declared: boolean): Rule {
  const { property, accessType, permission, principalType, principalId } = written
  const methods = [property ?? '*'].flat()
  const named = String(permission).toUpperCase()
  return {
    methods: methods.some(isWildcard) ? undefined : methods,
    accessType: isWildcard(accessType) ? undefined : String(accessType).toUpperCase(),
    permission: permissions.find(each => each === named) ?? 'DENY',
    principalType: String(principalType ?? 'ROLE'),
    principalId: String(principalId),
    declared,
    written: written as Record<string, unknown>
  }
}

/** What is asked about: a method by all its names, and its access type. */
export interface Operation {
  readonly names: readonly string[]
  readonly accessType: string
  /** Whether the names of a method of instances are there with "prototype." as well. */
  readonly hasFullNames?: boolean
}

const writing = new Set([
  'create',
  'updateOrCreate',
  'patchOrCreate',
  'upsert',
  'upsertWithWhere',
  'patchOrCreateWithWhere',
  'update',
  'updateAll',
  'updateAttributes',
  'patchAttributes',
  'replaceOrCreate',
  'replaceById',
  'deleteById',
  'destroyById',
  'removeById'
])

/** The access type of a method: declared, else READ for GET and HEAD, else by its name, else EXECUTE. */
export function accessTypeOf ({ accessType, http, name }: {
  readonly name: string
  readonly accessType: SharedMethod['accessType']
  readonly http: readonly HttpRoute[]
}): string {
  if (accessType !== undefined) return accessType.toUpperCase()
  const verb = http[0]?.verb
  if (verb === 'get' || verb === 'head') return 'READ'
  return writing.has(name) ? 'WRITE' : 'EXECUTE'
}

/**
 * Whether a rule speaks of an operation, whoever asks. `EXECUTE` rows of a definition are special: one that names its
 * methods holds for them whatever their access type, and one that denies holds for every access type; one that allows
 * everything opens only what is of type EXECUTE, unless `executeAllowsAll`.
 */
export function concerns (rule: Rule, operation: Operation, executeAllowsAll = false): boolean {
  const { accessType } = operation
  if (rule.methods !== undefined && !rule.methods.some(method => isNamed(method, operation, rule))) return false
  if (rule.accessType === undefined || rule.accessType === accessType) return true
  if (rule.accessType === 'WRITE' && accessType === 'REPLICATE') return true
  if (rule.accessType !== 'EXECUTE' || !rule.declared) return false
  return rule.methods !== undefined || rule.permission === 'DENY' || executeAllowsAll
}

const ofInstances = 'prototype.'

/**
 * Whether a rule names the method, with `prototype.` or without it (security.md, S-103). Where only the short name is
 * known, a rule that denies the method of instances counts.
 */
function isNamed (method: string, { names, hasFullNames }: Operation, { permission }: Rule): boolean {
  if (names.includes(method)) return true
  return hasFullNames !== true && permission === 'DENY' &&
    method.startsWith(ofInstances) && names.includes(method.slice(ofInstances.length))
}

/** Whether a rule does not refuse, but takes rows away: the next rules decide about the others. */
export const takesRows = ({ permission, narrowing }: Rule): boolean => permission === 'DENY' && narrowing !== undefined

/** Whether a rule is only tried: what it would change is told, and nothing else. */
export const isTried = ({ written }: Rule): boolean => written.enforce === false

/**
 * An `ALLOW EXECUTE` row of a definition that LoopBack 3 would read as "allow everything".
 *
 * ```js
 * isExecuteForAll(ruleOf({ accessType: 'EXECUTE', permission: 'ALLOW', principalId: '$owner' }, true)) // true
 * ```
 */
export const isExecuteForAll = (rule: Rule): boolean =>
  rule.declared && rule.accessType === 'EXECUTE' && rule.methods === undefined && rule.permission !== 'DENY'
