/**
 * No condition on related rows is an oracle: what a caller may not read, of rows or of properties, they may not ask
 * about, by whatever way the condition comes (security.md, S-108).
 */
import t from 'tap'
import { call, makeApp, row, type App } from './app.js'

const secretive = [row('DENY', '$everyone'), row('ALLOW', 'admin')]
const owned = [row('DENY', '$everyone'), row('ALLOW', '$owner'), row('ALLOW', 'admin')]

const definitions = [
  {
    name: 'Shop',
    properties: { name: 'string', code: 'string', mood: 'string' },
    hidden: ['code'],
    protected: ['mood'],
    relations: {
      notes: { type: 'hasMany', model: 'Note', foreignKey: 'shopId' },
      secrets: { type: 'hasMany', model: 'Secret', foreignKey: 'shopId' },
      quiet: { type: 'hasMany', model: 'Secret', foreignKey: 'shopId', options: { disableInclude: true } },
      items: { type: 'hasMany', model: 'Item', foreignKey: 'shopId' },
      owner: { type: 'belongsTo', model: 'User', foreignKey: 'ownerId' }
    },
    // Anybody may list the shops; what they sell is shown one by one.
    acls: [row('DENY', '$everyone', { property: '__get__items' }), row('ALLOW', 'admin', { property: '__get__items' })]
  },
  {
    name: 'Note',
    properties: { text: 'string' },
    relations: {
      user: { type: 'belongsTo', model: 'User', foreignKey: 'userId' },
      shop: { type: 'belongsTo', model: 'Shop', foreignKey: 'shopId' }
    },
    acls: owned
  },
  { name: 'Secret', properties: { text: 'string' }, acls: secretive },
  { name: 'Item', properties: { price: 'number' }, relations: { shop: { type: 'belongsTo', model: 'Shop', foreignKey: 'shopId' } } },
  {
    name: 'Picture',
    properties: { url: 'string' },
    relations: { of: { type: 'belongsTo', polymorphic: { selector: 'of', models: ['Secret', 'Item'] } } }
  }
] as any[]

const prepare = async ({ Shop, Note, Secret, Item, Picture }: Record<string, any>): Promise<void> => {
  await Shop.create([{ name: 'one', code: 'c1', mood: 'good', ownerId: 1 }, { name: 'two', code: 'c2', ownerId: 2 }])
  await Note.create([{ text: 'of ann', userId: 1, shopId: 1 }, { text: 'of ben', userId: 2, shopId: 2 }])
  await Secret.create([{ text: 'hush', shopId: 1 }, { text: 'psst', shopId: 2 }])
  await Item.create([{ price: 5, shopId: 1 }, { price: 9, shopId: 2 }])
  await Picture.create([{ url: 'a', ofId: 1, ofType: 'Secret' }, { url: 'b', ofId: 1, ofType: 'Item' }])
}

/** Ways on which a condition of shops comes to the server. */
type Request = readonly [method: string, url: string, body?: unknown]
const ways: ReadonlyArray<readonly [string, (where: object) => Request]> = [
  ['find', where => ['GET', `/Shops?${filter({ where })}`]],
  ['findOne', where => ['GET', `/Shops/findOne?${filter({ where })}`]],
  ['count', where => ['GET', `/Shops/count?where=${json(where)}`]],
  ['in or', where => ['GET', `/Shops?${filter({ where: { or: [{ name: 'x' }, where] } })}`]],
  ['in nor', where => ['GET', `/Shops?${filter({ where: { nor: [where] } })}`]],
  ['update', where => ['POST', `/Shops/update?where=${json(where)}`, { name: 'x' }]],
  ['upsertWithWhere', where => ['POST', `/Shops/upsertWithWhere?where=${json(where)}`, { name: 'x' }]],
  ['scope of an include', where => ['GET', `/Items?${filter({ include: [{ relation: 'shop', scope: { where } }] })}`]],
  ['related', where => ['GET', `/Items?${filter({ where: { shop: where } })}`]],
  ['related, none', where => ['GET', `/Items?${filter({ where: { shop: { none: where } } })}`]]
]
const json = (value: object): string => encodeURIComponent(JSON.stringify(value))
const filter = (value: object): string => `filter=${json(value)}`

/** Conditions of shops that neither Ann nor somebody without a name may ask. */
const attacks: readonly object[] = [
  { secrets: { some: { text: 'hush' } } },
  { secrets: { every: { text: { like: 'h%' } } } },
  { secrets: { none: { text: { gt: 'i' } } } },
  { secrets: { some: {} } },
  { notes: { some: { text: 'of ben' } } },
  { notes: { none: { 'user.email': 'ben@x.test' } } },
  { items: { some: { price: { gt: 6 } } } },
  { 'owner.password': { like: '$2b%' } },
  { owner: { email: { like: 'a%' } } },
  { owner: { password: { exists: true } } },
  { quiet: { some: { text: 'hush' } } },
  { items: { some: { 'shop.code': 'c2' } } },
  { code: 'c1' }
]

const start = async (t: Parameters<typeof makeApp>[0], settings: Record<string, unknown> = {}): Promise<App> =>
  await makeApp(t, { definitions, prepare, settings: { includeAccess: 'related', ...settings } })

