/** Models as GraphQL: types, reads, relations, pages, aggregates, writes and methods of applications. */
import t from 'tap'
import { Type } from '@sinclair/typebox'
import { buildClientSchema, getIntrospectionQuery, printType, type GraphQLSchema } from 'graphql'
import type { ModelDefinitionInput } from '@fastback/core'
import { ask, codes, data, makeApp, type App } from './app.js'

type Loose = any

const definitions: ModelDefinitionInput[] = [
  {
    name: 'Shop',
    description: 'Where things are sold.',
    hidden: ['secret'],
    version: true,
    indexes: { words: { text: ['name'] } },
    properties: {
      name: { type: 'string', required: true, maxLength: 40, description: 'What it is called.' },
      kind: { type: 'string', enum: ['big', 'small'] },
      odd: { type: 'string', enum: ['a b', 'c'] },
      place: 'geopoint', exact: 'decimal', large: 'bigint', day: 'dateOnly', opened: 'date', count: 'integer', data: 'buffer',
      marks: ['number'], about: 'object', isOpen: 'boolean', secret: 'string'
    },
    relations: {
      products: { type: 'hasMany', model: 'Product' },
      tags: { type: 'hasAndBelongsToMany', model: 'Tag' }
    }
  },
  {
    name: 'Product',
    properties: { name: 'string', price: 'number', addedAt: 'date' },
    relations: {
      shop: { type: 'belongsTo', model: 'Shop' },
      notes: { type: 'hasMany', model: 'Note', polymorphic: { as: 'subject', foreignKey: 'subjectId', discriminator: 'subjectType' } },
      drafts: { type: 'hasMany', model: 'Draft' }
    }
  },
  { name: 'Tag', properties: Type.Object({ id: Type.Optional(Type.String()), word: Type.String() }) as Loose, idInjection: false } as Loose,
  {
    name: 'Note',
    properties: { text: 'string' },
    relations: { subject: { type: 'belongsTo', polymorphic: { foreignKey: 'subjectId', discriminator: 'subjectType', models: ['Product', 'Shop'] } } }
  },
  { name: 'Draft', properties: { text: 'string' } },
  { name: 'odd-name', properties: { 'first-name': 'string', __own: 'string', and: 'string', ok: 'string' } }
]
// A tag's id is a text of its own.
Object.assign(definitions[2] as Loose, { properties: { id: { type: 'string', id: true }, word: 'string' } })

const infos: string[] = []
const log: Loose = Object.assign(
  Object.fromEntries(['debug', 'warn', 'error', 'trace', 'fatal'].map(name => [name, () => {}])),
  { info: (message: unknown) => { infos.push(String(message)) }, child: () => log, level: 'info' }
)

