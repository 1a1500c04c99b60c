/** What is said at the start of folders with several user models: S-71. */
import path from 'node:path'
import tap, { type Test } from 'tap'
import { join } from './clients.js'
import { attack, type Answer, type Attacked } from './harness.js'
import { both, closed, folder, open, shop, shopConfig, typedTokens, typedUser, userModel, users } from './shop.js'

const codeOf = async (t: Test, app: string): Promise<string> =>
  await attack(t, app, 'memory').then(
    () => 'started',
    (error: { code?: string; message: string }) => error.code ?? error.message
  )

tap.test('S-71 tokens that do not tell user models apart are said at the start', async t => {
  // Seen to fail: checkUntypedTokens not called by auth/plugin.ts
  const token = { Pass: { name: 'Pass', base: 'AccessToken' } }
  const own = (name: string): object =>
    userModel(name, { relations: { accessTokens: { type: 'hasMany', model: 'Pass', foreignKey: 'userId' } } })
  const said = /share the token model .{1,2}(AccessToken|Pass)/
  const warned: ReadonlyArray<readonly [string, Parameters<typeof folder>[1], Parameters<typeof folder>[2]]> = [
    ['two on the built-in token model', users, both],
    ['not published, but no base of another', users, { ...both, Seller: closed }],
    [
      'one extends the other, both are published',
      { Customer: users.Customer },
      { User: open, Customer: open, AccessToken: closed }
    ],
    [
      'the tokens say that they are of one',
      users,
      {
        ...both,
        AccessToken: {
          ...closed,
          relations: { user: { type: 'belongsTo', model: 'Seller', foreignKey: 'userId' } }
        }
      }
    ],
    [
      'a token model of their own',
      { ...token, Customer: own('Customer'), Seller: own('Seller') },
      { Customer: open, Seller: open, Pass: closed }
    ],
    [
      'one of the two relations compares ids only',
      {
        Pass: { ...token.Pass, relations: { user: typedUser() } },
        Customer: userModel('Customer', { relations: { accessTokens: typedTokens('Pass') } }),
        Seller: own('Seller')
      },
      { Customer: open, Seller: open, Pass: closed }
    ]
  ]
  for (const [what, models, config] of warned) {
    t.match((await attack(t, folder(t, models, config), 'memory')).logged(), said, what)
  }
  t.match(
    (await attack(t, folder(t, users, both), 'memory')).logged().replaceAll('\\"', '"'),
    /"Customer", "Seller".*"AccessToken".*polymorphic.*untypedTokens/,
    'the warning says which, and how'
  )
  t.equal(
    await codeOf(t, folder(t, users, both, { auth: { untypedTokens: 'Nobody' } })),
    'FBK_AUTH_INVALID_OPTIONS',
    'a setting that names no user model'
  )

  const silent: typeof warned = [
    [
      'a base that is not published',
      { Customer: users.Customer },
      { User: closed, Customer: open, AccessToken: closed }
    ],
    ['the built-in model alone', {}, { User: open, AccessToken: closed }],
    [
      'tokens of their own for each',
      { ...token, Customer: users.Customer, Seller: own('Seller') },
      { Customer: open, Seller: open, AccessToken: closed, Pass: closed }
    ],
    [
      'polymorphic relations',
      {
        Pass: { ...token.Pass, relations: { user: typedUser() } },
        Customer: userModel('Customer', { relations: { accessTokens: typedTokens('Pass') } }),
        Seller: userModel('Seller', { relations: { accessTokens: typedTokens('Pass') } })
      },
      { User: closed, Customer: open, Seller: open, AccessToken: closed, Pass: closed }
    ]
  ]
  for (const [what, models, config] of silent) {
    t.notMatch((await attack(t, folder(t, models, config), 'memory')).logged(), said, what)
  }
  for (const untypedTokens of ['Customer', 'Seller', false]) {
    const { logged } = await attack(t, folder(t, users, both, { auth: { untypedTokens } }), 'memory')
    t.notMatch(logged(), said, `untypedTokens ${untypedTokens}`)
  }
})

