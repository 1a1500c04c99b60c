/** Users of an application, for who develops it: `users.json`. */
import { rolesOfUser } from '@fastback/acl/review'
import { userModelsOf } from '@fastback/auth/service'
import type { ModelClass, ModelRegistry, Row } from '@fastback/core'
import { findRows } from '@fastback/core/remote'
import type { ListedUser, UserList } from '@fastback/ui/contracts'
import { Type, type Static } from '@sinclair/typebox'

export const UsersQuery = Type.Object({
  q: Type.Optional(Type.String({ maxLength: 200 })),
  limit: Type.Optional(Type.String({ pattern: '^[1-9][0-9]{0,2}$' }))
})

/** Users that are listed where nothing is said. */
const usual = 50

export async function usersOf (
  registry: ModelRegistry, { q = '', limit }: Static<typeof UsersQuery>
): Promise<UserList> {
  const most = limit === undefined ? usual : Number(limit)
  const users: ListedUser[] = []
  for (const Model of userModelsOf(registry).inUse) {
    if (Model.dataSource === null || users.length > most) continue
    const rows = await findRows(Model.compiled, filterOf(Model, q, most + 1 - users.length), { notify: false })
    users.push(...await Promise.all(rows.map(async row => await listed(registry, Model, row))))
  }
  return { users: users.slice(0, most), more: users.length > most }
}

const names = ['username', 'email'] as const

/** Texts are compared as they are written: `q` is no pattern. */
function filterOf ({ compiled: { id, propertyByName } }: ModelClass, q: string, limit: number): object {
  const fields = [...id === undefined ? [] : [id.name], ...names.filter(name => propertyByName.has(name))]
  const order = { order: id?.name, limit, fields }
  if (q === '') return order
  const beginning = q.replace(/[\\%_]/g, '\\$&')
  return { ...order, where: { or: names.filter(name => fields.includes(name)).map(name => ({ [name]: { like: `${beginning}%` } })) } }
}

async function listed (registry: ModelRegistry, Model: ModelClass, row: Row): Promise<ListedUser> {
  const id = row[Model.compiled.id?.name ?? 'id']
  const { username, email } = row
  return {
    model: Model.modelName,
    id: typeof id === 'number' ? id : String(id),
    ...(typeof username === 'string' ? { username } : {}),
    ...(typeof email === 'string' ? { email } : {}),
    roles: await rolesOfUser(registry, { userId: id, principalType: Model.modelName })
  }
}
