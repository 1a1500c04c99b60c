/** Nothing that was given to a user who is gone is left for the next one with that id (security.md, S-177). */
import { userModelsOf, withinChange } from '@fastback/auth/service'
import { isUserModel, type CredentialsListener, type UserModel } from '@fastback/auth'
import type { ModelClass, ModelRegistry } from '@fastback/core'
import { deleteRows, findRows } from '@fastback/core/remote'

/** Users whose rows are looked for at once. */
const batch = 500

/**
 * Removes the roles of users who are removed, and the stored rules that name them. Ids are compared letter by letter: a
 * column may take those of others for the same (security.md, S-173).
 */
export function endMappings (registry: ModelRegistry): CredentialsListener {
  return async (event, context) => {
    const { model, userIds, reason, before } = event
    const User = registry.findModel(model)
    if (reason !== 'deletion' || before !== undefined || User === undefined || !isUserModel(User)) return
    const types = userModelsOf(registry).principalTypes(User as UserModel)
    for (const Model of ['RoleMapping', 'ACL'].map(name => attached(registry, name))) {
      if (Model === undefined) continue
      const options = withinChange(Model, event, context)
      const ids = userIds.map(String)
      for (let from = 0; from < ids.length; from += batch) {
        await removeOf(Model, types, ids.slice(from, from + batch), options)
      }
    }
  }
}

async function removeOf (
  Model: ModelClass, types: readonly string[], ids: readonly string[], options: Record<string, unknown>
): Promise<void> {
  const idName = Model.getIdName() ?? 'id'
  const where = { principalType: { inq: types }, principalId: { inq: ids } }
  const rows = await findRows(Model.compiled, { where }, { ...options, notify: false })
  const texts = new Set(ids)
  const found = rows.filter(({ principalType, principalId }) =>
    types.includes(String(principalType)) && texts.has(String(principalId)))
  if (found.length > 0) await deleteRows(Model.compiled, { [idName]: { inq: found.map(row => row[idName]) } }, options)
}

function attached (registry: ModelRegistry, name: string): ModelClass | undefined {
  const Model = registry.findModel(name) === undefined ? undefined : registry.getModelByType(name)
  return Model?.dataSource === null ? undefined : Model
}
