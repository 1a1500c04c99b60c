/** Nothing that was given to a user who is gone is left for the next one with that id (security.md, S-177). */
import { userModelsOf, withinChange } from '@fastback/auth/service'
import { isUserModel, type CredentialsListener, type UserModel } from '@fastback/auth'
import type { ModelClass, ModelRegistry } from '@fastback/core'
import { deleteNamed } from '@fastback/core/remote'

/**
 * Removes the roles of users who are removed, and the stored rules that name them.
 */
export function endMappings (registry: ModelRegistry): CredentialsListener {
  return async (event, context) => {
    const { model, userIds, reason, before } = event
    const User = registry.findModel(model)
    if (reason !== 'deletion' || before !== undefined || User === undefined || !isUserModel(User)) return
    const types = userModelsOf(registry).principalTypes(User as UserModel)
    for (const Model of ['RoleMapping', 'ACL'].map(name => attached(registry, name))) {
      if (Model === undefined) continue
      await deleteNamed(Model.compiled, 'principalId', userIds.map(String), withinChange(Model, event, context),
        { principalType: types })
    }
  }
}

function attached (registry: ModelRegistry, name: string): ModelClass | undefined {
  const Model = registry.findModel(name) === undefined ? undefined : registry.getModelByType(name)
  return Model?.dataSource === null ? undefined : Model
}
