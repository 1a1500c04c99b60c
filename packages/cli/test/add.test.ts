import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import t, { type Test } from 'tap'
import { createServer, newApplication } from '../src/index.js'
import { ctrlC, down, enter, talk } from './dialogue.js'
import { run } from './terminal.js'

/** An application in LoopBack's layout, with rows in memory and nobody's schemas. */
async function shop (t: Test): Promise<string> {
  const { folder } = await newApplication({ name: 'shop', template: 'empty-server', cwd: t.testdir() })
  writeFileSync(path.join(folder, 'server/datasources.json'), '{\n  "db": { "connector": "memory" }\n}\n')
  writeFileSync(path.join(folder, 'server/model-config.json'), '{\n  "_meta": { "sources": ["../common/models", "./models"] }\n}\n')
  return folder
}

const textOf = (folder: string, file: string): string => readFileSync(path.join(folder, file), 'utf8')
const json = (folder: string, file: string) => JSON.parse(textOf(folder, file))

async function done (folder: string, ...args: string[]): Promise<string> {
  const { code, out, err } = await run(folder, ['add', ...args])
  if (code !== 0) throw new Error(`add ${args.join(' ')}: ${err}`)
  return out
}

t.test('writes are counted where half of the data source\'s models count them', async t => {
  const folder = await shop(t)
  const versionOf = async (name: string, ...more: string[]): Promise<unknown> => {
    await done(folder, 'model', name, '--acl', 'open', '--allow-dirty', ...more)
    return json(folder, `common/models/${name.toLowerCase()}.json`).version
  }
  t.equal(await versionOf('First'), undefined)
  const file = path.join(folder, 'common/models/first.json')
  writeFileSync(file, JSON.stringify({ ...json(folder, 'common/models/first.json'), version: true }))
  t.equal(await versionOf('Second'), true)
  t.equal(await versionOf('Third', '--property', 'version:number'), undefined, 'its own property')
  t.equal(await versionOf('Fourth', '--base', 'Second'), undefined, 'what it extends says so')
  t.equal(await versionOf('Fifth', '--data-source', 'none'), undefined)
  t.match(await done(folder, 'model', 'Second', '--acl', 'open'), 'Nothing to do.')
})

t.test('models, properties and relations by flags are files in LoopBack\'s form, and are served', async t => {
  const folder = await shop(t)
  await done(folder, 'model', 'CoffeeShop', '--acl', 'open', '--allow-dirty')
  t.equal(textOf(folder, 'common/models/coffee-shop.json'), `{
  "name": "CoffeeShop",
  "base": "PersistedModel",
  "idInjection": true,
  "options": {
    "validateUpsert": true
  },
  "properties": {},
  "validations": [],
  "relations": {},
  "acls": [],
  "methods": {}
}
`)
  t.same(json(folder, 'server/model-config.json').CoffeeShop, { dataSource: 'db', public: true })
  t.match(await done(folder, 'model', 'CoffeeShop', '--acl', 'open'), 'Nothing to do.')

  await done(folder, 'model', 'Coffee', '--plural', 'coffees', '--acl', 'open', '--property', 'title:string!',
    '--property', 'price:number=2.5', '--property=tags:string[]=hot,strong', '--allow-dirty')
  t.same(json(folder, 'common/models/coffee.json').properties, {
    title: { type: 'string', required: true },
    price: { type: 'number', default: 2.5 },
    tags: { type: ['string'], default: ['hot', 'strong'] }
  })
  await done(folder, 'property', 'Coffee', 'roasted', '--type', 'date', '--default', 'now', '--allow-dirty')
  await done(folder, 'property', 'Coffee', 'size', '--enum', 'small,large', '--allow-dirty')
  await done(folder, 'relation', 'Coffee', '--type', 'belongsTo', '--to', 'CoffeeShop', '--inverse', '--allow-dirty')
  t.same(json(folder, 'common/models/coffee.json').relations, { coffeeShop: { type: 'belongsTo', model: 'CoffeeShop' } })
  t.same(json(folder, 'common/models/coffee-shop.json').relations, { coffees: { type: 'hasMany', model: 'Coffee' } })
  await done(folder, 'model', 'Secret', '--allow-dirty')

  const app = await createServer(folder)
  t.teardown(async () => { await app.stop() })
  const { statusCode, body } = await app.fastify.inject({ method: 'POST', url: '/api/CoffeeShops', payload: { name: 'One' } })
  t.equal(statusCode, 200, body)
  const made = await app.fastify.inject({ method: 'POST', url: '/api/CoffeeShops/1/coffees', payload: { title: 'Mocha', size: 'small' } })
  t.match(made.json(), { title: 'Mocha', price: 2.5, tags: ['hot', 'strong'], coffeeShopId: 1, roasted: /^\d{4}-/ })
  t.equal((await app.fastify.inject({ method: 'POST', url: '/api/coffees', payload: {} })).statusCode, 422)
  t.equal((await app.fastify.inject({ method: 'POST', url: '/api/coffees', payload: { title: 'x', size: 'huge' } })).statusCode, 422)
})

