/** Tokens and their owners: S-44, S-71, S-79. */
import path from 'node:path'
import tap, { type Test } from 'tap'
import { join, logIn, person } from './clients.js'
import { temporaryApp } from './folders.js'
import { attack, filterText, storeNames, type Attacked, type Row } from './harness.js'

type Files = Readonly<Record<string, unknown>>

const deny = { principalType: 'ROLE', principalId: '$everyone', permission: 'DENY' }
const owner = (property: unknown = '*'): object => ({ principalType: 'ROLE', principalId: '$owner', permission: 'ALLOW', property })
const tokenRoutes = ['get', 'create', 'delete', 'findById', 'updateById', 'destroyById', 'count'].map(verb => `__${verb}__accessTokens`)
const userModel = (name: string, extra: object = {}): object => ({ name, base: 'User', acls: [owner([...tokenRoutes, '__get__notes'])], ...extra })
const polymorphic = { foreignKey: 'userId', discriminator: 'principalType' }
const typedTokens = (model: string, more: object = {}): object => ({ type: 'hasMany', model, polymorphic: { ...polymorphic, ...more }, options: { disableInclude: true } })
const typedUser = (more: object = {}): object => ({ type: 'belongsTo', idName: 'id', polymorphic: { ...polymorphic, idType: 'number', ...more } })

/** A folder with these models (definitions by name) and these entries of model-config.json. */
function folder (t: Test, models: Readonly<Record<string, object>>, config: Readonly<Record<string, object>>, settings: object = {}, files: Files = {}): string {
  return temporaryApp(t, {
    'server/config.json': { host: '127.0.0.1', port: 0, remoting: { errorHandler: { log: false } }, ...settings },
    'server/boot/access.js': 'export default app => { app.enableAuth() }\n',
    ...Object.fromEntries(Object.entries(models).map(([name, definition]) => [`server/models/${name.toLowerCase()}.json`, definition])),
    'server/model-config.json': {
      _meta: { sources: ['loopback/common/models', './models'] },
      ...Object.fromEntries(Object.entries(config).map(([name, entry]) => [name, { dataSource: 'db', ...entry }]))
    },
    ...files
  })
}

const open = { public: true }
const closed = { public: false }
const users = { Customer: userModel('Customer'), Seller: userModel('Seller') }
const both = { Customer: open, Seller: open, AccessToken: closed, Role: closed, RoleMapping: closed, ACL: closed }
const limits = { account: { max: 100_000, timeWindow: 60_000 }, address: { max: 100_000, timeWindow: 60_000 } }

const codeOf = async (t: Test, app: string): Promise<string> =>
  await attack(t, app, 'memory').then(() => 'started', (error: { code?: string, message: string }) => error.code ?? error.message)

