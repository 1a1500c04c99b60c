/** What customers gave to other programs: S-73, S-81. */
import tap from 'tap'
import { listen, logIn, person } from './clients.js'
import { attack, onEveryStore, type Answer, type Attacked, type Row } from './harness.js'
import {
  approve, authorize, bearer, codeIn, cookieOf, customersOf, logInAtPage, pairOf, post, redeem, refresh, register,
  tokenRequest, type Customers, type Pair
} from './oauth-client.js'

/**
 * Everything that a customer has given out: tokens, a code that waits, a login at the pages, a login of the customer's
 * own.
 */
interface Given {
  readonly id: number
  readonly pair: Pair
  readonly code: string
  readonly cookie: string
  readonly own: string
}

async function giveOut (server: Attacked, name: string): Promise<Given> {
  const { send } = server
  const id = await register(server, name)
  const cookie = await logInAtPage(send, name)
  const [pair, code, own] = [await pairOf(send, name), codeIn(await approve(send, cookie)) as string,
    await logIn(send, name, 'Customers')]
  return { id, pair, code, cookie, own }
}

const isLogin = async (send: Attacked['send'], cookie: string): Promise<boolean> =>
  (await authorize(send, cookie)).headers.location !== '/login'
const note = async (send: Attacked['send'], { access_token: token }: Pair): Promise<number> =>
  (await send('POST', '/Notes', { token: bearer(token), json: { text: 'x' } })).status

/** What still opens anything. */
async function good ({ send }: Attacked, { pair, code, cookie, own, id }: Given): Promise<string[]> {
  const opens = {
    access: await note(send, pair) === 200,
    session: await isLogin(send, cookie),
    code: (await redeem(send, code)).status === 200,
    refresh: (await refresh(send, pair)).status === 200,
    own: (await send('GET', `/Customers/${id}`, { token: own })).status === 200
  }
  return Object.entries(opens).filter(([, isGood]) => isGood).map(([name]) => name)
}

