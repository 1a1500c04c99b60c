import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import t, { type Test } from 'tap'
import { createServer, newApplication } from '../src/index.js'
import { enter, talk } from './dialogue.js'
import { run } from './terminal.js'

/** An application with access control, and its models in memory. */
async function shop (t: Test): Promise<string> {
  const { folder } = await newApplication({ name: 'shop', template: 'api-server', cwd: t.testdir() })
  writeFileSync(path.join(folder, 'server/datasources.json'), '{\n  "db": { "connector": "memory" }\n}\n')
  return folder
}

const textOf = (folder: string, file: string): string => readFileSync(path.join(folder, file), 'utf8')
const json = (folder: string, file: string) => JSON.parse(textOf(folder, file))

async function done (folder: string, ...args: string[]): Promise<string> {
  const { code, out, err } = await run(folder, ['add', ...args, '--allow-dirty'])
  if (code !== 0) throw new Error(`add ${args.join(' ')}: ${err}`)
  return out + err
}

t.test('a new model is closed; rows open it, and are explained; what the folder gains runs', async t => {
  const folder = await shop(t)
  await done(folder, 'model', 'Coffee', '--property', 'title')
  await done(folder, 'model', 'Order', '--acl', 'owner', '--property', 'text')
  t.equal(json(folder, 'common/models/coffee.json').$schema, '../../node_modules/@fastback/boot/schemas/model.json')

  t.match(await done(folder, 'acl', 'Coffee', '--access-type', 'READ', '--permission', 'ALLOW'), 'Coffee: ALLOW $everyone decides')
  t.same(json(folder, 'common/models/coffee.json').acls.at(-1), {
    accessType: 'READ', principalType: 'ROLE', principalId: '$everyone', permission: 'ALLOW'
  })
  t.match(await done(folder, 'acl', 'Coffee', '--access-type', 'READ', '--permission', 'ALLOW'), 'Nothing to do.')
  const shadowed = await done(folder, 'acl', 'Coffee', '--permission', 'DENY', '--role', '$unauthenticated', '--dry-run')
  t.match(shadowed, /the row does not decide .*find.*: ALLOW \$everyone, READ weighs more/)
  await done(folder, 'acl', 'Coffee', '--method', 'create,deleteById', '--role', '$authenticated', '--permission', 'ALLOW')
  t.same(json(folder, 'common/models/coffee.json').acls.at(-1), {
    accessType: 'EXECUTE', principalType: 'ROLE', principalId: '$authenticated', permission: 'ALLOW', property: ['create', 'deleteById']
  })
  const unknown = await run(folder, ['add', 'acl', 'Coffee', '--method', 'creat', '--permission', 'DENY'])
  t.equal(unknown.code, 2)
  t.match(unknown.err, 'Did you mean "create"?')

  // A script that is there is left alone.
  const scripts = {
    'server/middleware/stamp.js': 'export default params => (req, res, next) => {\n  res.setHeader(\'x-stamp\', params.max)\n  next()\n}\n',
    'common/mixins/time-stamp.js': 'export default Model => Model.defineProperty(\'at\', { type: \'date\', defaultFn: \'now\' })\n',
    'server/components/ready.js': 'export default (app, { path }) => { app.fastify.get(path, () => ({ ready: true })) }\n'
  }
  for (const [file, text] of Object.entries(scripts)) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
    writeFileSync(path.join(folder, file), text)
  }
  await done(folder, 'middleware', './middleware/stamp', '--phase', 'early', '--before', 'initial', '--path', '/api', '--params', '{"max":5}')
  t.same(Object.keys(json(folder, 'server/middleware.json')).slice(0, 3), ['$schema', 'early', 'initial'])
  t.same(json(folder, 'server/middleware.json').early, { './middleware/stamp': { paths: ['/api'], params: { max: 5 } } })
  const twice = await run(folder, ['add', 'middleware', './middleware/stamp', '--phase', 'early', '--params', '{"max":6}'])
  t.match(twice.err, 'FBK_CLI_EXISTS')
  await done(folder, 'middleware', './middleware/stamp', '--phase', 'early', '--path', '/other', '--add')
  t.same(json(folder, 'server/middleware.json').early['./middleware/stamp'].length, 2)
  await done(folder, 'middleware', './middleware/next', '--phase', 'early')
  await done(folder, 'component', './components/nothing')
  await done(folder, 'mixin', 'Nothing', '--model', 'Coffee')
  await done(folder, 'boot-script', 'count-rows')
  await done(folder, 'boot-script', 'plain', '--type', 'sync')
  t.match(textOf(folder, 'server/boot/count-rows.js'), 'export default async function countRows (app) {')
  await done(folder, 'mixin', 'TimeStamp', '--model', 'Coffee')
  t.same(json(folder, 'common/models/coffee.json').mixins, { Nothing: true, TimeStamp: true })
  await done(folder, 'component', './components/ready', '--options', '{"path":"/ready"}')

  const server = await createServer(folder)
  t.teardown(async () => { await server.stop() })
  const { fastify } = server
  const ask = async (method: 'GET' | 'POST', url: string, payload?: object, token?: string) =>
    await fastify.inject({
      method,
      url,
      ...(payload === undefined ? {} : { payload }),
      headers: token === undefined ? {} : { authorization: token }
    })
  const read = await ask('GET', '/api/Coffees')
  t.equal(read.statusCode, 200)
  t.equal(read.headers['x-stamp'], '5')
  t.equal((await ask('POST', '/api/Coffees', { title: 'Mocha' })).statusCode, 401)
  t.same((await ask('GET', '/ready')).json(), { ready: true })
  const tokens = []
  for (const email of ['a@example.org', 'b@example.org']) {
    await ask('POST', '/api/Users', { email, password: 'long enough 1' })
    tokens.push((await ask('POST', '/api/Users/login', { email, password: 'long enough 1' })).json().id as string)
  }
  t.match((await ask('POST', '/api/Coffees', { title: 'Mocha' }, tokens[0])).json(), { title: 'Mocha', at: /^\d{4}/ })
  const order = await ask('POST', '/api/Orders', { text: 'two' }, tokens[0])
  t.match(order.json(), { ownerId: 1 })
  const { id } = order.json()
  t.equal((await ask('GET', `/api/Orders/${id}`, undefined, tokens[0])).statusCode, 200)
  t.equal((await ask('GET', `/api/Orders/${id}`, undefined, tokens[1])).statusCode, 404)
})