tap.test('S-71 a folder whose tokens do not tell its user models apart does not start without saying how', async t => {
  // Seen to fail: before this change all of these started
  const token = { Pass: { name: 'Pass', base: 'AccessToken' } }
  const own = (name: string): object => userModel(name, { relations: { accessTokens: { type: 'hasMany', model: 'Pass', foreignKey: 'userId' } } })
  const refused: ReadonlyArray<readonly [string, Parameters<typeof folder>[1], Parameters<typeof folder>[2]]> = [
    ['two on the built-in token model', users, both],
    ['not published, but no base of another', users, { ...both, Seller: closed }],
    ['one extends the other, both are published', { Customer: users.Customer }, { User: open, Customer: open, AccessToken: closed }],
    ['the tokens say that they are of one', users, { ...both, AccessToken: { ...closed, relations: { user: { type: 'belongsTo', model: 'Seller', foreignKey: 'userId' } } } }],
    ['a token model of their own', { ...token, Customer: own('Customer'), Seller: own('Seller') }, { Customer: open, Seller: open, Pass: closed }],
    ['one of the two relations compares ids only', { Pass: { ...token.Pass, relations: { user: typedUser() } }, Customer: userModel('Customer', { relations: { accessTokens: typedTokens('Pass') } }), Seller: own('Seller') },
      { Customer: open, Seller: open, Pass: closed }]
  ]
  for (const [what, models, config] of refused) t.equal(await codeOf(t, folder(t, models, config)), 'FBK_AUTH_UNTYPED_TOKENS', what)
  await t.rejects(attack(t, folder(t, users, both), 'memory'), /"Customer", "Seller".*"AccessToken".*polymorphic.*untypedTokens/, 'the error says which, and how')
  t.equal(await codeOf(t, folder(t, users, both, { auth: { untypedTokens: 'Nobody' } })), 'FBK_AUTH_INVALID_OPTIONS', 'a setting that names no user model')

  const started: typeof refused = [
    ['a base that is not published', { Customer: users.Customer }, { User: closed, Customer: open, AccessToken: closed }],
    ['the built-in model alone', {}, { User: open, AccessToken: closed }],
    ['tokens of their own for each', { ...token, Customer: users.Customer, Seller: own('Seller') }, { Customer: open, Seller: open, AccessToken: closed, Pass: closed }],
    ['polymorphic relations', { Pass: { ...token.Pass, relations: { user: typedUser() } }, Customer: userModel('Customer', { relations: { accessTokens: typedTokens('Pass') } }), Seller: userModel('Seller', { relations: { accessTokens: typedTokens('Pass') } }) },
      { User: closed, Customer: open, Seller: open, AccessToken: closed, Pass: closed }]
  ]
  for (const [what, models, config] of started) t.equal(await codeOf(t, folder(t, models, config)), 'started', what)
  for (const untypedTokens of ['Customer', 'Seller', false]) t.equal(await codeOf(t, folder(t, users, both, { auth: { untypedTokens } })), 'started', `untypedTokens ${untypedTokens}`)
})

tap.test('S-71 a discriminator other than principalType is refused at the start', async t => {
  // Seen to fail: before this change all of these started
  const Pass = (relation: object): object => ({ name: 'Pass', base: 'AccessToken', relations: { user: relation } })
  const Customer = (relation: object): object => userModel('Customer', { relations: { accessTokens: relation } })
  const config = { Customer: open, Pass: closed }
  const other = { discriminator: 'userType' }
  t.equal(await codeOf(t, folder(t, { Pass: Pass(typedUser(other)), Customer: Customer(typedTokens('Pass', other)) }, config)), 'FBK_AUTH_DISCRIMINATOR', 'on both sides')
  t.equal(await codeOf(t, folder(t, { Pass: Pass(typedUser()), Customer: Customer(typedTokens('Pass', other)) }, config)), 'FBK_AUTH_DISCRIMINATOR', 'of the user model')
  t.equal(await codeOf(t, folder(t, { Pass: Pass(typedUser(other)), Customer: Customer(typedTokens('Pass')) }, config)), 'FBK_AUTH_DISCRIMINATOR', 'of the token model')
  t.equal(await codeOf(t, folder(t, { Pass: Pass({ type: 'belongsTo', polymorphic: true }), Customer: Customer(typedTokens('Pass')) }, config)), 'FBK_AUTH_DISCRIMINATOR', 'one by default')
  t.equal(await codeOf(t, folder(t, { Pass: Pass(typedUser()), Customer: Customer(typedTokens('Pass')) }, config)), 'started', 'principalType')
})

const shop = {
  ...users,
  Customer: userModel('Customer', { relations: { notes: { type: 'hasMany', model: 'Note', polymorphic: { foreignKey: 'writerId', discriminator: 'writerType' } } } }),
  Seller: userModel('Seller', { relations: { notes: { type: 'hasMany', model: 'Note', polymorphic: { foreignKey: 'writerId', discriminator: 'writerType' } } } }),
  Note: { name: 'Note', properties: { text: 'string' }, relations: { writer: { type: 'belongsTo', polymorphic: { idType: 'number', foreignKey: 'writerId', discriminator: 'writerType' } } }, acls: [deny, owner()] },
  Bill: { name: 'Bill', properties: { userId: 'number' }, acls: [deny, owner()] },
  Offer: { name: 'Offer', properties: { userId: 'number' }, relations: { seller: { type: 'belongsTo', model: 'Seller', foreignKey: 'userId' } }, acls: [deny, owner()] },
  Draft: { name: 'Draft', properties: { userId: 'number' }, settings: { ownerFromToken: true }, acls: [deny, owner(), { principalType: 'ROLE', principalId: '$authenticated', permission: 'ALLOW', property: 'create' }] },
  Room: { name: 'Room', properties: { text: 'string' }, acls: [deny, { principalType: 'ROLE', principalId: 'chief', permission: 'ALLOW' }] }
}
const shopConfig = { ...both, User: closed, Note: open, Bill: open, Offer: open, Draft: open, Room: open }