t.test('what is missing, wrong or taken is told, and nothing is written', async t => {
  const folder = await shop(t)
  await done(folder, 'model', 'Coffee', '--allow-dirty')
  const before = textOf(folder, 'common/models/coffee.json')
  for (const [args, code, message] of [
    [['model'], 2, /Say NAME/],
    [['model', 'Co.ffee'], 2, /a name has no "\."/],
    [['model', 'Tea', '--acl', 'all'], 2, /private, owner, open/],
    [['model', 'Tea', '--data-source', 'other'], 2, /db, none/],
    [['model', 'Coffee', '--acl', 'open'], 1, /FBK_CLI_EXISTS/],
    [['property', 'Coffee'], 2, /Say NAME/],
    [['property', 'Tea', 'x'], 2, /Coffee/],
    [['property', 'Coffee', 'n', '--type', 'number', '--default', 'five'], 2, /not a number/],
    [['property', 'Coffee', 'n', '--item-type', 'number'], 2, /has no meaning/],
    [['relation', 'Coffee', '--to', 'Tea'], 2, /"--type"/],
    [['relation', 'Coffee', '--type', 'hasOne', '--to', 'Tea', '--through', 'Cup'], 2, /has no meaning/],
    [['nonsense'], 2, /model, property/],
    [[], 2, /model, property/]
  ] as const) {
    const result = await run(folder, ['add', ...args])
    t.equal(result.code, code, `${args.join(' ')}: ${result.err}`)
    t.match(result.err, message)
  }
  t.equal(textOf(folder, 'common/models/coffee.json'), before)
  t.match((await run(folder, ['add', 'model', '--help'])).out, /--data-source/)
  t.match((await run(folder, ['add', '--help'])).out, /relation/)
})

t.test('answers in a file are those of the flags, by the same names', async t => {
  const folder = await shop(t)
  const file = path.join(folder, 'answers.json')
  writeFileSync(file, JSON.stringify({ name: 'Tea', public: false, property: ['title:string!', { name: 'n', type: 'number' }] }))
  await done(folder, 'model', '--answers', 'answers.json', '--server', '--allow-dirty')
  t.match(json(folder, 'server/models/tea.json').properties, { title: { required: true }, n: { type: 'number' } })
  t.equal(json(folder, 'server/model-config.json').Tea.public, false)
  for (const [content, message] of [['{', /not JSON/], ['{"nme":1}', /"nme"/], ['{"public":"no"}', /true or false/]] as const) {
    writeFileSync(file, content)
    const { code, err } = await run(folder, ['add', 'model', 'Milk', '--answers', 'answers.json'])
    t.equal(code, 2)
    t.match(err, message)
  }
})

t.test('the questions of a model are LoopBack\'s, in its order; Ctrl-C writes nothing', async t => {
  const folder = await shop(t)
  const stopped = await talk(folder, ['add', 'model', 'Tea'], [['Which data source', enter], ['extend', ctrlC]])
  t.equal(stopped.code, 130)
  t.match(stopped.err, 'FBK_CLI_CANCELLED')
  t.notOk('Tea' in json(folder, 'server/model-config.json'))

  const { code, err, left } = await talk(folder, ['add', 'model', 'Te.a', '--allow-dirty'], [
    ['Name of the model', `Tea${enter}`], ['Which data source', enter], ['extend', enter], ['Publish', enter],
    ['Plural', `teas${enter}`], ['server\'s own', enter], ['Who may', down + down + enter],
    ['A property', `title${enter}`], ['Its type', enter], ['Required', 'y'], ['Default', enter],
    ['A property', `cups${enter}`], ['Its type', down + enter], ['Required', enter], ['Default', `3${enter}`],
    ['A property', enter]
  ])
  t.equal(code, 0, err)
  t.match(err, 'a name has no "."')
  t.same(left, [])
  t.same(json(folder, 'common/models/tea.json').properties, {
    title: { type: 'string', required: true }, cups: { type: 'number', default: 3 }
  })
})

t.test('LG-04: a login: entries, component, models, page, variables; the folder starts and sends browsers to the provider', async t => {
  const folder = await shop(t)
  const out = await done(folder, 'login', 'google', '--allow-dirty')
  t.match(out, '/auth/google/callback', 'what to register')
  t.match(json(folder, 'server/providers.json'), {
    'google-login': { preset: 'google', clientSecret: '$' + '{GOOGLE_CLIENT_SECRET}', session: true },
    'google-link': { link: true }
  })
  t.match(json(folder, 'server/component-config.json'), { '@fastback/login': { tokenInRedirect: 'code', linkForLogin: true } })
  t.match(json(folder, 'server/model-config.json'), { UserIdentity: { dataSource: 'db', public: false } })
  t.match(textOf(folder, 'client/login.html'), 'href="/auth/google"')
  t.match(textOf(folder, '.env.example'), /GOOGLE_CLIENT_ID=\n[^]*LOGIN_SECRET=\n/)
  await done(folder, 'login', 'oidc', '--issuer', 'http://127.0.0.1:9', '--allow-dirty')
  t.match(textOf(folder, 'client/login.html'), /href="\/auth\/google"[^]*href="\/auth\/oidc"/)
  t.match(await run(folder, ['add', 'login', 'oidc', '--allow-dirty']), { code: 2, err: /--issuer/ })
  t.match(await run(folder, ['add', 'login', 'gogle', '--allow-dirty']), { code: 2 })
  Object.assign(process.env, { LOGIN_SECRET: 'sixteen letters or more', LOGIN_ORIGIN: 'https://shop.example', GOOGLE_CLIENT_ID: 'id' })
  t.teardown(() => { for (const name of ['LOGIN_SECRET', 'LOGIN_ORIGIN', 'GOOGLE_CLIENT_ID']) Reflect.deleteProperty(process.env, name) })
  const { fastify, stop } = await createServer(folder)
  t.teardown(stop)
  await fastify.ready()
  const answer = await fastify.inject('/auth/oidc')
  t.strictSame([answer.statusCode, answer.headers.location], [302, '/login.html?error=PROVIDER_ERROR'], 'nobody answers there')
})
