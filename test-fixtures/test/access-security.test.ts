// FASTBACK_TEST_FULL: every rule in every operation.
/** behaviour.md, section 15: each of the twenty, by its number, tried over REST on both stores. */
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import t, { type Test } from 'tap'
import Fastify from 'fastify'
import { core, ModelRegistry, type ModelDefinitionInput } from '@fastback/core'
import { memoryConnector } from '@fastback/connector-memory'
import { sqlConnector } from '@fastback/connector-sql'
import { auth, installAuthModels } from '@fastback/auth'
import { acl, installAclModels } from '@fastback/acl'
import { logSerializers, redactPaths, rest } from '@fastback/rest'

type Loose = any

const stores = {
  memory: { connector: memoryConnector },
  sqlite: { connector: sqlConnector, url: 'sqlite::memory:' }
}

const row = (permission: string, principalId: string, extra: object = {}) => ({
  principalType: 'ROLE',
  principalId,
  permission,
  ...extra
})
const closed = [row('DENY', '$everyone'), row('ALLOW', '$owner')]
const tokens = {
  type: 'hasMany',
  model: 'Pass',
  polymorphic: { foreignKey: 'userId', discriminator: 'principalType' },
  options: { disableInclude: true }
} as const

const definitions: ModelDefinitionInput[] = [
  {
    name: 'Note',
    properties: { text: 'string', userId: 'number', shopId: 'number' },
    acls: [...closed, row('ALLOW', '$authenticated', { property: 'create' })],
    settings: { ownerFromToken: true }
  },
  {
    name: 'Shop',
    properties: { name: 'string' },
    relations: { notes: { type: 'hasMany', model: 'Note', foreignKey: 'shopId' } }
  },
  { name: 'Bag', strict: false, properties: { name: 'string' } },
  { name: 'Firm', strict: true, properties: { name: 'string' } },
  { name: 'Member', acls: [row('DENY', '$everyone'), row('ALLOW', '$authenticated')] }
]

const twoUserModels: ModelDefinitionInput[] = [
  {
    name: 'Pass',
    base: 'AccessToken',
    relations: {
      user: {
        type: 'belongsTo',
        polymorphic: { idType: 'number', foreignKey: 'userId', discriminator: 'principalType' }
      } as never
    }
  },
  { name: 'Customer', base: 'User', relations: { accessTokens: tokens as never } },
  { name: 'Staff', base: 'User', relations: { accessTokens: tokens as never } }
]

interface Parts {
  user?: object
  auth?: object
  settings?: Record<string, unknown>
  models?: ModelDefinitionInput[]
  published?: string[]
}

async function start (
  t: Test,
  dataSource: Loose,
  {
    user = {},
    auth: options = {},
    settings = { includeAccess: 'related' },
    models = definitions,
    published = []
  }: Parts = {}
) {
  const lines: string[] = []
  const app = Fastify({
    logger: {
      level: 'info',
      serializers: logSerializers as never,
      redact: [...redactPaths],
      stream: {
        write: (line: string) => {
          lines.push(line)
        }
      }
    }
  })
  t.teardown(() => app.close())
  const registry = new ModelRegistry({ settings, log: app.log as never })
  registry.defineDataSource('db', dataSource)
  installAuthModels(registry)
  installAclModels(registry)
  registry.defineModels(models.map(input => ({ input })))
  const accounts =
    models === twoUserModels
      ? ['Pass', 'Customer', 'Staff']
      : ['User', 'AccessToken', ...models.map(({ name }) => name)]
  for (const name of [...accounts, 'ACL', 'Role', 'RoleMapping']) {
    registry.attach(name, 'db', {
      public: !['Pass', 'AccessToken', 'ACL', 'Role', 'RoleMapping'].includes(name) || published.includes(name),
      ...(name === 'User' ? { settings: user as Record<string, unknown> } : {})
    })
  }
  await app.register(core, { registry })
  await app.register(auth, { rateLimit: false, hashing: { concurrency: 2 }, ...options })
  await app.register(acl)
  await registry.start()
  await app.register(rest, { prefix: '/api' })
  await app.ready()
  const send = async (
    method: string,
    url: string,
    payload?: object,
    token?: string
  ): Promise<{ status: number; body: Loose; headers: Loose }> => {
    const response = await app.inject({
      method: method as 'GET',
      url: `/api${url}`,
      ...(payload === undefined ? {} : { payload }),
      headers: token === undefined ? {} : { authorization: token }
    })
    return {
      status: response.statusCode,
      headers: response.headers,
      body: String(response.headers['content-type']).includes('json') ? response.json() : response.body
    }
  }
  const register = async (name: string, extra: object = {}): Promise<string> => {
    await send('POST', '/Users', person(name, extra))
    return (await send('POST', '/Users/login', { username: name, password: `${name}-secret` })).body.id
  }
  return { models: registry.models as Loose, send, register, lines }
}

