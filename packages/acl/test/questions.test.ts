/** Questions that code of applications asks about access: `ACL.checkPermission` and its kin. */
import type { SharedMethod } from '@fastback/core'
import { accessReviewIn, sharedMethodsOf } from '@fastback/core/remote'
import t from 'tap'
import { AccessContext, AccessRequest, Principal } from '@fastback/acl/access'
import { makeApp } from './app.js'

const note = {
  name: 'Note',
  properties: { title: 'string' },
  acls: [
    { accessType: '*', principalType: 'ROLE', principalId: '$everyone', permission: 'DENY' },
    { accessType: 'READ', principalType: 'ROLE', principalId: 'admin', permission: 'ALLOW' },
    { accessType: 'EXECUTE', property: ['find', 'count'], principalType: 'ROLE', principalId: '$authenticated', permission: 'ALLOW' }
  ]
} as const

t.test('rules of a definition and of rows answer by promise and by callback', async t => {
  const app = await makeApp(t, { definitions: [note as never, { name: 'Open' }] })
  const { ACL, AccessToken } = app.models
  t.equal(ACL.DEFAULT_SCOPE, 'DEFAULT')
  t.strictSame(ACL.getStaticACLs('Note', 'find').map((each: { property: string }) => each.property), ['*', '*', 'find'])
  const row = { principalType: 'USER', principalId: '2', model: 'Open', property: 'find' }
  await ACL.create([{ ...row, accessType: 'READ', permission: 'DENY' }, { ...row, accessType: 'WRITE', permission: 'ALLOW' }])
  const permission = async (accessType: string): Promise<string> =>
    (await ACL.checkPermission('USER', 2, 'Open', 'find', accessType)).permission
  t.strictSame([await permission('READ'), await permission('WRITE'), await permission('*')], ['DENY', 'ALLOW', 'DENY'])
  const called = await new Promise<AccessRequest>((resolve, reject) => {
    ACL.checkPermission('USER', 1, 'Open', 'find', 'READ', (error: Error | null, request: AccessRequest) => {
      if (error === null) resolve(request)
      else reject(error)
    })
  })
  t.ok(called instanceof AccessRequest)
  t.ok(called.isAllowed(), 'nobody said anything')

  const token = await AccessToken.findById(app.tokens.ann)
  const ask = async (asked: object): Promise<boolean> => (await ACL.checkAccessForContext(asked)).isAllowed()
  t.ok(await ask({ model: 'Note', property: 'find', accessType: 'READ', accessToken: token }))
  t.notOk(await ask({ model: 'Note', property: 'create', accessType: 'WRITE', accessToken: token }))
  t.notOk(await ask({ model: 'Note', property: 'find', accessType: 'READ' }))
  t.ok(await ask({ model: 'Note', property: 'findById', accessType: 'READ', principalType: 'USER', principalId: 3 }))
  const remotingContext = { args: { options: {} as { authorizedRoles?: object } } }
  await ask({ model: 'Note', property: 'find', accessType: 'READ', accessToken: token, remotingContext })
  t.strictSame(remotingContext.args.options.authorizedRoles, { $authenticated: true })
  t.ok(await ACL.checkAccessForToken(token, 'Note', undefined, 'find'))
  t.notOk(await ACL.checkAccessForToken(token, 'Note', undefined, 'create'))
})

t.test('the rule that says more of a request decides', async t => {
  const { models: { ACL } } = await makeApp(t, { definitions: [] })
  const rules = [
    { model: 'account', accessType: '*', permission: 'DENY', principalType: 'ROLE', principalId: '$everyone' },
    { model: 'account', accessType: '*', permission: 'ALLOW', principalType: 'ROLE', principalId: '$owner' }
  ].map(rule => new ACL(rule))
  const request = { model: 'account', property: 'find', accessType: 'WRITE' }
  t.equal(ACL.resolvePermission(rules, request).permission, 'ALLOW')
  t.ok(rules[1].score(request) > rules[0].score(request))
  t.equal(ACL.getMatchingScore({ model: 'other' }, request), -1)
  t.equal(ACL.isAllowed('DEFAULT', 'DENY'), false)
})

