/** What a rule names: roles that somebody can be in, methods that there are. For the start, and for the audit. */
import type { ModelClass, ModelRegistry } from '@fastback/core'
import { methodNamesOf } from '@fastback/core/remote'
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
  [...dynamicRoles, ...aclService(registry).resolvers.keys()]

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
 * The names that rules may have for the methods of a model: those of instances stand without "prototype.".
 *
 * ```js
 * ruleNamesOf(Note).includes('updateAttributes') // true
 * ```
 */
export const ruleNamesOf = (Model: ModelClass): string[] =>
  methodNamesOf(Model).map(name => name.replace(/^prototype\./, ''))

/**
 * The methods among those that a rule names that none of the models has. A function that is not shared is there all the
 * same: a rule for it does no harm.
 *
 * ```js
 * missingMethods([Note], ['create', 'craete']) // ['craete']
 * ```
 */
export const missingMethods = (models: readonly ModelClass[], methods: readonly string[]): string[] =>
  methods.filter(name => !models.some(Model => ruleNamesOf(Model).includes(name) || has(Model, name) ||
    has(Model.prototype as object, name)))

const has = (holder: object, name: string): boolean =>
  typeof (holder as Record<string, unknown>)[name] === 'function'