t.test('what may not be read may not be asked about', async t => {
  const app = await start(t)
  let tried = 0
  for (const who of [undefined, 'ann']) {
    for (const [what, request] of ways) {
      for (const attack of attacks) {
        const { status, body } = await call(app, who, ...request(attack))
        const about = `${who ?? 'nobody'}, ${what}: ${JSON.stringify(attack)}`
        t.ok([400, 401, 403].includes(status), `${about}: ${String(status)}`)
        t.notMatch(JSON.stringify(body), /hush|psst|of ben|\$2b|SELECT/, about)
        tried++
      }
    }
  }
  t.ok(tried >= 80, `${String(tried)} attempts`)
  const { Shop } = app.models as Record<string, any>
  t.same((await Shop.find()).map(({ name }: { name: string }) => name), ['one', 'two'], 'nothing was written')
})

t.test('who may read all rows may ask about them', async t => {
  const app = await start(t)
  const names = async (who: string, where: object): Promise<unknown> => {
    const { status, body } = await call(app, who, 'GET', `/Shops?${filter({ where })}`)
    return status === 200 ? body.map(({ name }: { name: string }) => name) : status
  }
  t.same(await names('adam', { secrets: { some: { text: 'hush' } } }), ['one'])
  t.same(await names('adam', { notes: { some: { text: 'of ben' } } }), ['two'])
  t.same(await names('adam', { items: { some: { price: { gt: 6 } } } }), ['two'])
  t.equal(await names('adam', { code: 'c1' }), 400, 'hidden is hidden from all')
  t.equal(await names('adam', { items: { some: { 'shop.code': 'c2' } } }), 400)
  t.equal(await names('adam', { quiet: { some: {} } }), 400, 'what is never included')
})

t.test('protected properties are hidden ones in conditions on related rows, as in includes', async t => {
  const app = await start(t)
  t.equal((await call(app, 'adam', 'GET', `/Items?${filter({ where: { 'shop.mood': 'good' } })}`)).status, 400)
  t.equal((await call(app, 'adam', 'GET', `/Shops?${filter({ where: { mood: 'good' } })}`)).status, 200)
})

t.test('rows that name their own model: the rules of each model count', async t => {
  for (const settings of [{}, { includeAccess: 'parent' }]) {
    const app = await start(t, settings)
    const ask = async (who: string, where: object): Promise<{ status: number, body: any }> =>
      await call(app, who, 'GET', `/Pictures?${filter({ where })}`)
    for (const where of [{ of: { some: { text: 'hush' } } }, { 'of.text': 'hush' }, { of: null }]) {
      t.equal((await ask('ann', where)).status, 401, JSON.stringify(where))
    }
    t.same((await ask('adam', { 'of.text': 'hush' })).body.map(({ url }: { url: string }) => url), ['a'])
    t.same((await ask('adam', { of: { price: 5 } })).body.map(({ url }: { url: string }) => url), ['b'])
  }
})

t.test('related rows are counted as far as they may be read', async t => {
  const app = await start(t)
  const counts = async (who: string | undefined, relation: string, scope?: object): Promise<unknown> => {
    const include = { relation, count: true, ...(scope === undefined ? {} : { scope }) }
    const { status, body } = await call(app, who, 'GET', `/Shops?${filter({ include })}`)
    return status === 200 ? body.map((shop: any) => shop[relation]) : status
  }
  t.same(await counts('adam', 'notes'), [{ count: 1 }, { count: 1 }])
  t.same(await counts('ann', 'notes'), [{ count: 1 }, { count: 0 }], 'those of her own')
  t.equal(await counts(undefined, 'notes'), 401)
  t.equal(await counts('ann', 'secrets'), 401)
  t.same(await counts('adam', 'secrets', { where: { text: 'hush' } }), [{ count: 1 }, { count: 0 }])
  t.equal(await counts('ann', 'items'), 401)
  t.equal(await counts('adam', 'items', { where: { 'shop.code': 'c2' } }), 400)
})

t.test('where rules of related models do not count, conditions ask what includes show', async t => {
  const app = await start(t, { includeAccess: 'parent' })
  const { status, body } = await call(app, undefined, 'GET', `/Shops?${filter({ where: { secrets: { some: { text: 'hush' } } } })}`)
  t.equal(status, 200)
  t.same(body.map(({ name }: { name: string }) => name), ['one'])
  t.equal((await call(app, undefined, 'GET', `/Shops?${filter({ where: { items: { some: {} } } })}`)).status, 401, 'the own rules do')
})

t.test('tokens of users are asked about by nobody', async t => {
  for (const includeAccess of ['parent', 'related']) {
    const app = await start(t, { includeAccess })
    for (const inner of [{}, { id: { like: 'a%' } }]) {
      const where = { owner: { accessTokens: { some: inner } } }
      for (const who of [undefined, 'ann', 'adam']) {
        const { status, body } = await call(app, who, 'GET', `/Shops?${filter({ where })}`)
        t.match({ status, code: body.error.code }, { status: 400, code: 'RELATION_IN_QUERY' }, `${includeAccess} ${String(who)}`)
      }
    }
  }
})

t.test('observers of access and default scopes narrow the related rows', async t => {
  const app = await start(t, { includeAccess: 'parent' })
  const { Secret, Shop } = app.models as Record<string, any>
  Secret.observe('access', async ({ query }: { query: any }) => {
    query.where = { and: [query.where ?? {}, { text: { neq: 'hush' } }] }
  })
  const names = async (where: object): Promise<string[]> =>
    (await Shop.find({ where })).map(({ name }: { name: string }) => name)
  t.same(await names({ secrets: { some: { text: 'hush' } } }), [], 'a row that reads do not find')
  t.same(await names({ secrets: { none: {} } }), ['one'])
  t.same(await names({ secrets: { every: { text: 'psst' } } }), ['one', 'two'])
})