/** A shop on a store, with customer 1 and seller 1. */
async function openShop (t: Test, store: string, untypedTokens: string | false = 'Customer'): Promise<{ server: Attacked, customer: string, seller: string, id: number }> {
  const auth = { rateLimit: limits, currentUserLiteral: 'me', untypedTokens }
  const server = await attack(t, folder(t, shop, shopConfig, { auth }), store)
  const customer = await join(server, 'sam', 'Customers')
  const seller = await join(server, 'sam', 'Sellers')
  t.equal(customer.id, seller.id)
  return { server, customer: customer.token, seller: seller.token, id: seller.id }
}

for (const store of storeNames) {
  tap.test(`${store}: one owner of a token`, async t => {
    const { server, customer, seller, id } = await openShop(t, store)
    const { send, models } = server
    const AccessToken = models.AccessToken as Attacked['models'][string]
    const refused = async (token: string, verb: string, path: string, json?: unknown): Promise<void> => {
      const { status } = await send(verb, path, { token, json })
      t.ok(status >= 400 && status < 500, `${verb} ${path}: ${status}`)
    }

    t.test('S-71 the token of one user model is nobody\'s on another: records, passwords, me, tokens, logout', async t => {
      // Seen to fail: before this change (with the start's check left out); then with isOwner's `caller.userModel === Model` true for all, and callerId of auth/user/remote-methods.ts without its check
      const login = await send('POST', '/Sellers/login', { json: { username: 'sam', password: 'sam-secret' } })
      t.same(Object.keys(login.body as Row).sort(), ['created', 'id', 'ttl', 'userId'], 'the answer is as LoopBack has it')
      t.same((await AccessToken.find({ order: 'principalType' })).map(({ principalType }) => principalType), ['Customer', 'Seller', 'Seller'], 'each names its model')
      for (const [token, other] of [[customer, 'Sellers'], [seller, 'Customers']] as const) {
        const [stolen] = await AccessToken.find({ where: { principalType: other.slice(0, -1) } }) as [Row]
        for (const path of [`/${other}/${id}`, `/${other}/me`, `/${other}/${id}/notes`, `/${other}/me/notes`, `/${other}/me/accessTokens`, `/${other}/${id}/accessTokens`, `/${other}/${id}/accessTokens/count`,
          `/${other}/${id}/accessTokens/${String(stolen.id)}`, `/${other}/00${id}`, `/${other}/${id}.0`]) await refused(token, 'GET', path)
        await refused(token, 'PATCH', `/${other}/${id}`, { password: 'stolen' })
        await refused(token, 'PUT', `/${other}/${id}`, person('sam', { password: 'stolen' }))
        await refused(token, 'PATCH', `/${other}/me`, { password: 'stolen' })
        await refused(token, 'POST', `/${other}/${id}/replace`, person('sam', { password: 'stolen' }))
        await refused(token, 'POST', `/${other}/change-password`, { oldPassword: 'sam-secret', newPassword: 'stolen' })
        await refused(token, 'POST', `/${other}/reset-password`, { newPassword: 'stolen' })
        await refused(token, 'POST', `/${other}/${id}/accessTokens`, {})
        await refused(token, 'DELETE', `/${other}/${id}/accessTokens`)
        await refused(token, 'DELETE', `/${other}/${id}/accessTokens/${String(stolen.id)}`)
        await refused(token, 'DELETE', `/${other}/${id}`)
        await refused(token, 'POST', `/${other}/logout`)
      }
      for (const [token, own] of [[customer, 'Customers'], [seller, 'Sellers']] as const) {
        for (const path of [`/${own}/${id}`, `/${own}/me`, `/${own}/me/notes`, `/${own}/me/accessTokens`]) t.equal((await send('GET', path, { token })).status, 200, path)
        t.ok(await logIn(send, 'sam', own), 'the password is the old one')
      }
    })

    t.test('S-71 the relation of tokens gives and takes only those of its model, and none is turned into another\'s', async t => {
      // Seen to fail: nameTokens of auth/tokens/name-tokens.ts without completing "accessTokens"; mustKeep left out of updateById
      const mine = (await send('GET', `/Sellers/${id}/accessTokens`, { token: seller })).body as Row[]
      t.equal(mine.length, await AccessToken.count({ principalType: 'Seller' }))
      const made = await send('POST', `/Sellers/${id}/accessTokens`, { token: seller, json: { principalType: 'Customer', userId: id } })
      const { id: text } = made.body as { id: string }
      t.equal((await send('GET', `/Customers/${id}`, { token: text })).status, 401, 'made with another name')
      t.equal((await send('GET', `/Sellers/${id}`, { token: text })).status, 200)
      for (const json of [{ principalType: 'Customer' }, { principalType: null }, { principalType: 'User', ttl: 5 }]) await send('PUT', `/Sellers/${id}/accessTokens/${text}`, { token: seller, json })
      t.equal((await send('GET', `/Customers/${id}`, { token: text })).status, 401, 'changed to another name')
      t.equal((await send('GET', `/Sellers/${id}`, { token: text })).status, 200)
      await (models.Seller?.updateAll as (where: object, data: object) => Promise<unknown>)({ id }, { realm: 'sellers' })
      const included = JSON.parse(JSON.stringify(await AccessToken.find({ include: 'user' }))) as Array<{ user: Row }>
      t.same([...new Set(included.map(({ user }) => user.realm ?? 'customers'))].sort(), ['customers', 'sellers'], 'include of the user')
      const before = await AccessToken.count({ principalType: 'Customer' })
      t.equal((await send('DELETE', `/Sellers/${id}/accessTokens/${text}`, { token: seller })).status, 204)
      t.equal(await AccessToken.count({ principalType: 'Customer' }), before)
    })

    t.test('S-44 $owner of rows: `userId`, relations, polymorphic ones, and keys from the token', async t => {
      // Seen to fail: modelOfKey of acl/roles/owner.ts always caller.userModel; userModelOf without the row's discriminator
      const rows: ReadonlyArray<readonly [string, Row, string]> = [
        ['Bill', { userId: id }, customer],
        ['Offer', { userId: id }, seller],
        ['Note', { writerId: id, writerType: 'Customer' }, customer],
        ['Note', { writerId: id, writerType: 'Seller' }, seller]
      ]
      for (const [model, data, token] of rows) {
        const { id: row } = await models[model]?.create(data) as Row
        const what = `${model} ${JSON.stringify(data)}`
        t.equal((await send('GET', `/${model}s/${String(row)}`, { token })).status, 200, `${what}: its owner`)
        t.equal((await send('GET', `/${model}s/${String(row)}`, { token: token === seller ? customer : seller })).status, 401, `${what}: the same id of another model`)
        t.equal((await send('PATCH', `/${model}s/${String(row)}`, { token: token === seller ? customer : seller, json: { text: 'x' } })).status, 401, what)
      }
      for (const data of [{ writerId: id, writerType: 'User' }, { writerId: id }, { writerId: id, writerType: 'Offer' }]) {
        const { id: row } = await models.Note?.create(data) as Row
        for (const token of [customer, seller]) t.equal((await send('GET', `/Notes/${String(row)}`, { token })).status, 401, JSON.stringify(data))
      }
      const drafts = [await send('POST', '/Drafts', { token: seller, json: { userId: id } }), await send('POST', '/Drafts', { token: customer, json: { userId: 999 } })]
      t.same(drafts.map(({ body }) => (body as Row).userId ?? undefined), [undefined, id], 'a `userId` is the customer\'s')
      const list = await send('GET', `/Notes/findOne?${filterText({ where: { writerId: id } })}`, { token: seller })
      t.equal(list.status, 401, 'collections have no owner')
    })

    t.test('S-44 roles are of a model and an id, by name and by USER', async t => {
      // Seen to fail: principalTypes of auth/user/user-models.ts giving USER to every model
      const role = await models.Role?.create({ name: 'chief' }) as Row
      const status = async (token: string): Promise<number> => (await send('GET', '/Rooms', { token })).status
      for (const [principalType, who] of [['Seller', seller], ['Customer', customer], ['USER', customer]] as const) {
        const mapping = await models.RoleMapping?.create({ roleId: role.id, principalType, principalId: id }) as Row
        t.same([await status(who), await status(who === seller ? customer : seller)], [200, 401], principalType)
        const isInRole = models.Role?.isInRole as (role: string, context: object) => Promise<boolean>
        t.same(await Promise.all(['Seller', 'Customer', 'USER'].map(async type => await isInRole.call(models.Role, 'chief', { principalType: type, principalId: id }))),
          who === seller ? [true, false, false] : [false, true, true], `isInRole, ${principalType}`)
        await models.RoleMapping?.destroyAll({ id: mapping.id })
      }
    })

    t.test('S-71 tokens without a name are of the model that the setting names, and end with its passwords', async t => {
      // Seen to fail: ofUnnamed of auth/user/user-models.ts giving the first model; tokenCondition without the rows that have no name
      const old = await logIn(send, 'sam', 'Customers')
      await (AccessToken.updateAll as (where: object, data: object) => Promise<unknown>)({ principalType: 'Customer' }, { principalType: null })
      t.equal((await send('GET', `/Customers/${id}`, { token: old })).status, 200)
      t.equal((await send('GET', `/Sellers/${id}`, { token: old })).status, 401)
      await (models.Customer as unknown as { updateAll (where: object, data: object): Promise<unknown> }).updateAll({ id }, { password: 'new' })
      t.equal((await send('GET', `/Customers/${id}`, { token: old })).status, 401, 'a changed password ends them')
      t.equal((await send('GET', `/Sellers/${id}`, { token: seller })).status, 200, 'and none of the other model')
    })
  })
}

