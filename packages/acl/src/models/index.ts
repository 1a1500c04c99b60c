/** The built-in models of this package. */
import type { BuiltinModel, ModelRegistry } from '@fastback/core'
import { installModels } from '@fastback/core/remote'
import { setUpAcl } from './acl.js'
import { aclDefinition, roleDefinition, roleMappingDefinition, scopeDefinition } from './definitions.js'
import { setUpScope } from './scope.js'
import { setUpRole, setUpRoleMapping } from './role.js'

export const aclModels: readonly BuiltinModel[] = [
  { definition: aclDefinition, setUp: setUpAcl },
  { definition: roleDefinition, setUp: setUpRole },
  { definition: roleMappingDefinition, setUp: setUpRoleMapping },
  { definition: scopeDefinition, setUp: setUpScope }
]

/**
 * Defines ACL, Role, RoleMapping and Scope where the registry does not have them. The plugin calls it, too.
 *
 * ```js
 * installAclModels(registry)
 * registry.attach('Role', 'db', { public: false })
 * ```
 */
export function installAclModels (registry: ModelRegistry): void {
  installModels(registry, aclModels)
}