t.test('data sources have their settings in LoopBack\'s order, and no password', async t => {
  const folder = await shop(t)
  await done(folder, 'datasource', 'shop', '--connector', 'postgresql', '--database', 'shop', '--host', 'localhost',
    '--port', '5432', '--user', 'me', '--password', '--setting', 'max=5')
  t.match(textOf(folder, 'server/datasources.json'), `"shop": {
    "host": "localhost",
    "port": 5432,
    "database": "shop",
    "password": "\${SHOP_PASSWORD}",
    "name": "shop",
    "user": "me",
    "max": 5,
    "connector": "postgresql"
  }`)
  t.equal(textOf(folder, '.env.example'), 'SHOP_PASSWORD=\n')
  t.same(Object.keys(json(folder, 'package.json').dependencies).at(-1), 'pg')
  await done(folder, 'datasource', 'old', '--connector', 'mysql', '--url', 'mysql://me:hunter2@db/old')
  t.match(textOf(folder, 'server/datasources.json'), 'OLD_URL')
  t.equal(textOf(folder, '.env.example'), 'SHOP_PASSWORD=\nOLD_URL=mysql://USER:PASSWORD@db/old\n')
  t.notMatch(textOf(folder, 'server/datasources.json'), 'hunter2')
  await done(folder, 'datasource', 'kept', '--connector', 'sqlite3', '--file', '../kept.db', '--test')
  t.match((await run(folder, ['add', 'datasource', 'gone', '--connector', 'postgresql', '--host', '127.0.0.1', '--port', '1', '--test', '--allow-dirty'])).err, 'FBK_CLI_WRITTEN_BROKEN')
  t.notOk('gone' in json(folder, 'server/datasources.json'))

  const { code, err, left } = await talk(folder, ['add', 'datasource', '--allow-dirty'], [
    ['Name of the data', `cache${enter}`], ['Which connector', enter], ['File', enter], ['further setting', enter]
  ])
  t.equal(code, 0, err)
  t.same(left, [])
  t.same(json(folder, 'server/datasources.json').cache, { name: 'cache', connector: 'memory' })
})

t.test('folders of CommonJS get scripts of it, and rows by prompts', async t => {
  const folder = await shop(t)
  const manifest = json(folder, 'package.json')
  delete manifest.type
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify(manifest))
  for (const name of ['authentication', 'root']) {
    const file = `server/boot/${name}.js`
    writeFileSync(path.join(folder, file), textOf(folder, file).replace('export default', 'module.exports ='))
  }
  mkdirSync(path.join(folder, 'server/models'))
  await done(folder, 'middleware', './middleware/stamp', '--phase', 'auth', '--sub-phase', 'after')
  t.equal(textOf(folder, 'server/middleware/stamp.js'), `'use strict';

// A factory of middleware; params stand in middleware.json.
module.exports = function(params) {
  return function stamp (req, res, next) {
    next();
  };
};
`)
  t.ok(existsSync(path.join(folder, 'server/middleware.json')))
  await done(folder, 'boot-script', 'seed')
  t.match(textOf(folder, 'server/boot/seed.js'), 'module.exports = async function seed(app) {\n};\n')
  await done(folder, 'model', 'Tea')
  const { code, err, left } = await talk(folder, ['add', 'acl', '--allow-dirty'], [
    ['Which model', enter], ['For what', enter], ['type of access', enter], ['Whose', enter], ['What then', enter]
  ])
  t.equal(code, 0, err)
  t.same(left, [])
  t.same(json(folder, 'common/models/tea.json').acls.at(-1), {
    accessType: '*', principalType: 'ROLE', principalId: '$everyone', permission: 'ALLOW'
  })
})