t.test('principals by name, and what maps them to roles', async t => {
  const { models: { ACL, Role, RoleMapping, Scope } } = await makeApp(t, { definitions: [] })
  t.equal((await ACL.resolvePrincipal('USER', 'ann')).email, 'ann@x.test')
  t.equal((await ACL.resolvePrincipal('USER', 'ann@x.test')).username, 'ann')
  t.equal((await ACL.resolvePrincipal('ROLE', 'admin')).name, 'admin')
  await t.rejects(ACL.resolvePrincipal('Nobody', 1), { statusCode: 400, code: 'INVALID_PRINCIPAL_TYPE' })
  t.equal(await ACL.isMappedToRole('USER', 'adam', 'admin'), true)
  t.equal(await ACL.isMappedToRole('USER', 'ann', 'admin'), false)
  const mapping = await RoleMapping.findOne()
  t.equal((await mapping.user()).username, 'adam')
  t.equal(await mapping.application(), null)
  t.equal(await mapping.childRole(), null)
  const admin = await Role.findOne({ where: { name: 'admin' } })
  const child = await RoleMapping.create({ roleId: admin.id, principalType: 'ROLE', principalId: admin.id })
  t.equal((await child.childRole()).name, 'admin')
  t.type(Scope.checkPermission, 'function')
})

t.test('contexts and principals', async t => {
  const app = await makeApp(t, { definitions: [note as never] })
  const { registry } = app
  t.ok(new Principal('USER', 7).equals(new Principal(Principal.USER, '7')))
  t.notOk(new Principal('USER', 7).equals({ type: 'USER', id: 7 }))
  const accessToken = await app.models.AccessToken.findById(app.tokens.ben)
  const context = new AccessContext({ registry, accessToken, model: 'Note' })
  t.strictSame([context.getUserId(), context.isAuthenticated(), context.getAppId()], [2, true, null])
  t.equal(context.addPrincipal('USER', '2'), false)
  t.equal(context.addPrincipal('APP', 'x'), true)
  t.equal(context.getAppId(), 'x')
  const nobody = new AccessContext({ registry, principalType: 'ROLE', principalId: 'admin' })
  t.strictSame([nobody.getUser(), nobody.isAuthenticated(), nobody.isScopeAllowed()], [undefined, false, true])
  const other = Object.assign(Object.create(accessToken as object) as typeof accessToken, { scopes: ['x'] })
  t.notOk(new AccessContext({ registry, accessToken: other }).isScopeAllowed())
})

t.test('the row at hand has two names', async t => {
  const app = await makeApp(t, { definitions: [{ name: 'Memo', properties: { userId: 'number' } }] })
  const { Memo, Role } = app.models
  const { id } = await Memo.create({ userId: 1 })
  for (const [principalId, owns] of [[1, true], [2, false]]) {
    const asked = { principalType: 'USER', principalId, model: Memo }
    t.equal(await Role.isInRole('$owner', { ...asked, id }), owns)
    t.equal(await Role.isInRole('$owner', { ...asked, modelId: id }), owns)
  }
})

t.test('who may call a method, in words', async t => {
  const allow = (principalId: string, property: string, principalType = 'ROLE'): object =>
    ({ principalType, principalId, property, permission: 'ALLOW' })
  const Owned = {
    name: 'Owned',
    acls: [
      { principalType: 'ROLE', principalId: '$everyone', permission: 'DENY' },
      allow('$everyone', 'count'), allow('$authenticated', 'find'), allow('$unauthenticated', 'exists'),
      allow('admin', 'patchAttributes'), allow('$owner', 'patchAttributes'), allow('7', 'findOne', 'USER')
    ]
  }
  const app = await makeApp(t, { definitions: [Owned as never, { name: 'Open' }] })
  const { callersOf } = accessReviewIn(app.registry)
  const said = async (model: string, name: string): Promise<string | undefined> => {
    const method = sharedMethodsOf(app.registry.getModel(model)).find(each => each.name === name)
    return await callersOf?.(method as SharedMethod)
  }
  for (const [name, callers] of [
    ['count', 'everyone'], ['find', 'logged in'], ['exists', 'not logged in'], ['patchAttributes', 'owner, admin'],
    ['findOne', 'one user'], ['create', 'nobody']
  ] as const) t.equal(await said('Owned', name), callers, name)
  t.equal(await said('Open', 'find'), 'everyone')
})
