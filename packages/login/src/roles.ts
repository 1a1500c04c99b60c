/** Roles by what a provider says of somebody: for providers that are our own (`"roles": { "claim", "map" }`). */
import type { ModelClass, ModelInstance } from '@fastback/core'
import { userModelsOf } from '@fastback/auth/service'
import { valueAt } from './profile-mapping.js'
import type { Profile } from './profile.js'

interface Rows extends ModelClass {
  findOne (filter: object): Promise<ModelInstance | null>
  findOrCreate (filter: object, data: object): Promise<unknown>
  destroyAll (where: object): Promise<unknown>
}

/** `{ "claim": "groups", "map": { "staff": "admin" } }`: names of roles here by values of a claim there. */
export interface RoleMapping {
  readonly claim: string
  readonly map: Readonly<Record<string, string>>
}

/**
 * Gives the user the roles that the claim maps to, and takes those of the map away that it does not name any more. Only
 * roles that are there are given.
 */
export async function assignRoles (User: ModelClass, user: ModelInstance, given: unknown,
  profile: Profile): Promise<void> {
  if (given === null || typeof given !== 'object') return
  const { claim, map } = given as RoleMapping
  const { registry } = User
  const Role = registry.findModel('Role') && registry.getModelByType('Role') as Rows | undefined
  const Mapping = registry.findModel('RoleMapping') && registry.getModelByType('RoleMapping') as Rows | undefined
  if (Role === undefined || Role.dataSource === null || Mapping === undefined || Mapping.dataSource === null) return
  const said = valueAt(profile._json, claim)
  const values = new Set((typeof said === 'string' ? said.split(' ') : [said].flat()).map(String))
  const principalType = userModelsOf(registry).principalTypes(User as never)[0]
  const principalId = user[User.getIdName() ?? 'id']
  for (const name of new Set(Object.values(map))) {
    const role = await Role.findOne({ where: { name } })
    if (role === null) continue
    const where = { principalType, principalId, roleId: role[Role.getIdName() ?? 'id'] }
    const has = Object.entries(map).some(([value, mapped]) => mapped === name && values.has(value))
    if (has) await Mapping.findOrCreate({ where }, where)
    else await Mapping.destroyAll(where)
  }
}
