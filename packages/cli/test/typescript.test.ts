// FASTBACK_TEST_FULL: an application is compiled.
/** Definitions in TypeBox: their form, that they compile, and that they are served as those in JSON (DW-2). */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import t, { type Test } from 'tap'
import { addRelation } from '../src/generators.js'
import { createServer, newApplication } from '../src/index.js'
import { definitionModule, tableModel } from '../src/model-files/index.js'
import { execute } from '../../../test-fixtures/scratch.mjs'
import { compile } from './compile.js'
import { sampleSchema } from './sample-schema.js'
import { run } from './terminal.js'

t.test('DW-2: a table is written as the specification has it', async t => {
  const own = (columnName: string, dataType: string) => ({ postgresql: { columnName, dataType, nullable: 'NO' } })
  const { text } = definitionModule(tableModel({
    name: 'OrderLine',
    base: 'PersistedModel',
    idInjection: false,
    options: { validateUpsert: true, postgresql: { schema: 'public', table: 'order_line' } },
    properties: {
      orderId: { type: 'number', required: true, id: 1, ...own('order_id', 'bigint') },
      lineNo: { type: 'number', required: true, id: 2, minimum: -32768, maximum: 32767, ...own('line_no', 'smallint') },
      productSku: { type: 'string', required: true, length: 20, ...own('product_sku', 'character varying') },
      quantity: { type: 'number', default: 1, ...own('quantity', 'integer') }
    },
    relations: {
      order: { type: 'belongsTo', model: 'PurchaseOrder', foreignKey: 'orderId' },
      product: { type: 'belongsTo', model: 'Product', foreignKey: 'productSku' }
    }
  }, 'postgresql'))
  t.equal(text, `import { Type } from '@sinclair/typebox'
import { defineModel } from '@fastback/core'

/** Table "public"."order_line". */
export const OrderLine = defineModel({
  name: 'OrderLine',
  idInjection: false,
  options: { postgresql: { schema: 'public', table: 'order_line' } },
  properties: Type.Object({
    orderId: Type.Integer({ id: 1, postgresql: { columnName: 'order_id' } }),
    lineNo: Type.Integer({ id: 2, minimum: -32768, maximum: 32767, postgresql: { columnName: 'line_no' } }),
    productSku: Type.String({ maxLength: 20, postgresql: { columnName: 'product_sku' } }),
    quantity: Type.Optional(Type.Integer({ default: 1 }))
  }),
  relations: {
    order: { type: 'belongsTo', model: 'PurchaseOrder', foreignKey: 'orderId' },
    product: { type: 'belongsTo', model: 'Product', foreignKey: 'productSku' }
  }
})
`)
})

t.test('what TypeBox has no word for leaves all properties of a model in LoopBack\'s form', async t => {
  const properties = { title: 'string', place: 'geopoint' }
  const { text, untyped } = definitionModule({ definition: { name: 'Shop', properties } })
  t.same(untyped, ['place'])
  t.match(text, "properties: {\n    title: 'string',\n    place: 'geopoint'\n  }")
  t.notMatch(text, '@sinclair/typebox')
})