await onEveryStore('granted', async (t, server) => {
  const { send, models } = server
  const Customer = customersOf(server)

  t.test('S-73 others, and what came later, live on; consents end', async t => {
    // Seen to fail: stores/end-rights.ts of oauth2 without comparing the model; without deleting permissions
    // The first of their models, so that both have one id.
    const [one, other] = [await giveOut(server, 'lea'), await giveOut(server, 'lou')]
    const mia = await register(server, 'lea', 'Seller')
    t.equal(mia, one.id)
    t.equal(await models.OAuthPermission?.count({ userId: one.id }), 1)
    await (models.Seller as unknown as Customers).updateAll({ id: mia }, { password: 'new' })
    t.same((await good(server, { ...one, code: '' })), ['access', 'session', 'refresh', 'own'],
      'the seller with that id is somebody else')
    await Customer.setPassword(one.id, 'later')
    t.same(await good(server, other), ['access', 'session', 'code', 'refresh', 'own'])
    t.equal(await models.OAuthPermission?.count({ userId: one.id }), 0)
    const pair = await pairOf(send, 'lea', 'orders', 'later')
    t.equal(await note(send, pair), 200)
    t.equal((await refresh(send, pair)).status, 200)
    t.ok(codeIn(await approve(send, await logInAtPage(send, 'lea', 'later'))))
  })

  t.test('S-73 P-17 whoever changes credentials, and whichever way, ends all that was given out before', async t => {
    // Seen to fail: before this change OAuth tokens, codes and sessions lived on; then user/hooks.ts of auth without
    // tellOfChange in afterSave, in tellOfRemoved
    const change = async (how: string, given: Given, work: () => Promise<unknown>): Promise<void> => {
      const answer = await work() as Answer | undefined
      if (answer?.status !== undefined) t.ok(answer.status < 300, `${how}: ${answer.status} ${answer.text}`)
      t.strictSame(await good(server, given), [], how)
    }
    const own = async (how: string, name: string, verb: string, path: (given: Given) => string,
      json: object): Promise<void> => {
      const given = await giveOut(server, name)
      const kept = await logIn(send, name, 'Customers')
      await change(how, given, async () => await send(verb, path(given), {
        token: kept,
        json: { ...(path(given) === '/Customers' ? { id: given.id } : {}), ...json }
      }))
      t.equal((await send('GET', `/Customers/${given.id}`, { token: kept })).status, 200,
        `${how}: the token of the request goes on`)
    }
    await own('change-password', 'ann', 'POST', () => '/Customers/change-password',
      { oldPassword: 'ann-secret', newPassword: 'new' })
    await own('reset-password', 'bea', 'POST', () => '/Customers/reset-password', { newPassword: 'new' })
    await own('PATCH of the password', 'cat', 'PATCH', ({ id }) => `/Customers/${id}`, { password: 'new' })
    await own('PATCH of the address', 'dot', 'PATCH', ({ id }) => `/Customers/${id}`, { email: 'new-dot@x.test' })
    await own('PUT', 'eve', 'PUT', ({ id }) => `/Customers/${id}`, person('eve', { password: 'new' }))
    await own('upsert', 'fay', 'PATCH', () => '/Customers', { password: 'new' })
    await own('bulk update', 'gil', 'POST', ({ id }) => `/Customers/update?where={"id":${id}}`, { password: 'new' })
    const shop = await models.Shop?.create({ name: 's' }) as Row
    const hal = await giveOut(server, 'hal')
    await Customer.updateAll({ id: hal.id }, { shopId: shop.id })
    t.same(await good(server, { ...hal, code: '' }), ['access', 'session', 'refresh', 'own'],
      'another property ends nothing')
    await change('a relation', { ...hal, code: '' }, async () =>
      await send('PUT', `/Shops/${String(shop.id)}/customers/${hal.id}`,
        { token: hal.own, json: { password: 'new' } }).then(async ({ status }) => {
        t.equal(status, 200)
        // The token of the request goes on; it ends here.
        await send('POST', '/Customers/logout', { token: hal.own })
      }))
    const given = await giveOut(server, 'ida')
    await change('in process', given, async () => { await Customer.setPassword(given.id, 'new') })
    const bulk = await giveOut(server, 'jan')
    await change('in process, in bulk', bulk, async () => {
      await Customer.updateAll({ username: 'jan' },
        { email: 'new-jan@x.test' })
    })
    const gone = await giveOut(server, 'kim')
    await change('deletion', gone, async () => await send('DELETE', `/Customers/${gone.id}`, { token: gone.own }))
    t.equal(await models.OAuthPermission?.count({ userId: gone.id }), 0, 'consents of an account that is gone')
  })

  t.test('S-73 what is being given out while the password changes ends, too', async t => {
    // Seen to fail: stores/tokens.ts of oauth2 without asking `holds`; endpoints/login.ts without isAsItWas
    for (const round of [1, 2, 3]) {
      const name = `nia${round}`
      const id = await register(server, name)
      const before = await pairOf(send, name)
      const cookie = await logInAtPage(send, name)
      const change = async (): Promise<void> => {
        for (let i = 0; i < round; i++) await new Promise(resolve => setTimeout(resolve, 10))
        await Customer.setPassword(id, 'new')
      }
      const made = (await Promise.all([
        ...Array.from({ length: 4 }, async () => await tokenRequest(send, {
          grant_type: 'password', username: name,
          password: `${name}-secret`, scope: 'orders'
        })),
        refresh(send, before), change()
      ])).flatMap(answer => answer?.status === 200 ? [answer.body as Pair] : [])
      for (const pair of made) {
        t.strictSame([await note(send, pair), (await refresh(send, pair)).status], [401, 400],
          name)
      }
      const cookies = (await Promise.all([
        ...Array.from({ length: 4 }, async () => await post(send, '/login', { username: name, password: 'new' })),
        Customer.setPassword(id, 'newer')
      ])).map(answer => answer === undefined || answer === null ? undefined : cookieOf(answer as Answer))
      for (const each of [cookie, ...cookies]) if (each !== undefined) t.equal(await isLogin(send, each), false, name)
    }
  })

  t.test('S-73 a code that is made while the password changes is none', async t => {
    // Seen to fail: endpoints/authorize.ts of oauth2 without isOpen
    const id = await register(server, 'ola')
    const cookie = await logInAtPage(send, 'ola')
    t.ok(codeIn(await approve(send, cookie)))
    // What the page found right is changed before the code is stored.
    let change = true
    const Code = models.OAuthAuthorizationCode as unknown as { observe (hook: string, work: () => unknown): void }
    Code.observe('before save', async () => {
      if (!change) return
      change = false
      await Customer.setPassword(id, 'new')
    })
    const { location } = (await authorize(send, cookie)).headers
    t.notOk(change)
    t.equal(codeIn(location), null)
    t.match(location, /error=access_denied/)
    t.ok(codeIn(await approve(send, await logInAtPage(send, 'ola', 'new'))), 'the next one is made')
  })

  t.test('S-73 a stream of a program ends with its token, and not before', async t => {
    // Seen to fail: auth/tokens/token-watch.ts looking every token up among the access tokens (it ended after four
    // seconds); then without listening
    const id = await register(server, 'oda')
    const pair = await pairOf(send, 'oda')
    const stream = await listen(t, server, '/Notes/change-stream', bearer(pair.access_token))
    t.equal(stream.status, 200)
    // Longer than between two looks at the tokens of streams. Once is enough.
    if (server.store === 'memory') await new Promise(resolve => setTimeout(resolve, 4500))
    await note(send, pair)
    await stream.until(/"text":"x"/)
    await Customer.setPassword(id, 'new')
    await stream.ended
  })

  t.test('S-81 P-33 a session that is made from a token is no login', async t => {
    // Seen to fail: before this change the cookie of such a session approved any client; then loginOf of
    // session/sessions.ts giving userId always
    const id = await register(server, 'pam')
    const pair = await pairOf(send, 'pam', 'orders')
    const page = await send('GET', '/page', { prefix: '', token: bearer(pair.access_token) })
    t.same(page.body, { customer: id })
    const cookie = cookieOf(page) as string
    t.ok(cookie, 'pages of this server may know whose it is')
    const seen = async (): Promise<unknown> =>
      (await Customer.provider.sessions.load({ headers: { cookie } }))?.data.userId
    t.equal(await seen(), id)
    t.equal((await authorize(send, cookie)).headers.location, '/login', 'no login for the authorization endpoint')
    t.equal((await post(send, '/oauth/authorize/decision', { transaction_id: 'x' }, cookie)).headers.location, '/login',
      'nor for the decision')
    // A transaction that somebody else has begun, and one that a login of the same person began.
    const login = await logInAtPage(send, 'pam')
    const transaction = /name="transaction_id" value="([^"]+)"/.exec((await authorize(send, login)).text)?.[1] as string
    t.equal((await post(send, '/oauth/authorize/decision', { transaction_id: transaction }, cookie)).headers.location,
      '/login')
    t.equal((await send('GET', '/page', { prefix: '', headers: { cookie } })).status, 401, 'O-197')
    // A login with the password makes one; and stays when a token comes along with it.
    const after = await post(send, '/login', { username: 'pam', password: 'pam-secret' }, cookie)
    t.ok(codeIn(await approve(send, cookieOf(after) as string)))
    const along = await send('GET', '/page', {
      prefix: '', token: bearer(pair.access_token),
      headers: { cookie: login }
    })
    t.equal(cookieOf(along), undefined)
    t.ok(codeIn(await approve(send, login)))
  })

  t.test('S-81 a session that is made from a token ends with it', async t => {
    // Seen to fail: load of session/sessions.ts without isTokenGood
    const id = await register(server, 'quy')
    const ends: Record<string, (pair: Pair) => Promise<unknown>> = {
      revoked: async pair => await post(send, '/oauth/revoke', {
        client_id: 'shop', client_secret: 'secret of the shop',
        token: pair.access_token
      }),
      'the whole grant revoked': async pair => await post(send, '/oauth/revoke', {
        client_id: 'shop',
        client_secret: 'secret of the shop', token: pair.refresh_token
      }),
      expired: async () => await (models.OAuthAccessToken as unknown as Customers).updateAll({ userId: id },
        { expiredAt: new Date(Date.now() - 1000) }),
      'credentials changed': async () => { await Customer.setPassword(id, 'quy-secret') },
      'account removed': async () => { await Customer.destroyById(id) }
    }
    for (const [how, end] of Object.entries(ends)) {
      const pair = await pairOf(send, 'quy')
      const cookie = cookieOf(await send('GET', '/page', { prefix: '', token: bearer(pair.access_token) })) as string
      const session = async (): Promise<unknown> => await Customer.provider.sessions.load({ headers: { cookie } })
      t.ok(await session(), how)
      await end(pair)
      t.equal(await session(), undefined, how)
    }
  })
})

tap.test('S-73 consents that the application keeps', async t => {
  // Seen to fail: end-rights.ts of oauth2 deleting permissions whatever `keepConsents` says
  const server = await attack(t, 'granted', 'memory', { env: 'lenient' })
  const { models } = server
  const given = await giveOut(server, 'tia')
  const consents = async (): Promise<unknown> => await models.OAuthPermission?.count({ userId: given.id })
  await customersOf(server).setPassword(given.id, 'new')
  t.strictSame(await good(server, given), [], 'all else ends')
  t.equal(await consents(), 1)
  await customersOf(server).destroyById(given.id)
  t.equal(await consents(), 0, 'those of an account that is gone never stay')
})
