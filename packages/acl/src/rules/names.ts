/** What a rule names: roles that somebody can be in, methods that there are. For the start, and for the audit. */
import { hasSecondFactors } from '@fastback/auth/service'
import type { ModelClass, ModelRegistry } from '@fastback/core'
import { methodNamesOf, readDeleted, relationOfMethod, relationsOf } from '@fastback/core/remote'
import { aclService } from '../service.js'

const dynamicRoles = ['$everyone', '$authenticated', '$unauthenticated', '$owner']

/**
 * The roles that are not rows: those of the house, and those that have a resolver.
 *
 * ```js
 * namedRoles(app.registry) // ['$everyone', '$authenticated', '$unauthenticated', '$owner', 'teamMember']
 * ```
 */
export const namedRoles = (registry: ModelRegistry): string[] =>
  [...dynamicRoles, ...hasSecondFactors(registry) ? ['$secondFactor'] : [], ...aclService(registry).resolvers.keys()]

/**
 * Whether roles may be rows, made at any time.
 *
 * ```js
 * hasRoleRows(app.registry) // true, where the model Role has a data source
 * ```
 */
export const hasRoleRows = (registry: ModelRegistry): boolean =>
  registry.findModel('Role') !== undefined && (registry.getModelByType('Role')?.dataSource ?? null) !== null

/**
 * Whether nobody can be in a role. Those with a dollar sign are never rows.
 *
 * ```js
 * isNobodys(app.registry, '$everyon') // true
 * ```
 */
export const isNobodys = (registry: ModelRegistry, role: string): boolean =>
  !namedRoles(registry).includes(role) && (role.startsWith('$') || !hasRoleRows(registry))

/**
 * The names that rules may have for the methods of a model: those of instances with "prototype." and without.
 *
 * ```js
 * ruleNamesOf(Note).includes('updateAttributes') // true
 * ```
 */
export const ruleNamesOf = (Model: ModelClass): string[] =>
  methodNamesOf(Model).flatMap(name => [...new Set([name.replace(/^prototype\./, ''), name])])

/**
 * The names among those of a rule that none of the models has: as a method, a function that is not shared, a relation
 * or a property.
 *
 * ```js
 * missingMethods([Note], ['create', 'craete']) // ['craete']
 * ```
 */
export const missingMethods = (models: readonly ModelClass[], methods: readonly string[]): string[] =>
  methods.filter(name => !models.some(Model => ruleNamesOf(Model).includes(name) || has(Model, name) ||
    has(Model.prototype as object, name.replace(/^prototype\./, '')) || isRelated(Model, name) ||
    Model.definition.properties[name] !== undefined ||
    (name === readDeleted && Model.compiled.softDelete !== undefined)))

/** A relation, a scope, or a method that one of them may have: rules of a relation name them all. */
function isRelated (Model: ModelClass, name: string): boolean {
  const related = relationOfMethod(name.replace(/^prototype\./, '')) ?? name
  return relationsOf(Model).has(related) || Object.hasOwn(Model.definition.scopes ?? {}, related)
}

const has = (holder: object, name: string): boolean =>
  typeof (holder as Record<string, unknown>)[name] === 'function'
