/** `fastback add model --acl owner`: what it writes is served, and two users see what is theirs. */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import t, { type Test } from 'tap'
import { createServer, newApplication } from '../src/index.js'
import { run } from './terminal.js'

const password = 'long enough 1'

async function folderOf (t: Test): Promise<string> {
  const { folder } = await newApplication({ name: 'shop', template: 'api-server', cwd: t.testdir() })
  writeFileSync(path.join(folder, 'server/datasources.json'), '{ "db": { "connector": "memory" } }')
  return folder
}

async function add (folder: string, ...args: string[]): Promise<string> {
  const { code, out, err } = await run(folder, ['add', ...args, '--allow-dirty'])
  if (code !== 0) throw new Error(`add ${args.join(' ')}: ${err}`)
  return out
}

interface Answer { readonly status: number, readonly body: any }

async function served (t: Test, folder: string) {
  const server = await createServer(folder)
  t.teardown(async () => { await server.stop() })
  const ask = async (request: string, token?: string, payload?: object): Promise<Answer> => {
    const [, method, url = ''] = /^(\w+) (.*)$/.exec(request) ?? []
    const answer = await server.fastify.inject({
      method: method as 'GET',
      url: encodeURI(`/api${url}`),
      ...(payload === undefined ? {} : { payload }),
      headers: token === undefined ? {} : { authorization: token }
    })
    return { status: answer.statusCode, body: answer.payload === '' ? null : answer.json() }
  }
  const logIn = async (users: string, email: string): Promise<string> => {
    await ask(`POST /${users}`, undefined, { email, password })
    return (await ask(`POST /${users}/login`, undefined, { email, password })).body.id
  }
  return { server, ask, logIn }
}

const texts = ({ body }: Answer): string[] => body.map(({ text }: { text: string }) => text)

t.test('owners list, count and read their own rows', async t => {
  const folder = await folderOf(t)
  await add(folder, 'model', 'Order', '--acl', 'owner', '--property', 'text')
  t.match(await add(folder, 'model', 'Order', '--acl', 'owner', '--property', 'text'), 'Nothing to do.')
  const { server, ask, logIn } = await served(t, folder)
  const ann = await logIn('Users', 'ann@example.org')
  const bob = await logIn('Users', 'bob@example.org')
  const hers = await ask('POST /Orders', ann, { text: 'hers', ownerId: 2 })
  t.match(hers, { status: 200, body: { ownerId: 1 } }, 'whatever the request says')
  await ask('POST /Orders', ann, { text: 'hers, too' })
  const his = await ask('POST /Orders', bob, { text: 'his' })
  const foreign = `/Orders/${his.body.id as number}`

  t.strictSame(texts(await ask('GET /Orders', ann)), ['hers', 'hers, too'])
  t.strictSame(texts(await ask('GET /Orders', bob)), ['his'])
  t.strictSame(texts(await ask('GET /Orders?filter={"where":{"ownerId":2}}', ann)), [])
  t.strictSame(texts(await ask('GET /Orders?filter={"where":{"or":[{"ownerId":2},{"text":"hers"}]}}', ann)), ['hers'])
  t.same((await ask('GET /Orders/count', ann)).body, { count: 2 })
  t.same((await ask('GET /Orders/count?where={"ownerId":1}', bob)).body, { count: 0 })
  t.match(await ask('GET /Orders/findOne?filter={"order":"id DESC"}', ann), { status: 200, body: { text: 'hers, too' } })
  t.equal((await ask('GET /Orders/findOne?filter={"where":{"text":"his"}}', ann)).status, 404)

  const own = `/Orders/${hers.body.id as number}`
  t.equal((await ask(`GET ${own}`, ann)).status, 200)
  t.same((await ask(`GET ${own}/exists`, ann)).body, { exists: true })
  t.match((await ask(`PATCH ${own}`, ann, { text: 'changed' })).body, { text: 'changed', ownerId: 1 })
  t.match(await ask(`PATCH ${own}`, ann, { ownerId: 2 }), { status: 403, body: { error: { code: 'OWNER_CANNOT_CHANGE' } } })
  for (const request of ['GET', 'PATCH', 'PUT'] as const) {
    t.equal((await ask(`${request} ${foreign}`, ann, request === 'GET' ? undefined : { text: 'mine' })).status, 404, request)
  }
  t.same((await ask(`DELETE ${foreign}`, ann)).body, { count: 0 })
  t.same((await ask(`GET ${foreign}/exists`, ann)).body, { exists: false })
  for (const request of ['GET /Orders', 'GET /Orders/count', 'GET /Orders/findOne', `GET ${own}`, `GET ${own}/exists`]) {
    t.equal((await ask(request)).status, 401, request)
  }
  t.equal((await ask('POST /Orders', undefined, { text: 'nobody\'s' })).status, 401)
  t.same((await ask('POST /Orders/update?where={}', ann, { text: 'all mine' })).body, { count: 2 }, 'of many, those of the caller')
  t.strictSame(texts(await ask('GET /Orders', bob)), ['his'])
  t.equal((await ask('PATCH /Orders', ann, { id: his.body.id, text: 'mine' })).status >= 400, true)
  t.equal((await ask(`DELETE ${own}`, ann)).status, 200)
  t.strictSame(texts(await ask('GET /Orders', ann)), ['all mine'])
  const Order = server.app.models.Order as unknown as { count (): Promise<number> }
  t.equal(await Order.count(), 2, 'the application itself counts all')
})

