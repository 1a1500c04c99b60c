/**
 * Rules of access in code, the plugin's options, and what role resolvers are told. Checked by `tsc` alone (`npm run
 * types`): every line below fails to compile when a type is not what it should be.
 *
 * What no type can know: names of roles (`principalId`), which are rows; methods of models that are not closed.
 */
import { Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import { defineModel, type Models } from '@fastback/core'
import { acl, type AclOptions, type Resolver, type ResolverContext } from '@fastback/acl'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false
const expect = <T extends true>(): T | undefined => undefined
const use = (..._values: unknown[]): void => {}
declare const app: FastifyInstance
declare const word: string

const Note = defineModel({
  name: 'AclNote',
  properties: Type.Object({ title: Type.String(), secret: Type.Optional(Type.String()) }),
  relations: { owner: { type: 'belongsTo', model: 'User', foreignKey: 'ownerId' } },
  scopes: { fresh: { limit: 5 } },
  methods: {
    total: { returns: { arg: 'n', type: 'number' }, async run () { return await this.count() } },
    'prototype.close': { async run () { await this.save() } }
  },
  acls: [
    { principalType: 'ROLE', principalId: '$everyone', permission: 'DENY', property: '*' },
    { principalType: 'ROLE', principalId: '$owner', permission: 'ALLOW', property: ['total', 'close', 'prototype.close', '__get__owner', '__get__fresh', 'find', 'title'] },
    { principalType: 'USER', principalId: 7, permission: 'ALLOW', accessType: 'EXECUTE' },
    { principalType: 'APP', principalId: 'x', permission: 'ALARM', accessType: 'REPLICATE' },
    { principalType: 'User', principalId: 7, permission: 'AUDIT', property: 'prototype.*' },
    { principalType: word, principalId: word, permission: word, accessType: word, property: [word, 'find'] }
  ]
})
declare module '@fastback/core' { interface ModelTypes { AclNote: typeof Note } }

const rule = { name: 'AclWrong', properties: Type.Object({ title: Type.String() }) } as const
const wrongs = [
  // @ts-expect-error no such kind of principal
  defineModel({ ...rule, acls: [{ principalType: 'role', principalId: '$everyone', permission: 'DENY' }] }),
  // @ts-expect-error no such permission
  defineModel({ ...rule, acls: [{ principalType: 'ROLE', principalId: '$everyone', permission: 'Allow' }] }),
  // @ts-expect-error no such kind of access
  defineModel({ ...rule, acls: [{ principalType: 'ROLE', principalId: '$everyone', permission: 'ALLOW', accessType: 'read' }] }),
  // @ts-expect-error no such method
  defineModel({ ...rule, acls: [{ principalType: 'ROLE', principalId: '$everyone', permission: 'ALLOW', property: 'findd' }] }),
  // @ts-expect-error no such relation
  defineModel({ ...rule, acls: [{ principalType: 'ROLE', principalId: '$everyone', permission: 'ALLOW', property: '__get__owner' }] }),
  // @ts-expect-error an id is a text or a number
  defineModel({ ...rule, acls: [{ principalType: 'ROLE', principalId: true, permission: 'ALLOW' }] }),
  // @ts-expect-error a method has a name
  defineModel({ ...rule, acls: [{ principalType: 'ROLE', principalId: 'x', permission: 'ALLOW', property: 5 }] }),
  // @ts-expect-error no such key
  defineModel({ ...rule, acls: [{ principalType: 'ROLE', principalId: 'x', permission: 'ALLOW', properties: ['find'] }] }),
  // @ts-expect-error a list of rules holds objects
  defineModel({ ...rule, acls: ['ALLOW'] }),
  // @ts-expect-error none of its words
  defineModel({ ...rule, defaultPermission: 'Deny' })
]

async function plugin (): Promise<void> {
  await app.register(acl)
  await app.register(acl, {})
  await app.register(acl, { dataSource: 'db' })
  const options: AclOptions = { dataSource: word }
  await app.register(acl, options)
  // @ts-expect-error no such option
  await app.register(acl, { datasource: 'db' })
  // @ts-expect-error the name of a data source
  await app.register(acl, { dataSource: 5 })
  // @ts-expect-error a setting of the registry
  await app.register(acl, { defaultPermission: 'DENY' })
}

async function resolvers ({ Role, RoleMapping, ACL, User, AclNote }: Models): Promise<void> {
  Role.registerResolver('$team', async (role, context) => {
    expect<Equal<typeof role, string>>()
    expect<Equal<typeof context, ResolverContext>>()
    // Ids of any model, until it is said.
    expect<Equal<typeof context.modelId, string | number | undefined>>()
    // @ts-expect-error no such member
    use(context.userId)
    return context.isAuthenticated()
  })
  Role.registerResolver<number>('$author', async (_role, { modelId, getUserId }) => {
    expect<Equal<typeof modelId, number | undefined>>()
    const note = modelId === undefined ? null : await AclNote.findById(modelId)
    return note?.ownerId === getUserId()
  })
  Role.registerResolver('$old', (_role, context: ResolverContext<string>, done) => { done(null, context.modelId?.length === 3) })
  const resolver: Resolver<number> = (_role, { modelId }) => modelId === 5
  Role.registerResolver('$five', resolver)
  // @ts-expect-error ids of numbers are no texts
  Role.registerResolver<number>('$wrong', (_role, { modelId }) => modelId?.startsWith('x'))
  // @ts-expect-error a resolver is a function
  Role.registerResolver('$wrong', true)
  // @ts-expect-error the name comes first
  Role.registerResolver('$wrong', (role: number) => role === 5)
  // @ts-expect-error no more than three parameters
  Role.registerResolver('$wrong', (_role, _context, _done, next) => next)

  // Ids of users are taken as they are, and are texts in the rows.
  const user = await User.findOne()
  if (user === null) return
  const admin = await Role.create({ name: 'admin' })
  await admin.principals.create({ principalType: RoleMapping.USER, principalId: user.id })
  await RoleMapping.create({ principalType: RoleMapping.ROLE, principalId: 'admin', roleId: admin.id })
  await ACL.create({ model: 'AclNote', property: 'find', accessType: 'READ', permission: 'DENY', principalType: ACL.USER, principalId: user.id })
  await RoleMapping.find({ where: { principalId: String(user.id) } })
  // @ts-expect-error an id is a text or a number
  await RoleMapping.create({ principalType: 'USER', principalId: user })
  // @ts-expect-error no such member
  await Role.isInRole('admin', { principaltype: 'USER', principalId: user.id })
  // @ts-expect-error who is asked about is an object
  await Role.isInRole('admin', user.id)
}
use(wrongs, plugin, resolvers)
