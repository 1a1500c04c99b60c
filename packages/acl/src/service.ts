/** What access control of one registry knows: resolvers, roles, stored rules. Kept with the registry. */
import type { UserModels } from '@fastback/auth'
import { isOwn, userModelsOf } from '@fastback/auth/service'
import type { ModelClass, ModelRegistry, SharedMethod } from '@fastback/core'
import { StreamWatch } from './guard/stream-watch.js'
import type { Resolver } from './roles/resolver.js'
import { RoleStore } from './roles/role-store.js'
import type { Decision } from './rules/decision.js'
import { RowAccess } from './rows/row-access.js'
import { StoredRules } from './rules/stored-rules.js'

/** Is told of decisions about routes. */
export type DecisionListener = (decision: Decision, method: SharedMethod) => void

export interface AclService {
  readonly resolvers: Map<string, Resolver>
  /** Whether the framework alone says who is in a built-in role: neither a resolver nor a function of `Role` does. */
  readonly judgesAlone: boolean
  readonly users: UserModels
  readonly roles: RoleStore
  readonly rules: StoredRules
  /** Rules about rows and properties. */
  readonly rows: RowAccess
  readonly streams: StreamWatch
  /** Told of each decision about a route, where somebody wants to know (`watchDecisions`). */
  watching?: DecisionListener | undefined
  /** The model of roles: an application may have put functions of its own on it. */
  readonly role: ModelClass | undefined
}

/**
 * Milliseconds that another process's change of a role, mapping or stored rule may go unseen here. Changes by this
 * process hold at once.
 */
export const defaultTtl = 1000

/** Milliseconds between two looks at whether the callers of open change streams may still have them. */
export const streamInterval = 4000

const kService = Symbol('fastback.acl')

/**
 * What access control of a registry keeps: role resolvers by name, user models, roles, stored rules. The same object
 * each time.
 *
 * ```js
 * aclService(app.registry).resolvers.has('teamMember')
 * ```
 */
export const aclService = (registry: ModelRegistry): AclService =>
  registry.slot(kService, () => {
    let roleModel: ModelClass | undefined
    const { aclCacheTtl = defaultTtl } = registry.settings as { aclCacheTtl?: number }
    const roles = new RoleStore(registry, aclCacheTtl)
    const rules = new StoredRules(registry, aclCacheTtl)
    return {
      resolvers: new Map<string, Resolver>(),
      users: userModelsOf(registry),
      roles,
      rules,
      rows: new RowAccess(registry, rules, roles, aclCacheTtl),
      streams: new StreamWatch(streamInterval),
      get judgesAlone () {
        const { role: Role } = this
        return this.resolvers.size === 0 && !isOwn(Role?.isInRole) && !isOwn(Role?.isAuthenticated)
      },
      get role () { return (roleModel ??= registry.findModel('Role') && registry.getModelByType('Role')) }
    }
  })