async function makeShops (t: Loose, more: object = {}): Promise<App> {
  return await makeApp(t, {
    definitions,
    hidden: ['Draft'],
    serverLog: log,
    options: { idempotency: true },
    dataSource: { connector: 'memory' },
    prepare: async ({ Shop, Product, Tag, Note }) => {
      const shops = await Shop.create([
        { name: 'Paris', kind: 'big', isOpen: true, place: { lat: 48.9, lng: 2.3 }, secret: 'x', opened: '2026-01-01T00:00:00Z' },
        { name: 'Lyon', kind: 'small', isOpen: false, count: 3, exact: '1.25', large: '9007199254740993', marks: [1, 2], about: { a: [1] } },
        { name: 'Rome' }
      ])
      await Product.create([
        { name: 'Lamp', price: 25, shopId: 1, addedAt: '2026-01-05T00:00:00Z' },
        { name: 'Chair', price: 60, shopId: 1, addedAt: '2026-01-06T00:00:00Z' },
        { name: 'Table', price: 180, shopId: 2, addedAt: '2026-02-07T00:00:00Z' }
      ])
      const tag = await Tag.create({ id: 't1', word: 'red' })
      await shops[0].tags.add(tag)
      await Note.create([{ text: 'n1', subjectId: 1, subjectType: 'Product' }, { text: 'n2', subjectId: 2, subjectType: 'Shop' }])
      Shop.twice = async (n: number) => 2 * n
      Shop.remoteMethod('twice', {
        accepts: { arg: 'n', type: 'number', required: true }, returns: { arg: 'n', type: 'number' }, http: { verb: 'get' }
      })
      Shop.closeAll = async (at: Date, kinds: string[]) => ({ at, kinds })
      Shop.remoteMethod('closeAll', {
        accepts: [{ arg: 'at', type: 'date' }, { arg: 'kinds', type: ['string'] }], returns: { type: 'object', root: true }
      })
      Shop.dearest = async () => await Product.find({ order: 'price DESC', limit: 1 })
      Shop.remoteMethod('dearest', { returns: { type: ['Product'], root: true }, http: { verb: 'get' } })
      Shop.prototype.rename = async function (this: Loose, name: string) {
        return await this.updateAttributes({ name })
      }
      Shop.remoteMethod('prototype.rename', {
        accepts: { arg: 'name', type: 'string', required: true }, returns: { type: 'Shop', root: true }, http: { verb: 'post' }
      })
      Shop.nothing = async () => {}
      Shop.remoteMethod('nothing', {})
      Shop.photo = async () => 'x'
      Shop.remoteMethod('photo', { returns: { arg: 'f', type: 'file', root: true }, http: { verb: 'get' } })
    },
    ...more
  })
}

const schemaOf = async (app: App): Promise<GraphQLSchema> =>
  buildClientSchema(await data(app, undefined, getIntrospectionQuery()))
const typeOf = (schema: GraphQLSchema, name: string): string => printType(schema.getType(name) as Loose)

