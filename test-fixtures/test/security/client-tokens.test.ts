/** Tokens that clients make, where rules let them, open nothing that those who make them cannot (S-159). */
import t, { type Test } from 'tap'
import { attack, type Attacked, type Row } from './harness.js'
import { temporaryApp } from './folders.js'

const rule = (type: string, principalId: string, permission: string, more: object = {}): object =>
  ({ principalType: type, principalId, permission, ...more })

const shop = (t: Test): string => temporaryApp(t, {
  'server/boot/auth.js': `export default app => {
  app.enableAuth()
  const { Customer } = app.models
  Customer.prototype.ticket = async function (options) {
    return await this.createAccessToken({ ttl: 60, scopes: ['export'] }, options)
  }
  Customer.remoteMethod('prototype.ticket', {
    accepts: { arg: 'options', type: 'object', http: 'optionsFromRequest' }, returns: { arg: 'token', root: true }, http: { verb: 'post' }
  })
}`,
  // As many folders have it: users do with their own account what they like.
  'server/models/customer.json': {
    name: 'Customer', base: 'User', restrictResetPasswordTokenScope: true, acls: [rule('ROLE', '$owner', 'ALLOW', { property: '*' })]
  },
  'server/models/memo.json': {
    name: 'Memo', properties: { text: 'string' },
    methods: { exportAll: { accessScopes: ['export'], http: { verb: 'get', path: '/export/all' } } },
    acls: [
      rule('ROLE', '$everyone', 'DENY'),
      rule('ROLE', 'staff', 'ALLOW', { property: 'find' }),
      rule('APP', 'till', 'ALLOW', { property: 'count' }),
      rule('SCOPE', 'audit', 'ALLOW', { property: 'findOne' }),
      rule('ROLE', '$authenticated', 'ALLOW', { property: 'exists', accessAssurance: { acr: '2fa' } }),
      rule('ROLE', '$authenticated', 'ALLOW', { property: 'findById', accessAssurance: { acr: '1fa', maxAge: 300 } }),
      rule('ROLE', '$authenticated', 'ALLOW', { property: 'exportAll' })
    ]
  },
  'server/models/memo.js': 'export default Memo => { Memo.exportAll = async () => {} }',
  'server/model-config.json': {
    _meta: { sources: ['loopback/common/models', './models'] },
    ...Object.fromEntries(['AccessToken', 'ACL', 'Role', 'RoleMapping'].map(name => [name, { dataSource: 'db', public: false }])),
    Customer: { dataSource: 'db', public: true },
    Memo: { dataSource: 'db', public: true }
  }
})

const person = { email: 'ann@x.test', password: 'correct horse' }
const paths = ['/Memos', '/Memos/count', '/Memos/findOne', '/Memos/1/exists', '/Memos/export/all']

interface Answer {
  readonly status: number
  readonly body: Row & { readonly id: string, readonly error?: Row }
}

interface Made extends Attacked {
  readonly login: string
  /** What a token opens of the paths. */
  readonly opens: (token: string) => Promise<string[]>
  readonly make: (data: object, token?: string) => Promise<Answer>
}

async function start (t: Test): Promise<Made> {
  const server = await attack(t, shop(t), 'sqlite')
  const { models, send } = server
  await models.Customer?.create(person)
  await models.Memo?.create({ text: 'x' })
  const staff = await models.Role?.create({ name: 'staff' })
  await models.RoleMapping?.create({ roleId: staff?.id, principalType: 'APP', principalId: 'till' })
  const { id } = (await send('POST', '/Customers/login', { json: person })).body as Row
  return {
    ...server,
    login: id as string,
    opens: async token => {
      const statuses = await Promise.all(paths.map(async path => (await send('GET', path, { token })).status))
      return paths.filter((_, i) => (statuses[i] as number) < 300)
    },
    make: async (data, token = id as string) =>
      await send('POST', '/Customers/1/accessTokens', { json: data, token }) as never
  }
}