tap.test('S-71 a discriminator other than principalType is refused at the start', async t => {
  // Seen to fail: checkDiscriminator not called by auth/tokens/name-tokens.ts
  const Pass = (relation: object): object => ({ name: 'Pass', base: 'AccessToken', relations: { user: relation } })
  const Customer = (relation: object): object => userModel('Customer', { relations: { accessTokens: relation } })
  const config = { Customer: open, Pass: closed }
  const other = { discriminator: 'userType' }
  t.equal(
    await codeOf(
      t,
      folder(t, { Pass: Pass(typedUser(other)), Customer: Customer(typedTokens('Pass', other)) }, config)
    ),
    'FBK_AUTH_DISCRIMINATOR',
    'on both sides'
  )
  t.equal(
    await codeOf(t, folder(t, { Pass: Pass(typedUser()), Customer: Customer(typedTokens('Pass', other)) }, config)),
    'FBK_AUTH_DISCRIMINATOR',
    'of the user model'
  )
  t.equal(
    await codeOf(t, folder(t, { Pass: Pass(typedUser(other)), Customer: Customer(typedTokens('Pass')) }, config)),
    'FBK_AUTH_DISCRIMINATOR',
    'of the token model'
  )
  t.equal(
    await codeOf(
      t,
      folder(
        t,
        { Pass: Pass({ type: 'belongsTo', polymorphic: true }), Customer: Customer(typedTokens('Pass')) },
        config
      )
    ),
    'FBK_AUTH_DISCRIMINATOR',
    'one by default'
  )
  t.equal(
    await codeOf(t, folder(t, { Pass: Pass(typedUser()), Customer: Customer(typedTokens('Pass')) }, config)),
    'started',
    'principalType'
  )
})

tap.test('S-71 a second user model on tables of before', async t => {
  // Seen to fail: nameOldTokens of auth/tokens/unnamed-tokens.ts not called
  const alone = folder(t, shop, {
    ...shopConfig,
    Seller: { dataSource: null, public: false },
    User: { dataSource: null, public: false }
  })
  const url = `sqlite:${path.join(alone, 'shop.db')}`
  const stored = (migrate: string): object => ({ dataSources: { db: { connector: 'sql', url, migrate } } })
  let old = ''
  await t.test('one user model', async t => {
    const server = await attack(t, alone, 'sqlite', stored('update'))
    old = (await join(server, 'sam', 'Customers')).token
  })
  const later = folder(t, shop, shopConfig, { auth: { untypedTokens: 'Customer' } })
  await t.rejects(
    attack(t, later, 'sqlite', stored('none')),
    { code: 'FBK_AUTH_TOKEN_COLUMN' },
    'a table without the column'
  )
  const { send, models } = await attack(t, later, 'sqlite', stored('update'))
  t.same(
    (await models.AccessToken?.find())?.map(({ principalType }) => principalType),
    ['Customer']
  )
  const seller = await join({ send } as Attacked, 'sam', 'Sellers')
  t.equal((await send('GET', '/Customers/1', { token: old })).status, 200)
  t.equal((await send('GET', `/Sellers/${seller.id}`, { token: old })).status, 401)
})

tap.test('S-71 OAuth: tokens are of users of one model, which is named where there are several', async t => {
  // Seen to fail: checkUserModel of oauth2/set-up.ts not called; principalType of oauth2/resource/access.ts always USER
  const provider = (options: object): Record<string, unknown> => ({
    'server/component-config.json': {
      '@fastback/oauth2': {
        dataSource: 'db',
        session: { secret: 'a secret of the test' },
        authenticate: [{ paths: ['/api'] }],
        ...options
      }
    }
  })
  const auth = { untypedTokens: false }
  const started = async (options: object): Promise<string> =>
    await codeOf(t, folder(t, users, both, { auth }, provider(options)))
  t.equal(await started({}), 'FBK_OAUTH2_INVALID_OPTIONS', 'the provider does not guess')
  for (const userModel of ['Customer', 'Seller']) t.equal(await started({ userModel }), 'started', userModel)

  const { send, models } = await attack(
    t,
    folder(t, shop, shopConfig, { auth }, provider({ userModel: 'Seller' })),
    'memory'
  )
  for (const name of ['Customer', 'Seller']) {
    await models[name]?.create({ username: 'sam', email: 'sam@x.test', password: `${name}-secret` })
  }
  await models.OAuthClientApplication?.create({
    id: 'web',
    name: 'web',
    clientType: 'confidential',
    clientSecret: 'web secret',
    grantTypes: ['password'],
    scopes: ['read']
  })
  const grant = async (password: string): Promise<Answer> => {
    const values = {
      grant_type: 'password',
      client_id: 'web',
      client_secret: 'web secret',
      username: 'sam',
      password
    }
    const payload = new URLSearchParams(values).toString()
    return await send('POST', '/oauth/token', { prefix: '', payload, type: 'application/x-www-form-urlencoded' })
  }
  t.equal((await grant('Customer-secret')).status, 400, 'a customer is no user here')
  const { access_token: token } = (await grant('Seller-secret')).body as { access_token: string }
  const status = async (path: string): Promise<number> =>
    (await send('GET', path, { headers: { authorization: `Bearer ${token}` } })).status
  const [bill, note] = [
    await models.Offer?.create({ userId: 1 }),
    await models.Note?.create({ writerId: 1, writerType: 'Customer' })
  ]
  t.same([await status('/Sellers/1'), await status(`/Offers/${String(bill?.id)}`)], [200, 200], "the seller's own")
  t.same([await status('/Customers/1'), await status(`/Notes/${String(note?.id)}`)], [401, 401], "not the customer's")
})