type Question = readonly [method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE', url: string, payload?: object]

const coffees: readonly Question[] = [
  ['POST', '/api/coffees', { title: 'Mocha', tags: ['hot'] }],
  ['POST', '/api/coffees', { title: 'Latte', price: null, roasted: '2026-01-02T03:04:05.000Z', bag: { x: 1 } }],
  ['POST', '/api/coffees', { price: 1 }],
  ['POST', '/api/coffees', { title: 'x', price: 'much' }],
  ['POST', '/api/coffees', { title: 'x', tags: 'none' }],
  ['POST', '/api/coffees', { title: null }],
  ['PATCH', '/api/coffees/1', { price: 3 }],
  ['PATCH', '/api/coffees/2', { tags: null }],
  ['PUT', '/api/coffees/2', { title: 'Flat' }],
  ['GET', '/api/coffees?filter={"where":{"price":{"gt":2}},"order":"title"}'],
  ['GET', '/api/coffees/2'],
  ['GET', '/api/coffees/9'],
  ['DELETE', '/api/coffees/1'],
  ['GET', '/api/coffees/count']
]

type Answer = [method: string, url: string, status: number, body: string]

async function answers (t: Test, folder: string, questions: readonly Question[] = coffees): Promise<Answer[]> {
  const server = await createServer(folder, { log: false })
  t.teardown(async () => { await server.stop() })
  const found: Answer[] = []
  for (const [method, url, payload] of questions) {
    const sent = payload === undefined ? {} : { payload }
    const { statusCode, body } = await server.fastify.inject({ method, url, ...sent })
    found.push([method, url, statusCode, body])
  }
  return found
}

/** A folder whose modules find the packages that they import. */
function within (t: Test): string {
  const root = mkdtempSync(path.join(import.meta.dirname, '.typescript-'))
  t.teardown(() => { rmSync(root, { recursive: true }) })
  return root
}

t.test('add model --typescript compiles in strict mode and answers as JSON does', async t => {
  const cwd = within(t)
  const [json, typescript] = await Promise.all(['json', 'typescript'].map(async name => {
    const { folder } = await newApplication({ name, template: 'empty-server', cwd })
    writeFileSync(path.join(folder, 'server/datasources.json'), '{\n  "db": { "connector": "memory" }\n}\n')
    const { code, err } = await run(folder, [
      'add', 'model', 'Coffee', '--plural', 'coffees', '--acl', 'open', '--property', 'title:string!', '--property', 'price:number=2.5',
      '--property', 'tags:string[]', '--property', 'roasted:date', '--property', 'bag:object', '--property', 'more:any',
      '--allow-dirty', ...name === 'json' ? [] : ['--typescript']
    ])
    t.equal(code, 0, err)
    return folder
  })) as [string, string]
  const file = path.join(typescript, 'common/models/coffee.model.ts')
  t.match(readFileSync(file, 'utf8'), 'price: Type.Optional(Type.Union([Type.Number(), Type.Null()], { default: 2.5 })),')
  t.notOk(existsSync(path.join(typescript, 'common/models/coffee.js')))
  const { dependencies } = JSON.parse(readFileSync(path.join(typescript, 'package.json'), 'utf8'))
  t.match(dependencies, { '@fastback/core': /core$/, '@sinclair/typebox': /^\^0\.34/ })
  t.match(await run(typescript, ['add', 'model', 'Coffee', '--plural', 'coffees', '--acl', 'open', '--typescript']), { code: 1, err: /EXISTS/ })
  t.match(await run(typescript, ['add', 'property', 'Coffee', 'x']), { code: 2, err: /defined in code; write it in .*coffee\.model/ })
  await t.rejects(addRelation(typescript, { model: 'Coffee', type: 'hasMany', to: 'Coffee' }), { code: 'FBK_CLI_DEFINED_IN_CODE' })
  t.same(compile(typescript), [])
  t.same(await answers(t, typescript), await answers(t, json))
  writeFileSync(path.join(json, 'tsconfig.json'), '{}')
  await run(json, ['add', 'model', 'Tea', '--allow-dirty'])
  t.ok(existsSync(path.join(json, 'common/models/tea.model.ts')), 'CL-9: a folder with a tsconfig.json gets TypeScript')
})

t.test('discover --typescript compiles in strict mode, and is served as JSON is', async t => {
  const cwd = within(t)
  const url = `sqlite:${path.join(cwd, 'sample.db')}`
  await execute(url, ...sampleSchema('sqlite'))
  const found = []
  for (const name of ['json', 'typescript']) {
    const { folder } = await newApplication({ name, template: 'empty-server', cwd })
    writeFileSync(path.join(folder, 'server/datasources.json'), JSON.stringify({ sample: { connector: 'sql', url, migrate: 'none' } }))
    const discover = ['discover', 'sample', '--views', '--open', '--json', '--allow-dirty', ...name === 'json' ? [] : ['--typescript']]
    const { code, err, out } = await run(folder, discover)
    t.equal(code, 0, err)
    const { models } = JSON.parse(out) as { models: Array<{ model: string, file: string }> }
    t.ok(models.every(({ file }) => file.endsWith(name === 'json' ? '.json' : '.model.ts')))
    if (name === 'typescript') {
      t.same(compile(folder), [])
      const again = await run(folder, discover.filter(word => word !== '--json'))
      t.match(again.out, 'Nothing to do.')
      t.notMatch(again.out, 'DR-10')
    }
    const { paths } = JSON.parse((await run(folder, ['openapi', '--out', '-'])).out) as { paths: object }
    const lists = models.map(({ model }) => Object.keys(paths).find(each => each.toLowerCase() === `/${model.toLowerCase()}s`)).filter(each => each !== undefined)
    found.push({
      paths: Object.keys(paths),
      rows: await answers(t, folder, [
        ...lists.map(list => ['GET', `/api${list}`] as const),
        ['GET', '/api/UserRecords?filter={"include":["groups","country"]}'], ['POST', '/api/Countries', { name: 1 }]
      ])
    })
  }
  const [json, typescript] = found
  t.ok((json?.rows.length ?? 0) > 15)
  t.same(typescript, json)
  await execute(url, 'alter table tag add column weight integer')
  const more = await run(path.join(cwd, 'typescript'), ['discover', 'sample', '--views', '--allow-dirty'])
  t.match(more.out, /DR-10: the column "weight" is new; add the property "weight" in common\/models\/tag\.model/)
})

t.test('introspect --typescript compiles in strict mode; a model in code is left to its author', async t => {
  const cwd = within(t)
  const { folder } = await newApplication({ name: 'samples', template: 'empty-server', cwd })
  writeFileSync(path.join(folder, 'server/datasources.json'), '{ "db": { "connector": "memory" } }')
  const file = path.join(cwd, 'orders.json')
  writeFileSync(file, JSON.stringify([
    { id: 1, title: 'a', at: '2026-01-01T00:00:00Z', lines: [{ sku: 'x', n: 1 }], place: { city: 'Graz' }, tags: ['a'] },
    { id: 2, title: 'b', note: null, lines: [], place: { city: 'Linz' } }
  ]))
  const { code, err } = await run(folder, ['introspect', file, '--model', 'Order', '--typescript', '--open', '--allow-dirty'])
  t.equal(code, 0, err)
  const runsTypeScript = 'typescript' in process.features && process.features.typescript !== false
  t.match(err, runsTypeScript ? '' : /it was not tried whether the application starts/)
  t.same(compile(folder), [])
  const [[, , status, body]] = await answers(t, folder, [
    ['POST', '/api/Orders', { id: 3, title: 'c', place: { city: 'Wien' }, lines: [{ sku: 'y', n: 2 }] }]
  ]) as [Answer]
  t.equal(status, 200, body)
  t.match(await run(folder, ['introspect', file, '--model', 'Order']), { code: 1, err: /FBK_CLI_DEFINED_IN_CODE/ })
})

t.test('add user-model --typescript: one, then several, as JSON has them', async t => {
  const cwd = within(t)
  const { folder } = await newApplication({ name: 'users', template: 'empty-server', cwd })
  writeFileSync(path.join(folder, 'server/datasources.json'), '{ "db": { "connector": "memory" } }')
  const add = async (...args: string[]) => {
    const { code, err, out } = await run(folder, ['add', 'user-model', ...args, '--typescript', '--yes', '--allow-dirty'])
    t.equal(code, 0, err)
    return out
  }
  await add('Member', '--token-model', 'Pass')
  t.match(await add('Member', '--token-model', 'Pass'), 'Nothing to do.')
  t.match(readFileSync(path.join(folder, 'common/models/pass.model.ts'), 'utf8'), "user: { type: 'belongsTo', model: 'Member'")
  t.same(compile(folder), [])
  const login: readonly Question[] = [
    ['POST', '/api/Members', { email: 'a@x.test', password: 'long enough' }],
    ['POST', '/api/Members/login', { email: 'a@x.test', password: 'long enough' }],
    ['GET', '/api/Members/1']
  ]
  t.same((await answers(t, folder, login)).map(([, , status]) => status), [200, 200, 401])

  // Another one finds the first, and its tokens, by what their modules say.
  await add('Seller')
  const config = JSON.parse(readFileSync(path.join(folder, 'server/model-config.json'), 'utf8'))
  const polymorphic = { foreignKey: 'userId', discriminator: 'principalType' }
  t.match(config.Member.relations.accessTokens, { model: 'Pass', polymorphic })
  t.match(config.Pass.relations.user, { idName: 'id', polymorphic })
  t.match(readFileSync(path.join(folder, 'common/models/seller.model.ts'), 'utf8'), "model: 'Pass'")
})

t.test('import-api --typescript: functions stand in the module, and answer 501', async t => {
  const cwd = within(t)
  const { folder } = await newApplication({ name: 'zoo', template: 'empty-server', cwd })
  writeFileSync(path.join(folder, 'server/datasources.json'), '{ "db": { "connector": "memory" } }')
  writeFileSync(path.join(folder, 'zoo.json'), JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Zoo', version: '1' },
    paths: {
      '/pets/search': {
        get: {
          tags: ['pets'],
          operationId: 'findByName',
          parameters: [{ name: 'q', in: 'query', required: true, schema: { type: 'string' } }],
          responses: { 200: { content: { 'application/json': { schema: { type: 'array', items: { $ref: '#/components/schemas/Pet' } } } } } }
        }
      }
    },
    components: { schemas: { Pet: { type: 'object', properties: { id: { type: 'integer' }, name: { type: 'string' } } } } }
  }))
  const args = ['import-api', 'zoo.json', '--acl', 'open', '--typescript', '--allow-dirty']
  const { code, err } = await run(folder, args)
  t.equal(code, 0, err)
  t.match((await run(folder, args)).out, 'Nothing to do.')
  t.notOk(existsSync(path.join(folder, 'common/models/pet.js')))
  t.same(compile(folder), [])
  t.same((await answers(t, folder, [
    ['POST', '/api/pets', { name: 'Tom' }], ['GET', '/api/pets/search?q=x'], ['GET', '/api/pets/search']
  ])).map(([, , status]) => status), [200, 501, 400])

  const service = await run(folder, ['import-api', 'zoo.json', '--service', 'far', '--force', '--typescript', '--allow-dirty'])
  t.equal(service.code, 0, service.err)
  t.match(readFileSync(path.join(folder, 'common/models/pet.model.ts'), 'utf8'), "openapi: { tags: ['pets'] }")
})
