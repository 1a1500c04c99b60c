/**
 * Built-in models of this package. Checked by `tsc` alone (`npm run types`): every line below fails to compile when a
 * type is not what it should be.
 */
import { defineModel, type Models } from '@fastback/core'
import '@fastback/acl'

const use = (..._values: unknown[]): void => {}

const Rank = defineModel({ name: 'AclRank', base: 'Role', properties: { level: { type: 'number', default: 1 } } })

declare module '@fastback/core' {
  interface ModelTypes { AclRank: typeof Rank }
}

async function roles ({ AclRank, Role, RoleMapping, ACL }: Models): Promise<void> {
  const admin = await Role.create({ name: 'admin' })
  await admin.principals.create({ principalType: RoleMapping.USER, principalId: '1' })
  const isAdmin: boolean = await Role.isInRole('admin', { principalType: 'USER', principalId: 1 })
  Role.registerResolver('$team', async (_role, context) => context.isAuthenticated())
  const rank = await AclRank.findOne({ where: { name: 'chief', level: { gt: 2 } }, include: 'principals' })
  const name: string | undefined = rank?.name
  const level: number | null | undefined = rank?.level
  const allowed = await ACL.checkPermission('ROLE', 'admin', 'Note', 'create', 'WRITE')
  use(isAdmin, name, level, allowed.isAllowed())
  // @ts-expect-error a role needs a name
  await Role.create({ description: 'x' })
  // @ts-expect-error no such property
  await ACL.find({ where: { permision: 'DENY' } })
}

use(roles)