t.test('users of another model with the same id', async t => {
  const folder = await folderOf(t)
  await add(folder, 'model', 'Order', '--acl', 'owner', '--property', 'text')
  writeFileSync(path.join(folder, 'common/models/staff.json'), JSON.stringify({ name: 'Staff', plural: 'staff', base: 'User' }))
  const file = path.join(folder, 'server/model-config.json')
  const config = JSON.parse(readFileSync(file, 'utf8'))
  writeFileSync(file, JSON.stringify({ ...config, Staff: { dataSource: 'db', public: true }, User: { dataSource: 'db', public: true } }))
  const { ask, logIn } = await served(t, folder)
  const ann = await logIn('Users', 'ann@example.org')
  const sam = await logIn('staff', 'sam@example.org')
  t.match((await ask('POST /Orders', ann, { text: 'hers' })).body, { ownerId: 1 })
  t.strictSame(texts(await ask('GET /Orders', ann)), ['hers'])
  t.strictSame(texts(await ask('GET /Orders', sam)), [])
  t.same((await ask('GET /Orders/count', sam)).body, { count: 0 })
  t.equal((await ask('GET /Orders/1', sam)).status, 404)
})

t.test('names that are no names of JavaScript, CommonJS, and definitions in TypeScript', async t => {
  const modules = await folderOf(t)
  await add(modules, 'model', 'own-note', '--acl', 'owner', '--typescript')
  t.match(readFileSync(path.join(modules, 'common/models/own-note.model.ts'), 'utf8'), /rows: 'own'/)

  const folder = t.testdir({
    'package.json': '{}',
    server: {
      'config.json': '{ "restApiRoot": "/api" }',
      'datasources.json': '{ "db": { "connector": "memory" } }',
      'model-config.json': JSON.stringify(Object.fromEntries(
        ['User', 'AccessToken'].map(name => [name, { dataSource: 'db', public: name === 'User' }])
      )),
      boot: { 'auth.js': 'module.exports = app => { app.enableAuth() }' }
    }
  })
  await add(folder, 'model', 'Tea', '--acl', 'owner', '--property', 'text')
  const { ask, logIn } = await served(t, folder)
  const ann = await logIn('Users', 'ann@example.org')
  const bob = await logIn('Users', 'bob@example.org')
  await ask('POST /Teas', ann, { text: 'hers' })
  t.strictSame(texts(await ask('GET /Teas', ann)), ['hers'])
  t.strictSame(texts(await ask('GET /Teas', bob)), [])
  t.equal((await ask('GET /Teas')).status, 401)
})