t.test('S-159 a client makes itself no token of an application, a scope, or a stronger login', async t => {
  // Seen to fail: access-token.ts without narrowScopes and withoutClaims: one token opened all five, and set a password
  const { login, make, opens, send, models } = await start(t)
  t.strictSame(await opens(login), [])
  const till = await models.AccessToken?.create({ userId: 1, ttl: 60, appId: 'till', scopes: ['DEFAULT', 'audit', 'export'], amr: ['mfa'] })
  t.strictSame(await opens(till?.id as string), paths, 'control: code of the application makes what it wants')
  for (const scopes of [['reset-password'], ['DEFAULT', 'audit'], ['export'], 'export', { 0: 'DEFAULT' }]) {
    const { status } = await make({ scopes })
    t.ok([403, 422].includes(status), JSON.stringify(scopes))
  }
  const made = await make({ ttl: 60, appId: 'till', amr: ['mfa', 'pop', 'user'], authTime: 4e9, scopes: ['DEFAULT'] })
  t.strictSame([made.status, await opens(made.body.id)], [200, []])
  t.equal((await send('POST', '/Customers/reset-password', { json: { newPassword: 'new secret' }, token: made.body.id })).status, 401)
})

t.test('S-159 nor a younger one', async t => {
  // Seen to fail: client-tokens.ts that sets amr where users have factors alone
  const { login, make, send, models } = await start(t)
  const see = async (token: string): Promise<number> => (await send('GET', '/Memos/1', { token })).status
  t.equal(await see(login), 200, 'control: a login of now')
  await models.AccessToken?.create({ id: 'old', userId: 1, ttl: 1e6, created: new Date(Date.now() - 600_000) })
  t.equal(await see('old'), 401)
  t.equal(await see((await make({}, 'old')).body.id), 401)
})

t.test('S-159 a token that is good for one thing makes none that is good for more', async t => {
  // Seen to fail: client-tokens.ts without the scopes of who makes one
  const { make, send, models } = await start(t)
  const narrow = await models.AccessToken?.create({ userId: 1, ttl: 60, scopes: ['export', 'DEFAULT'] })
  const { status, body } = await make({}, narrow?.id as string)
  t.strictSame([status, body.scopes], [200, ['export', 'DEFAULT']], 'all of its scopes, and no others')
  t.strictSame((await make({ scopes: ['DEFAULT'] }, narrow?.id as string)).body.scopes, ['DEFAULT'])
  t.equal((await make({ scopes: ['audit'] }, narrow?.id as string)).status, 403)
  t.equal((await send('GET', '/Memos/export/all', { token: body.id })).status, 204)
})

t.test('S-159 nobody widens a token that is there', async t => {
  // Seen to fail: access-token.ts without these names among the settled ones
  const { make, opens, send, models, login } = await start(t)
  const { id } = (await make({})).body
  const [row] = await models.AccessToken?.find({ where: { id } }) as Row[]
  for (const fk of [id, row?.id]) {
    for (const data of [{ scopes: ['DEFAULT', 'audit', 'export'], appId: 'till', amr: ['mfa'], authTime: 4e9 }]) {
      await send('PUT', `/Customers/1/accessTokens/${String(fk)}`, { json: data, token: login })
    }
  }
  t.strictSame(await opens(id), [])
  t.equal((await send('GET', '/Customers/1', { token: id })).status, 200, 'control: it is a token still')
})

t.test('S-159 methods of the application make tokens with scopes of their own', async t => {
  // Seen to fail: user/login.ts that hands the options on as they are: 403
  const { login, opens, send } = await start(t)
  const { status, body } = await send('POST', '/Customers/1/ticket', { token: login })
  t.match([status, (body as Row).scopes], [200, ['export']])
  t.strictSame(await opens((body as Row).id as string), ['/Memos/export/all'])
})
