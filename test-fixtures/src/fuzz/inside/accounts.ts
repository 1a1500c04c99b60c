/**
 * Accounts to act as: people that the application's own scripts made, and some more, one of whom has every role that a
 * rule names.
 */
import type { ModelClass, ModelInstance, ModelRegistry } from '@fastback/core'
import { extendsModel, isPublic } from '@fastback/core/remote'
import type { AccountFacts } from './protocol.js'

/** Of all accounts made here, so that requests can log in. Its hash is what must stay hidden. */
export const knownPassword = 'fuzz-password'

interface UserInstance extends ModelInstance { createAccessToken (ttl: unknown): Promise<ModelInstance> }

/** What the account with all roles is called. */
export const everyRole = 'in every role'

/** The in-process API, as far as it is used here. */
interface Persisted {
  find (filter: object): Promise<ModelInstance[]>
  findOne (filter: object): Promise<ModelInstance | null>
  create (data: object): Promise<ModelInstance>
  destroyById (id: unknown): Promise<unknown>
}
const persisted = (Model: ModelClass): Persisted => Model as unknown as Persisted

export async function makeAccounts (registry: ModelRegistry): Promise<AccountFacts[]> {
  const User = registry.findModel('User')
  if (User === undefined) return []
  const userModels = Object.values(registry.models).filter(
    Model => Model.dataSource !== null && extendsModel(Model, User) && isPublic(Model)
  )
  const roles = rolesNamed(registry)
  const accounts: AccountFacts[] = []
  for (const Model of userModels) {
    const found = await persisted(Model).find({ limit: 3, order: 'id' }) as UserInstance[]
    for (const [what, withRoles] of [['a stranger', []], [everyRole, roles]] as const) {
      const made = await makeUser(Model, what)
      for (const role of withRoles) await addToRole(registry, role, Model, made.user, userModels.length > 1)
      accounts.push({ ...await described(Model, made.user, what), password: made.password })
    }
    for (const user of found) accounts.push({ ...await described(Model, user, 'was there'), password: undefined })
    const gone = await makeUser(Model, 'removed')
    accounts.push({ ...await described(Model, gone.user, 'a token whose user is gone'), password: gone.password })
    await persisted(Model).destroyById(gone.user.id)
  }
  return accounts
}

async function makeUser (Model: ModelClass, what: string): Promise<{ user: UserInstance, password: string }> {
  const password = knownPassword
  const name = `${Model.modelName}-${what.replaceAll(' ', '-')}`.toLowerCase()
  const user = (await persisted(Model).create({
    username: name,
    email: `${name}@fuzz.example`,
    password,
    emailVerified: true,
    realm: 'fuzz'
  })) as UserInstance
  return { user, password }
}

async function described (Model: ModelClass, user: UserInstance, what: string): Promise<Omit<AccountFacts, 'password'>> {
  const token = await user.createAccessToken(1_000_000)
  return {
    model: Model.modelName,
    id: user.id,
    email: String((user as { email?: unknown }).email),
    token: String(token.id),
    what
  }
}

/** Static roles in the rules of any model. */
function rolesNamed (registry: ModelRegistry): string[] {
  const rules = Object.values(registry.models).flatMap(
    Model => (Model.compiled.settings.acls ?? []) as ReadonlyArray<{ principalType?: string; principalId?: unknown }>
  )
  return [
    ...new Set(
      rules
        .filter(({ principalType }) => principalType === 'ROLE')
        .map(({ principalId }) => String(principalId))
        .filter(name => !name.startsWith('$'))
    )
  ]
}

async function addToRole (
  registry: ModelRegistry,
  name: string,
  Model: ModelClass,
  user: ModelInstance,
  named: boolean
): Promise<void> {
  const Role = registry.getModelByType('Role')
  const Mapping = registry.getModelByType('RoleMapping')
  if (Role === undefined || Mapping === undefined || Role.dataSource === null || Mapping.dataSource === null) return
  const role = (await persisted(Role).findOne({ where: { name } })) ?? (await persisted(Role).create({ name }))
  await persisted(Mapping).create({
    roleId: role.id,
    principalType: named ? Model.modelName : 'USER',
    principalId: String(user.id)
  })
}