const person = (name: string, extra: object = {}): object => ({
  email: `${name}@x.test`,
  username: name,
  password: `${name}-secret`,
  ...extra
})
const query = (filter: object): string => `filter=${encodeURIComponent(JSON.stringify(filter))}`

for (const [store, dataSource] of Object.entries(stores)) {
  t.test(`${store}: rows and their owners`, async t => {
    const { models: { Note, Shop }, send, register, lines } = await start(t, dataSource)
    const [ann, ben] = [await register('ann'), await register('ben')]
    await Shop.create({ name: 's' })
    await Note.create([{ text: 'of ann', userId: 1, shopId: 1 }, { text: 'of ben', userId: 2, shopId: 1 }])

    t.comment('1: ownership by query id')
    const collection: Array<[string, string, object?]> = [
      ['GET', '/Notes?id=1'],
      ['GET', '/Notes/count?id=1'],
      ['GET', '/Notes/findOne?id=1'],
      ['POST', '/Notes/update?id=1&where={}', { text: 'x' }],
      ['POST', '/Notes/update?where={}', { id: 1, text: 'x' }]
    ]
    for (const [method, url, body] of collection) {
      t.equal((await send(method, url, body, ann)).status, 401, `1: ${method} ${url}`)
    }
    t.equal(
      (await send('PATCH', '/Notes/2?id=1', { id: 1, text: 'x' }, ann)).status,
      401,
      '1: the address tells the row'
    )
    t.same(
      (await Note.find({ order: 'id' })).map((each: Loose) => each.text),
      ['of ann', 'of ben'],
      '1: nothing was written'
    )

    t.comment('17: ownership given away or forged')
    const made = await send('POST', '/Notes', { text: 'forged', userId: 2 }, ann)
    t.match(made, { status: 200, body: { userId: 1 } }, '17: the token says who owns')
    t.same(
      (await send('POST', '/Notes', [{ userId: 2 }, {}, { userId: null }], ann)).body.map((each: Loose) => each.userId),
      [1, 1, 1]
    )
    t.equal(await Note.count({ userId: 2 }), 1, '17: in lists, too')
    for (const [method, url] of [
      ['PATCH', '/Notes/1'],
      ['PUT', '/Notes/1'],
      ['POST', '/Notes/1/replace'],
      ['PATCH', '/Notes'],
      ['PUT', '/Notes']
    ] as const) {
      t.equal(
        (await send(method, url, { ...(url === '/Notes' ? { id: 1 } : {}), text: 'gift', userId: 2 }, ann)).status,
        403,
        `17: ${method} ${url}`
      )
    }
    t.equal((await Note.findById(1)).userId, 1)

    t.comment('20: include hands out what the caller may not read')
    const notes = async (filter: object, token?: string) =>
      await send('GET', `/Shops?${query(filter)}`, undefined, token)
    t.equal((await notes({ include: 'notes' })).status, 401, '20: nobody owns nothing')
    t.same(
      (await notes({ include: 'notes' }, ben)).body[0].notes.map((each: Loose) => each.text),
      ['of ben'],
      '20: row by row'
    )
    t.same(
      (await notes({ include: { relation: 'notes', scope: { where: { userId: 1 } } } }, ben)).body[0].notes,
      [],
      '20: whatever the scope asks'
    )
    t.notMatch(lines.join(''), 'includeAccess', '20: no warning where the setting says')
    const old = await start(t, dataSource, { settings: {} })
    t.match(
      old.lines.find(line => line.includes('includeAccess')),
      'Shop.notes',
      '20: folders that say nothing are warned'
    )
  })

  t.test(`${store}: accounts`, async t => {
    const { models: { User, AccessToken }, send, register } = await start(t, dataSource)
    const token = await register('ann', { emailVerified: true, verificationToken: 'mine', realm: 'north' })
    const { id } = await User.findOne({ where: { username: 'ann' } })

    t.comment('2: setting one\'s own verification')
    const attempts: Array<[string, string, object]> = [
      ['PATCH', `/Users/${id}`, { emailVerified: true, verificationToken: 'mine', realm: 'south' }],
      ['PUT', `/Users/${id}`, person('ann', { emailVerified: true, verificationToken: 'mine', realm: 'south' })],
      ['PATCH', '/Users', { id, emailVerified: true, realm: 'south' }],
      ['POST', '/Users/update?where={}', { emailVerified: true, verificationToken: 'mine' }]
    ]
    for (const [method, url, body] of [['GET', '/Users', {}] as const, ...attempts]) {
      if (method !== 'GET') t.ok((await send(method, url, body, token)).status < 500)
      const stored = await User.findById(id)
      t.not(stored.emailVerified, true, `2: ${method} ${url}`)
      t.not(stored.verificationToken, 'mine')
      t.equal(stored.realm, 'north')
    }

    t.comment('3: ready-made hashes')
    const hash = `$2a$10$${'a'.repeat(53)}`
    const eve = await send('POST', '/Users', person('eve', { password: hash }))
    t.match(
      (await User.findById(eve.body.id)).password,
      /^\$argon2id\$/,
      '3: a hash from outside is a password like any other'
    )
    t.equal((await send('POST', '/Users/login', { username: 'eve', password: hash })).status, 200)

    t.comment('4: bulk updates')
    const bulk = await start(t, dataSource, { user: { acls: [] } })
    await bulk.register('bob')
    t.match(await bulk.send('POST', '/Users/update?where={"username":"bob"}', { password: 'new-secret' }), {
      status: 200,
      body: { count: 1 }
    })
    t.match(
      (await bulk.models.User.findOne({ where: { username: 'bob' } })).password,
      /^\$argon2id\$/,
      '4: the password is hashed'
    )
    t.equal((await bulk.send('POST', '/Users/login', { username: 'bob', password: 'new-secret' })).status, 200)

    t.comment('5: hidden fields in queries')
    for (const filter of [
      { where: { password: { like: '$%' } } },
      { order: 'password' },
      { where: { or: [{ verificationToken: 'x' }] } },
      { where: { and: [{ or: [{ password: { gt: '' } }] }] } }
    ]) {
      t.equal((await bulk.send('GET', `/Users?${query(filter)}`)).status, 400, `5: ${JSON.stringify(filter)}`)
    }

    t.comment('6: tokens in clear text')
    const kept = await bulk.models.AccessToken.find()
    const bob = (await bulk.send('POST', '/Users/login', { username: 'bob', password: 'new-secret' })).body
    t.ok(kept.every((each: Loose) => String(each.id).startsWith('sha256-')), '6: a list shows no token')
    t.equal(
      (await bulk.send('GET', `/Users/${bob.userId}/accessTokens`, undefined, bob.id)).body.some?.(
        (each: Loose) => each.id === bob.id
      ) ?? false,
      false,
      '6: nor does the relation'
    )
    t.equal((await send('GET', `/Users/${id}`, undefined, kept[0]?.id)).status, 401, '6: what is stored opens nothing')

    t.comment('7: time of login, of the processor: whatever else the machine does')
    const took = async (username: string): Promise<number> => {
      const begun = process.cpuUsage()
      t.equal((await send('POST', '/Users/login', { username, password: 'wrong' })).status, 401)
      const { user, system } = process.cpuUsage(begun)
      return (user + system) / 1000
    }
    const fastest = async (username: string): Promise<number> =>
      Math.min(await took(username), await took(username), await took(username))
    const [known, unknown] = [await fastest('eve'), await fastest('nobody')]
    t.ok(unknown > known / 3, `7: unknown ${unknown.toFixed(1)} ms, known ${known.toFixed(1)} ms`)

    t.comment('8: enumeration')
    const asked = [
      await send('POST', '/Users/reset', { email: 'eve@x.test' }),
      await send('POST', '/Users/reset', { email: 'nobody@x.test' })
    ]
    t.same(asked.map(({ status, body }) => [status, body]), [[204, ''], [204, '']], '8: reset')
    const wrong = [
      await send('GET', `/Users/confirm?uid=${id}&token=x`),
      await send('GET', '/Users/confirm?uid=999&token=x')
    ]
    t.ok(wrong.every(({ status }) => status >= 400 && status < 500), '8: confirm')

    t.comment('9: passwords over 72 bytes')
    for (const password of ['p'.repeat(73), 'ü'.repeat(37)]) {
      t.match(
        await send('POST', '/Users', person('long', { password })),
        { status: 422, body: { error: { code: 'PASSWORD_TOO_LONG' } } },
        '9: by bytes'
      )
    }

    t.comment('11: open redirect')
    for (const redirect of ['https://evil.test/', '//evil.test', '/\\evil.test']) {
      t.match(
        await send('GET', `/Users/confirm?uid=${id}&token=x&redirect=${encodeURIComponent(redirect)}`),
        { status: 400 },
        `11: ${redirect}`
      )
    }

    t.comment('13: tokens outlive users')
    const orphan = await AccessToken.create({ userId: 999, ttl: 100 })
    t.equal((await send('GET', '/Members', undefined, orphan.id)).status, 401, '13: a user that is not there is nobody')
    const gone = (await send('POST', '/Users/login', { username: 'eve', password: hash })).body.id
    t.equal((await send('GET', '/Members', undefined, gone)).status, 200)
    await User.destroyById(eve.body.id)
    t.equal((await send('GET', '/Members', undefined, gone)).status, 401, '13: nor one that was removed')

    t.comment('16: verification tokens')
    const verifying = await User.findById(id)
    const { token: link } = await verifying.verify({ mailer: { send: (_mail: Loose, next: Loose) => { next() } } })
    const compared: number[] = []
    const { timingSafeEqual } = crypto
    crypto.timingSafeEqual = (a, b) => { compared.push(a.byteLength, b.byteLength); return timingSafeEqual(a, b) }
    syncBuiltinESMExports()
    t.equal((await send('GET', `/Users/confirm?uid=${id}&token=${'0'.repeat(link.length)}`)).status, 400)
    crypto.timingSafeEqual = timingSafeEqual
    syncBuiltinESMExports()
    t.same(compared, [2 * link.length, 2 * link.length], '16: in a time that does not tell how much of it was right')
    for (const guess of ['', link.slice(0, -1), `${String(link)}x`]) {
      t.ok(
        (await send('GET', `/Users/confirm?uid=${id}&token=${guess}`)).status >= 400,
        '16: the whole token or nothing'
      )
    }
    t.same(
      [
        await send('GET', `/Users/confirm?uid=${id}&token=${link}`),
        await send('GET', `/Users/confirm?uid=${id}&token=${link}`)
      ].map(({ status }) => status),
      [204, 400],
      '16: once'
    )

    t.comment('18: unknown properties')
    t.equal(
      (await send('POST', '/Bags', { name: 'a', isAdmin: true })).body.isAdmin,
      true,
      '18: kept for compatibility'
    )
    t.not((await send('POST', '/Firms', { name: 'a', isAdmin: true })).body.isAdmin, true, '18: not on strict models')
  })

  t.test(`${store}: carriers, limits and what is said at the start`, async t => {
    t.comment('10: tokens in the query')
    const { send, register, lines } = await start(t, dataSource)
    const ann = await register('ann')
    t.equal((await send('GET', `/Members?access_token=${ann}`)).status, 200)
    t.notMatch(lines.join(''), ann, '10: no log has it')
    const off = await start(t, dataSource, { auth: { params: false } })
    const token = await off.register('ann')
    t.equal((await off.send('GET', `/Members?access_token=${token}`)).status, 401, '10: the carrier can be turned off')
    t.equal((await off.send('GET', '/Members', undefined, token)).status, 200, '10: alone')

    t.comment('12: limits')
    const limited = await start(t, dataSource, { auth: { rateLimit: { account: { max: 2, timeWindow: 60_000 } } } })
    const statuses: number[] = []
    for (let i = 0; i < 3; i++) {
      statuses.push((await limited.send('POST', '/Users/login', { username: 'ann', password: 'x' })).status)
    }
    t.same(statuses, [401, 401, 429], '12: login')
    statuses.length = 0
    for (let i = 0; i < 3; i++) {
      statuses.push((await limited.send('POST', '/Users/reset', { email: 'b@x.test' })).status)
    }
    t.same(statuses, [204, 204, 429], '12: reset')

    t.comment('14: reset tokens')
    t.ok(lines.some(line => line.includes('restrictResetPasswordTokenScope')), '14: said at the start')
    const scoped = await start(t, dataSource, { user: { restrictResetPasswordTokenScope: true } })
    await scoped.register('ann')
    t.notOk(scoped.lines.some(line => line.includes('restrictResetPasswordTokenScope')))
    const event = new Promise<Loose>(resolve => scoped.models.User.once('resetPasswordRequest', resolve))
    await scoped.send('POST', '/Users/reset', { email: 'ann@x.test' })
    const { accessToken } = await event
    t.equal((await scoped.send('GET', '/Members', undefined, accessToken.id)).status, 401, '14: a token for one thing')
    t.equal(
      (await scoped.send('POST', '/Users/reset-password', { newPassword: 'new' }, accessToken.id)).status,
      204,
      '14: which it does'
    )

    t.comment('15: open models of access control')
    const open = await start(t, dataSource, { published: ['Role', 'RoleMapping', 'ACL'] })
    for (const name of ['Role', 'RoleMapping', 'ACL']) {
      t.ok(
        open.lines.some(line => line.includes('without any access rule') && line.includes(`"${name}"`)),
        `15: ${name}`
      )
    }
    t.notOk(lines.some(line => line.includes('without any access rule')))
  })

  t.test(`${store}: 19: tokens of another user model stay`, async t => {
    const {
      models: { Customer, Staff },
      send
    } = await start(t, dataSource, { models: twoUserModels, auth: { model: 'Pass' } })
    const token: Record<string, string> = {}
    for (const Model of [Customer, Staff]) {
      const one = await Model.create(person('one'))
      token[Model.modelName] = (await one.createAccessToken(1000)).id
    }
    t.equal((await send('GET', '/Staffs/1', undefined, token.Staff)).status, 200)
    t.equal((await send('GET', '/Staffs/1', undefined, token.Customer)).status, 401, '19: the same id, another person')
    await (await Customer.findById(1)).updateAttributes({ password: 'changed' })
    t.equal((await send('GET', '/Customers/1', undefined, token.Customer)).status, 401)
    t.equal((await send('GET', '/Staffs/1', undefined, token.Staff)).status, 200, '19: a change of password')
    await Customer.destroyById(1)
    t.equal((await send('GET', '/Staffs/1', undefined, token.Staff)).status, 200, '19: a removal')
  })
}