tap.test('S-71 with `untypedTokens: false` a token without a name opens nothing', async t => {
  // Seen to fail: ofUnnamed of auth/user/user-models.ts without its look at the setting
  const { server: { send, models }, customer, id } = await openShop(t, 'memory', false)
  t.equal((await send('GET', `/Customers/${id}`, { token: customer })).status, 200)
  await (models.AccessToken?.updateAll as (where: object, data: object) => Promise<unknown>)({}, { principalType: null })
  for (const path of [`/Customers/${id}`, `/Sellers/${id}`, '/Customers/me', '/Rooms']) t.equal((await send('GET', path, { token: customer })).status, 401, path)
})

tap.test('S-71 a second user model on tables of before: names are stored at the start, or the start is refused', async t => {
  // Seen to fail: nameOldTokens of auth/tokens/unnamed-tokens.ts not called
  const alone = folder(t, shop, { ...shopConfig, Seller: { dataSource: null, public: false }, User: { dataSource: null, public: false } })
  const url = `sqlite:${path.join(alone, 'shop.db')}`
  const stored = (migrate: string): object => ({ dataSources: { db: { connector: 'sql', url, migrate } } })
  let old = ''
  await t.test('one user model', async t => {
    const server = await attack(t, alone, 'sqlite', stored('update'))
    old = (await join(server, 'sam', 'Customers')).token
  })
  const later = folder(t, shop, shopConfig, { auth: { untypedTokens: 'Customer' } })
  await t.rejects(attack(t, later, 'sqlite', stored('none')), { code: 'FBK_AUTH_TOKEN_COLUMN' }, 'a table without the column')
  const { send, models } = await attack(t, later, 'sqlite', stored('update'))
  t.same((await models.AccessToken?.find())?.map(({ principalType }) => principalType), ['Customer'])
  const seller = await join({ send } as Attacked, 'sam', 'Sellers')
  t.equal((await send('GET', '/Customers/1', { token: old })).status, 200)
  t.equal((await send('GET', `/Sellers/${seller.id}`, { token: old })).status, 401)
})