t.test('types of rows, conditions, orders and data', async t => {
  const app = await makeShops(t)
  const schema = await schemaOf(app)
  const shop = typeOf(schema, 'Shop')
  t.match(shop, /^"""Where things are sold\."""\ntype Shop/)
  t.match(shop, /"""What it is called\."""\n {2}name: String\n/)
  for (const field of [
    'kind: ShopKind', 'odd: String', 'place: GeoPoint', 'exact: Decimal', 'large: BigInt', 'day: Date', 'opened: DateTime',
    'count: SafeInt', 'data: Byte', 'marks: [Float]', 'about: JSON', 'isOpen: Boolean', 'id: SafeInt',
    'tags(where: TagWhere, order: [TagOrder!], limit: Int, skip: Int): [Tag!]!', 'productsCount(where: ProductWhere): SafeInt!'
  ]) t.ok(shop.includes(`\n  ${field}\n`), field)
  t.notMatch(shop, /secret/)
  t.match(typeOf(schema, 'Product'), /\n {2}shopId: SafeInt\n/, 'a key has the type of what it leads to')
  t.match(typeOf(schema, 'Tag'), /\n {2}id: ID\n/)
  t.notMatch(typeOf(schema, 'Product'), /drafts/, 'models that are not published stay unknown')
  t.notOk(schema.getType('Draft'))
  t.match(typeOf(schema, 'ShopWhere'), /\n {2}products: ProductListWhere\n/)
  t.match(typeOf(schema, 'ShopWhere'), /\n {2}search: String\n/)
  t.notMatch(typeOf(schema, 'TagWhere'), /search/)
  t.match(typeOf(schema, 'ProductWhere'), /\n {2}shop: ShopWhere\n/)
  t.match(typeOf(schema, 'StringFilter'), /regexp: String/)
  t.notMatch(typeOf(schema, 'FloatFilter'), /like/)
  t.match(typeOf(schema, 'ShopOrder'), /name_ASC\n {2}name_DESC/)
  t.notMatch(typeOf(schema, 'ShopOrder'), /about|marks|place/)
  t.match(typeOf(schema, 'ShopCreate'), /name: String!\n {2}kind: ShopKind/)
  t.match(typeOf(schema, 'NoteSubject'), /union NoteSubject = Shop \| Product/)
  t.match(typeOf(schema, 'odd_name'), /type odd_name {\n {2}and: String\n {2}ok: String\n/)
  for (const what of ['"odd-name"', 'odd-name.first-name', 'odd-name.__own', 'odd-name.and', 'Product.drafts', 'Shop.photo']) {
    t.ok(infos.some(text => text.includes(what)), `${what} is reported`)
  }
})

t.test('lists, rows, counts and conditions', async t => {
  const app = await makeShops(t)
  const names = async (where: string): Promise<string> =>
    (await data(app, undefined, `{ shops(where: ${where}, order: [id_ASC]) { name } }`)).shops.map(({ name }: Loose) => name).join()
  t.equal(await names('{ kind: { eq: big } }'), 'Paris')
  t.equal(await names('{ kind: null }'), 'Rome')
  t.equal(await names('{ name: { like: "%o%" }, isOpen: { neq: true } }'), 'Lyon,Rome')
  t.equal(await names('{ or: [{ count: { gt: 2 } }, { name: { ilike: "paris" } }] }'), 'Paris,Lyon')
  t.equal(await names('{ nor: [{ name: { inq: ["Paris", "Lyon"] } }] }'), 'Rome')
  t.equal(await names('{ search: "rome" }'), 'Rome')
  t.equal(await names('{ place: { near: { lat: 48, lng: 2 }, maxDistance: 500, unit: kilometers } }'), 'Paris')
  t.equal(await names('{ products: { some: { price: { gt: 100 } } } }'), 'Lyon')
  t.equal(await names('{ products: { none: {} } }'), 'Rome')
  t.equal(await names('{ products: { some: { shop: { name: { eq: "Paris" } } } } }'), 'Paris')
  t.equal(await names('{ exact: { eq: "1.25" }, large: { gt: 5 } }'), 'Lyon')
  t.equal(await names('{ marks: { eq: 2 } }'), 'Lyon')
  t.equal(await names('{ name: { neq: "Rome" }, _where: { "about.a": 1 } }'.replace('"about.a"', 'marks')), 'Lyon')
  t.same(await data(app, undefined, 'query($w: JSON) { shops(where: { _where: $w }) { name } }', { w: { 'about.a': 1 } }), {
    shops: [{ name: 'Lyon' }]
  })
  t.same(
    await data(app, undefined, '{ shop(id: 2) { __typename exact large about place { lat } } first: firstShop(order: [name_DESC]) { name } shopsCount shopExists(id: 9) }'),
    { shop: { __typename: 'Shop', exact: '1.25', large: '9007199254740993', about: { a: [1] }, place: null }, first: { name: 'Rome' }, shopsCount: 3, shopExists: false }
  )
  t.same(await data(app, undefined, '{ shops(order: [id_ASC], skip: 1, limit: 1) { name } tag(id: "t1") { id } }'), {
    shops: [{ name: 'Lyon' }], tag: { id: 't1' }
  })
  t.same(await codes(app, undefined, '{ shop(id: 9) { id } }'), ['MODEL_NOT_FOUND'])
  t.same(await codes(app, undefined, '{ shops(where: { _where: { secret: "x" } }) { id } }'), ['HIDDEN_PROPERTY_IN_QUERY'])
})

t.test('relations: one query each level, with conditions, in several ways at once', async t => {
  const app = await makeShops(t)
  let finds = 0
  const { Product, Shop } = app.models
  for (const Model of [Product, Shop]) Model.observe('access', async () => { finds++ })
  const { products } = await data(app, undefined, `{
    products(order: [id_ASC]) { name ...Sold }
  }
  fragment Sold on Product { shop { name ... on Shop { tags { word } } } shop { kind } }`)
  t.same(products.map(({ shop }: Loose) => [shop.name, shop.kind, shop.tags.length]), [['Paris', 'big', 1], ['Paris', 'big', 1], ['Lyon', 'small', 0]])
  t.equal(finds, 2)
  const several = await data(app, undefined, `{
    shops(order: [id_ASC]) {
      name
      cheap: products(where: { price: { lt: 50 } }) { name }
      all: products(order: [name_DESC]) { name price }
      dearest: products(order: [price_DESC], limit: 1) { name }
      productsCount
      cheapCount: productsCount(where: { price: { lt: 50 } })
    }
  }`)
  t.same(several.shops[0], {
    name: 'Paris', cheap: [{ name: 'Lamp' }], all: [{ name: 'Lamp', price: 25 }, { name: 'Chair', price: 60 }], dearest: [{ name: 'Chair' }],
    productsCount: 2, cheapCount: 1
  })
  t.same(several.shops[2], { name: 'Rome', cheap: [], all: [], dearest: [], productsCount: 0, cheapCount: 0 })
  t.same(
    await data(app, undefined, '{ product(id: 3) { shop { tags { word } a: products { name } b: products(where: { price: { lt: 1 } }) { name } } } }'),
    { product: { shop: { tags: [], a: [{ name: 'Table' }], b: [] } } },
    'also below another relation'
  )
  t.same(
    await data(app, undefined, '{ notes(order: [id_ASC]) { subject { __typename ... on Product { name price } ... on Shop { kind } } } }'),
    { notes: [{ subject: { __typename: 'Product', name: 'Lamp', price: 25 } }, { subject: { __typename: 'Shop', kind: 'small' } }] }
  )
  t.same(await codes(app, undefined, '{ notes { subject { ... on Product { shop { name } } } } }'), ['GRAPHQL_RELATED_OF_SEVERAL'])
  t.same(
    await data(app, undefined, 'query($no: Boolean!) { shop(id: 1) { name @skip(if: $no) tags @include(if: $no) { word } } }', { no: false }),
    { shop: { name: 'Paris' } }
  )
})

t.test('pages by cursors', async t => {
  const app = await makeShops(t)
  const page = async (args: string): Promise<Loose> => (await data(app, undefined, `{
    productsConnection(${args}) {
      nodes { name } edges { cursor node { price shop { name } } } totalCount
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    }
  }`)).productsConnection
  const first = await page('first: 2, order: [price_DESC]')
  t.match(first, {
    nodes: [{ name: 'Table' }, { name: 'Chair' }], totalCount: 3,
    edges: [{ node: { price: 180, shop: { name: 'Lyon' } } }, { node: { price: 60 } }],
    pageInfo: { hasNextPage: true, hasPreviousPage: false, startCursor: null }
  })
  t.equal(first.edges[1].cursor, first.pageInfo.endCursor)
  const second = await page(`first: 2, order: [price_DESC], after: "${first.pageInfo.endCursor}"`)
  t.match(second, { nodes: [{ name: 'Lamp' }], pageInfo: { hasNextPage: false, hasPreviousPage: true, endCursor: null } })
  const back = await page(`last: 2, order: [price_DESC], before: "${second.pageInfo.startCursor}"`)
  t.same(back.nodes, first.nodes)
  t.same(await codes(app, undefined, '{ productsConnection(first: 1, last: 1) { totalCount } }'), ['GRAPHQL_INVALID_REQUEST'])
  t.same(await codes(app, undefined, '{ productsConnection(after: "x") { nodes { id } } }'), ['INVALID_CURSOR'])
})

t.test('aggregates', async t => {
  const app = await makeShops(t)
  const { productsAggregate } = await data(app, undefined, `{
    productsAggregate(groupBy: [{ by: "shop.name" }], where: { price: { gt: 1 } }, order: ["sum_price DESC"], having: { count_: { gt: 0 } }) {
      group count sum { price } avg { price } max { name addedAt } countDistinct { shopId }
    }
  }`)
  t.same(productsAggregate, [
    { group: { 'shop.name': 'Lyon' }, count: 1, sum: { price: 180 }, avg: { price: 180 }, max: { name: 'Table', addedAt: '2026-02-07T00:00:00.000Z' }, countDistinct: { shopId: 1 } },
    { group: { 'shop.name': 'Paris' }, count: 2, sum: { price: 85 }, avg: { price: 42.5 }, max: { name: 'Lamp', addedAt: '2026-01-06T00:00:00.000Z' }, countDistinct: { shopId: 1 } }
  ])
  t.same(await data(app, undefined, '{ productsAggregate(groupBy: [{ by: "addedAt", period: month, timeZone: "UTC" }]) { group count } }'), {
    productsAggregate: [{ group: { addedAt: '2026-01-01T00:00:00.000Z' }, count: 2 }, { group: { addedAt: '2026-02-01T00:00:00.000Z' }, count: 1 }]
  })
  t.same(await codes(app, undefined, '{ productsAggregate { group } }'), ['INVALID_AGGREGATE'])
})

t.test('a document that is kept, with other variables', async t => {
  const app = await makeShops(t)
  const document = `query ($id: SafeInt!, $named: Boolean!, $limit: Int) {
    shop(id: $id) { ...Shown products(limit: $limit, order: [id_ASC]) { id } }
  }
  fragment Shown on Shop { id name @include(if: $named) }`
  const ask = async (id: number, named: boolean, limit: number): Promise<Loose> =>
    (await data(app, undefined, document, { id, named, limit })).shop
  const full = await ask(1, true, 9)
  t.ok(full.products.length > 1)
  for (const [named, limit] of [[false, 1], [true, 1], [false, 9], [true, 9]] as const) {
    t.strictSame(await ask(1, named, limit), {
      id: 1, ...(named ? { name: full.name } : {}), products: full.products.slice(0, limit)
    })
  }
  const fixed = 'query ($id: SafeInt!) { shop(id: $id) { id name } }'
  t.strictSame((await data(app, undefined, fixed, { id: 2 })).shop.id, 2)
  t.strictSame((await data(app, undefined, fixed, { id: 1 })).shop, { id: 1, name: full.name })
})

t.test('what is required is so in the schema, unless hooks may fill it in', async t => {
  const properties = { name: { type: 'string', required: true }, kind: { type: 'string', required: true, default: 'a' } }
  const app = await makeApp(t, {
    definitions: [{ name: 'Plain', properties }, { name: 'Filled', properties }] as Loose,
    prepare: ({ Filled }) => {
      Filled.observe('before save', async ({ instance }: Loose) => { if (instance !== undefined) instance.name ??= 'filled in' })
    }
  })
  const { type } = await data(app, undefined, '{ type: __type(name: "PlainCreate") { inputFields { name type { kind } } } }')
  t.same(type.inputFields.filter(({ type }: Loose) => type.kind === 'NON_NULL').map(({ name }: Loose) => name), ['name'])
  t.same(await codes(app, undefined, 'mutation { createPlain(data: { kind: "b" }) { id } }'), ['GRAPHQL_INVALID_DOCUMENT'])
  t.same(await data(app, undefined, 'mutation { createFilled(data: {}) { name } }'), { createFilled: { name: 'filled in' } })
})

t.test('writes, with validation, versions and keys of repeats', async t => {
  const app = await makeShops(t)
  const created = await data(app, undefined, `mutation {
    createShop(data: { name: "Nice", kind: big, place: { lat: 1, lng: 2 }, opened: "2026-03-01T00:00:00Z" }) { id kind version products { id } }
  }`)
  t.match(created.createShop, { id: 4, kind: 'big', version: 1, products: [] })
  t.same(
    await data(app, undefined, 'mutation($data: ProductPatch!) { updateProduct(id: 1, data: $data) { price shop { name } } }', { data: { price: 26 } }),
    { updateProduct: { price: 26, shop: { name: 'Paris' } } }
  )
  t.same(await codes(app, undefined, 'mutation { updateShop(id: 4, ifVersion: 7, data: { name: "N" }) { id } }'), ['VERSION_CONFLICT'])
  t.match(await data(app, undefined, 'mutation { updateShop(id: 4, ifVersion: 1, data: { name: "N" }) { version } }'), { updateShop: { version: 2 } })
  t.same(await data(app, undefined, 'mutation { deleteShop(id: 4, ifVersion: 2) { count } }'), { deleteShop: { count: 1 } })
  t.same(await codes(app, undefined, 'mutation { createShop(data: { kind: small }) { id } }'), ['GRAPHQL_INVALID_DOCUMENT'])
  const { errors } = await ask(app, undefined, `mutation { createShop(data: { name: "${'x'.repeat(41)}" }) { id } }`)
  t.match(errors, [{
    path: ['createShop'],
    extensions: { code: 'VALIDATION_FAILED', statusCode: 422, name: 'UnprocessableEntityError', details: [{ code: 'maxLength' }] }
  }])
  const key = 'mutation { createTag(data: { id: "t2", word: "blue" }, idempotencyKey: "k1") { id } }'
  t.same(await data(app, undefined, key), { createTag: { id: 't2' } })
  t.same(await data(app, undefined, key), { createTag: { id: 't2' } })
  t.same(await codes(app, undefined, key.replace('blue', 'green')), ['IDEMPOTENCY_KEY_REUSED'])
  t.same(await data(app, undefined, `mutation {
    createTags(data: [{ id: "a", word: "a" }, { id: "b", word: "b" }]) { id }
    upsertTag(data: { id: "a", word: "c" }) { word }
    replaceTag(id: "b", data: { word: "d" }) { word }
    upsertTagWithWhere(where: { id: { eq: "b" } }, data: { word: "e" }) { word }
    replaceOrCreateTag(data: { id: "a", word: "f" }) { id word }
    updateTags(where: { word: { eq: "e" } }, data: { word: "g" }) { count }
    deleteTag(id: "a") { count }
  }`), {
    createTags: [{ id: 'a' }, { id: 'b' }],
    upsertTag: { word: 'c' },
    replaceTag: { word: 'd' },
    upsertTagWithWhere: { word: 'e' },
    replaceOrCreateTag: { id: 'a', word: 'f' },
    updateTags: { count: 1 },
    deleteTag: { count: 1 }
  })
})

t.test('methods of applications and of relations', async t => {
  const app = await makeShops(t)
  t.same(await data(app, undefined, '{ shopTwice(n: 4) shopDearest { name shop { name } } }'), {
    shopTwice: 8, shopDearest: [{ name: 'Table', shop: { name: 'Lyon' } }]
  })
  t.same(await data(app, undefined, `mutation {
    shopCloseAll(at: "2026-01-01T00:00:00Z", kinds: ["x"])
    shopRename(id: 3, name: "Roma") { name productsCount }
    shopNothing
    shopCreateProducts(id: 3, data: { name: "Desk" }) { name shopId }
    shopLinkTags(id: 3, fk: "t1")
  }`), {
    shopCloseAll: { at: '2026-01-01T00:00:00.000Z', kinds: ['x'] },
    shopRename: { name: 'Roma', productsCount: 0 },
    shopNothing: true,
    shopCreateProducts: { name: 'Desk', shopId: 3 },
    shopLinkTags: { shopId: 3, tagId: 't1', id: 2 }
  })
  t.match(await ask(app, undefined, '{ shopTwice }'), { status: 400, errors: [{ extensions: { code: 'GRAPHQL_INVALID_DOCUMENT' } }] })
})

t.test('two registrations in one process share nothing', async t => {
  const [one, other] = [await makeShops(t), await makeApp(t, { definitions: [{ name: 'Only', properties: { a: 'string' } }] })]
  t.ok((await schemaOf(one)).getType('Shop'))
  t.notOk((await schemaOf(other)).getType('Shop'))
})
