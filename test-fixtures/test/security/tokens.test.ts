/** Tokens and their owners: S-44, S-71. */
import tap from 'tap'
import { logIn, person } from './clients.js'
import { filterText, storeNames, type Attacked, type Row } from './harness.js'
import { openShop } from './shop.js'

for (const store of storeNames) {
  tap.test(`${store}: one owner of a token`, async t => {
    const { server, customer, seller, id } = await openShop(t, store)
    const { send, models } = server
    const AccessToken = models.AccessToken as Attacked['models'][string]
    const refused = async (token: string, verb: string, path: string, json?: unknown): Promise<void> => {
      const { status } = await send(verb, path, { token, json })
      t.ok(status >= 400 && status < 500, `${verb} ${path}: ${status}`)
    }

    t.test("S-71 P-18 a token is nobody's on another user model: records, passwords, me, logout", async t => {
      // Seen to fail: `caller.userModel === Model` of acl/roles/owner.ts true for every user; callerId of
      // auth/user/remote-methods.ts without its check; tokenCondition of auth/user/token-condition.ts giving `where`
      const login = await send('POST', '/Sellers/login', { json: { username: 'sam', password: 'sam-secret' } })
      t.same(
        Object.keys(login.body as Row).sort(),
        ['created', 'id', 'ttl', 'userId'],
        'the answer is as LoopBack has it'
      )
      t.same(
        (await AccessToken.find({ order: 'principalType' })).map(({ principalType }) => principalType),
        ['Customer', 'Seller', 'Seller'],
        'each names its model'
      )
      for (const [token, other] of [
        [customer, 'Sellers'],
        [seller, 'Customers']
      ] as const) {
        const [stolen] = (await AccessToken.find({ where: { principalType: other.slice(0, -1) } })) as [Row]
        for (const path of [
          `/${other}/${id}`,
          `/${other}/me`,
          `/${other}/${id}/notes`,
          `/${other}/me/notes`,
          `/${other}/me/accessTokens`,
          `/${other}/${id}/accessTokens`,
          `/${other}/${id}/accessTokens/count`,
          `/${other}/${id}/accessTokens/${String(stolen.id)}`,
          `/${other}/00${id}`,
          `/${other}/${id}.0`
        ]) {
          await refused(token, 'GET', path)
        }
        await refused(token, 'PATCH', `/${other}/${id}`, { password: 'stolen' })
        await refused(token, 'PUT', `/${other}/${id}`, person('sam', { password: 'stolen' }))
        await refused(token, 'PATCH', `/${other}/me`, { password: 'stolen' })
        await refused(token, 'POST', `/${other}/${id}/replace`, person('sam', { password: 'stolen' }))
        await refused(token, 'POST', `/${other}/change-password`, {
          oldPassword: 'sam-secret',
          newPassword: 'stolen'
        })
        await refused(token, 'POST', `/${other}/reset-password`, { newPassword: 'stolen' })
        await refused(token, 'POST', `/${other}/${id}/accessTokens`, {})
        await refused(token, 'DELETE', `/${other}/${id}/accessTokens`)
        await refused(token, 'DELETE', `/${other}/${id}/accessTokens/${String(stolen.id)}`)
        await refused(token, 'DELETE', `/${other}/${id}`)
        await refused(token, 'POST', `/${other}/logout`)
      }
      for (const [token, own] of [
        [customer, 'Customers'],
        [seller, 'Sellers']
      ] as const) {
        for (const path of [`/${own}/${id}`, `/${own}/me`, `/${own}/me/notes`, `/${own}/me/accessTokens`]) {
          t.equal((await send('GET', path, { token })).status, 200, path)
        }
        t.ok(await logIn(send, 'sam', own), 'the password is the old one')
      }
    })

    t.test("S-71 relations give and take tokens of their model; none becomes another's", async t => {
      // Seen to fail: nameTokens of auth/tokens/name-tokens.ts without completing "accessTokens"; without "user"
      const mine = (await send('GET', `/Sellers/${id}/accessTokens`, { token: seller })).body as Row[]
      t.equal(mine.length, await AccessToken.count({ principalType: 'Seller' }))
      const made = await send('POST', `/Sellers/${id}/accessTokens`, {
        token: seller,
        json: { principalType: 'Customer', userId: id }
      })
      const { id: text } = made.body as { id: string }
      t.equal((await send('GET', `/Customers/${id}`, { token: text })).status, 401, 'made with another name')
      t.equal((await send('GET', `/Sellers/${id}`, { token: text })).status, 200)
      for (const json of [
        { principalType: 'Customer' },
        { principalType: null },
        { principalType: 'User', ttl: 5 }
      ]) {
        await send('PUT', `/Sellers/${id}/accessTokens/${text}`, { token: seller, json })
      }
      t.equal((await send('GET', `/Customers/${id}`, { token: text })).status, 401, 'changed to another name')
      t.equal((await send('GET', `/Sellers/${id}`, { token: text })).status, 200)
      await (models.Seller?.updateAll as (where: object, data: object) => Promise<unknown>)(
        { id },
        { realm: 'sellers' }
      )
      const included = JSON.parse(JSON.stringify(await AccessToken.find({ include: 'user' }))) as Array<{
        user: Row
      }>
      t.same(
        [...new Set(included.map(({ user }) => user.realm ?? 'customers'))].sort(),
        ['customers', 'sellers'],
        'include of the user'
      )
      const before = await AccessToken.count({ principalType: 'Customer' })
      t.equal((await send('DELETE', `/Sellers/${id}/accessTokens/${text}`, { token: seller })).status, 204)
      t.equal(await AccessToken.count({ principalType: 'Customer' }), before)
    })

    t.test('S-44 $owner of rows: `userId`, relations, polymorphic ones, and keys from the token', async t => {
      // Seen to fail: makeTest of acl/roles/owner.ts without asking modelOfKey; leadsTo true for every user
      const rows: ReadonlyArray<readonly [string, Row, string]> = [
        ['Bill', { userId: id }, customer],
        ['Offer', { userId: id }, seller],
        ['Note', { writerId: id, writerType: 'Customer' }, customer],
        ['Note', { writerId: id, writerType: 'Seller' }, seller]
      ]
      for (const [model, data, token] of rows) {
        const { id: row } = (await models[model]?.create(data)) as Row
        const what = `${model} ${JSON.stringify(data)}`
        t.equal((await send('GET', `/${model}s/${String(row)}`, { token })).status, 200, `${what}: its owner`)
        t.equal(
          (await send('GET', `/${model}s/${String(row)}`, { token: token === seller ? customer : seller })).status,
          401,
          `${what}: the same id of another model`
        )
        t.equal(
          (
            await send('PATCH', `/${model}s/${String(row)}`, {
              token: token === seller ? customer : seller,
              json: { text: 'x' }
            })
          ).status,
          401,
          what
        )
      }
      for (const data of [
        { writerId: id, writerType: 'User' },
        { writerId: id },
        { writerId: id, writerType: 'Offer' }
      ]) {
        const { id: row } = (await models.Note?.create(data)) as Row
        for (const token of [customer, seller]) {
          t.equal((await send('GET', `/Notes/${String(row)}`, { token })).status, 401, JSON.stringify(data))
        }
      }
      const drafts = [
        await send('POST', '/Drafts', { token: seller, json: { userId: id } }),
        await send('POST', '/Drafts', { token: customer, json: { userId: 999 } })
      ]
      t.same(
        drafts.map(({ body }) => (body as Row).userId ?? undefined),
        [undefined, id],
        "a `userId` is the customer's"
      )
      const list = await send('GET', `/Notes/findOne?${filterText({ where: { writerId: id } })}`, { token: seller })
      t.equal(list.status, 401, 'collections have no owner')
    })

    t.test('S-44 roles are of a model and an id, by name and by USER', async t => {
      // Seen to fail: principalTypes of auth/user/user-models.ts giving USER to every model
      const role = (await models.Role?.create({ name: 'chief' })) as Row
      const status = async (token: string): Promise<number> => (await send('GET', '/Rooms', { token })).status
      for (const [principalType, who] of [
        ['Seller', seller],
        ['Customer', customer],
        ['USER', customer]
      ] as const) {
        const mapping = (await models.RoleMapping?.create({ roleId: role.id, principalType, principalId: id })) as Row
        t.same([await status(who), await status(who === seller ? customer : seller)], [200, 401], principalType)
        const isInRole = models.Role?.isInRole as (role: string, context: object) => Promise<boolean>
        t.same(
          await Promise.all(
            ['Seller', 'Customer', 'USER'].map(
              async type => await isInRole.call(models.Role, 'chief', { principalType: type, principalId: id })
            )
          ),
          who === seller ? [true, false, false] : [false, true, true],
          `isInRole, ${principalType}`
        )
        await models.RoleMapping?.destroyAll({ id: mapping.id })
      }
    })

    t.test('S-71 tokens without a name are of the model that the setting names', async t => {
      // Seen to fail: #unnamedOf of auth/user/user-models.ts giving the last model; tokenCondition without the rows
      // that have no name
      const old = await logIn(send, 'sam', 'Customers')
      await (AccessToken.updateAll as (where: object, data: object) => Promise<unknown>)(
        { principalType: 'Customer' },
        { principalType: null }
      )
      t.equal((await send('GET', `/Customers/${id}`, { token: old })).status, 200)
      t.equal((await send('GET', `/Sellers/${id}`, { token: old })).status, 401)
      await (models.Customer as unknown as { updateAll(where: object, data: object): Promise<unknown> }).updateAll(
        { id },
        { password: 'new' }
      )
      t.equal((await send('GET', `/Customers/${id}`, { token: old })).status, 401, 'a changed password ends them')
      t.equal((await send('GET', `/Sellers/${id}`, { token: seller })).status, 200, 'and none of the other model')
    })
  })
}

tap.test('S-71 a token without a name opens nothing where the folder does not say whose it is', async t => {
  // Seen to fail: nameTokens of auth/tokens/name-tokens.ts without completing "accessTokens"
  for (const untypedTokens of [false, null] as const) {
    const {
      server: { send, models },
      customer,
      seller,
      id
    } = await openShop(t, 'memory', untypedTokens)
    t.equal((await send('GET', `/Customers/${id}`, { token: customer })).status, 200)
    t.equal((await send('GET', `/Sellers/${id}`, { token: seller })).status, 200)
    t.equal((await send('GET', `/Customers/${id}`, { token: seller })).status, 401, 'each names its own model')
    t.equal((await send('GET', `/Sellers/${id}`, { token: customer })).status, 401, 'the other way round as well')
    await (models.AccessToken?.updateAll as (where: object, data: object) => Promise<unknown>)(
      {},
      { principalType: null }
    )
    for (const path of [`/Customers/${id}`, `/Sellers/${id}`, '/Customers/me', '/Rooms']) {
      t.equal((await send('GET', path, { token: customer })).status, 401, path)
    }
  }
})
