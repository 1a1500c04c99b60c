import { gzipSync } from 'node:zlib'
import { installAuthModels } from '@fastback/auth'
import { memoryConnector } from '@fastback/connector-memory'
import core, { ModelRegistry } from '@fastback/core'
import rest from '@fastback/rest'
import Fastify from 'fastify'
import t from 'tap'
import { admin, type AdminOptions } from '../src/index.js'
import { application } from './helpers/application.js'

const { app } = await application(t)

t.test('the page is at /admin/, with strict headers', async t => {
  const bare = await app.inject('/admin')
  t.match({ status: bare.statusCode, location: bare.headers.location }, { status: 301, location: './admin/' })
  for (const url of ['/admin/', '/admin/index.html', '/admin/?x=1']) {
    const { statusCode, headers, body } = await app.inject(url)
    t.equal(statusCode, 200, url)
    t.match(headers, {
      'content-type': 'text/html; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-cache',
      'content-security-policy': "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
    })
    t.notMatch(body, /https?:|<script>|<style|style=|onclick/, 'no outside address, nothing inline')
  }
})

t.test('its files and no others; below 90 kB before there is anything to do', async t => {
  const left = ['index.html', 'page.css', 'icons.svg', 'icon.svg', 'main.js']
  const seen = new Set<string>()
  let bytes = 0
  for (let name = left.pop(); name !== undefined; name = left.pop()) {
    if (seen.has(name)) continue
    seen.add(name)
    const { statusCode, headers, body } = await app.inject(`/admin/${name}`)
    t.equal(statusCode, 200, name)
    if (name.endsWith('.js')) t.match(headers['content-type'], 'text/javascript')
    bytes += gzipSync(body).length
    for (const [, imported] of body.matchAll(/(?:from|import)\s*"\.\/(part-\w+\.js)"/g)) left.push(imported as string)
    t.notMatch(body, /from ?"@/, 'browsers know no packages')
  }
  t.ok(bytes < 90_000, `${bytes} bytes of ${seen.size} files, compressed`)
  t.same((await app.inject('/admin/ui.json')).json(), { views: ['data'], development: false })
  t.equal((await app.inject('/admin/licences.txt')).statusCode, 200)
  for (const name of [
    'nothing.js', 'plugin.js', '..%2fpackage.json', '../package.json', 'constructor', '__proto__', 'files.json', 'main.js.map'
  ]) t.equal((await app.inject(`/admin/${name}`)).statusCode, 404, name)
})

t.test('a browser that has a file is told so, and files are compressed', async t => {
  for (const url of ['/admin/', '/admin/main.js', '/admin/openapi.json', '/admin/models.json', '/admin/page.css']) {
    const { headers } = await app.inject({ url, headers: { 'accept-encoding': 'gzip' } })
    t.equal(headers['content-encoding'], 'gzip', url)
    t.equal((await app.inject({ url, headers: { 'if-none-match': String(headers.etag) } })).statusCode, 304)
  }
})

t.test('what the page is told of models is what is published', async t => {
  const { models, role, mapping } = (await app.inject('/admin/models.json')).json()
  t.match({ role, mapping }, { role: 'Role', mapping: 'RoleMapping' })
  const names = models.map(({ name }: { name: string }) => name)
  t.ok(names.includes('Note') && names.includes('constructor'))
  t.notOk(names.includes('Unseen') || names.includes('ACL') || names.includes('AccessToken'))
  const find = (name: string) => models.find((model: { name: string }) => model.name === name)
  t.same(find('Note'), {
    name: 'Note',
    id: 'id',
    files: [],
    defaults: {},
    keys: [{ name: 'author', key: 'authorId', many: false, to: [{ model: 'Author', target: 'id' }] }],
    lists: [],
    links: []
  })
  t.same(find('Author').lists, [
    { name: 'notes', model: 'Note', key: 'authorId', target: 'id', only: {} },
    { name: 'projects', model: 'Project', key: 'subjectId', target: 'id', only: { subjectType: 'Author' } }
  ])
  t.same(find('Project').keys, [
    { name: 'members', key: 'memberIds', many: true, to: [{ model: 'Author', target: 'id' }] },
    {
      name: 'subject',
      key: 'subjectId',
      many: false,
      discriminator: 'subjectType',
      to: [{ model: 'Author', target: 'id' }, { model: 'Tag', target: 'id' }]
    }
  ], 'a model that is not published is not told')
  t.same(find('Project').links, [{ name: 'tags', model: 'Tag', target: 'id' }])
  t.equal(find('User').principalType, 'USER')
  t.match(find('User'), { keys: [], lists: [], links: [] }, 'a relation to a model that is not published is not told')
  t.same(find('Photo').files, ['image'])
  t.same(find('Shift').defaults, { ward: 'North', hours: 8, night: false, kind: 'late', marks: ['new'] },
    'what a function makes is left to the server')
  t.notMatch((await app.inject('/admin/models.json')).body, /hiddenText|password|Unseen/)
})

t.test('with several user models, role mappings name the model', async t => {
  const registry = new ModelRegistry({})
  registry.defineDataSource('db', { connector: memoryConnector })
  installAuthModels(registry)
  registry.defineModels(['Customer', 'Clerk'].map(name => ({ input: { name, base: 'User' } })))
  for (const name of ['Customer', 'Clerk', 'User', 'AccessToken']) {
    registry.attach(name, 'db', { public: name.startsWith('C') })
  }
  const several = Fastify()
  t.teardown(() => several.close())
  await several.register(core, { registry })
  await several.register(rest, { accessControl: false })
  await several.register(admin)
  const { models } = (await several.inject('/admin/models.json')).json()
  t.same(
    models.map(({ name, principalType }: Record<string, string>) => [name, principalType]),
    [['Customer', 'Customer'], ['Clerk', 'Clerk']]
  )
})

t.test('options', async t => {
  const given = async (options: Record<string, unknown>) => (await application(t, options as AdminOptions)).app
  const moved = await given({ path: '/office/', title: 'Our office', basePath: 'https://api.example.com/v1' })
  t.equal((await moved.inject('/admin/')).statusCode, 404)
  t.match((await moved.inject('/office/')).headers['content-security-policy'], "connect-src 'self' https://api.example.com;")
  t.match((await moved.inject('/office/ui.json')).json(), { title: 'Our office' })
  t.match((await moved.inject('/office/openapi.json')).json(), {
    info: { title: 'Our office' }, servers: [{ url: 'https://api.example.com/v1' }]
  })
  const prefixed = await given({ prefix: '/v1/desk', restApiRoot: '/other' })
  t.equal((await prefixed.inject('/v1/desk')).headers.location, './desk/')
  t.same((await prefixed.inject('/v1/desk/models.json')).json(), { models: [] }, 'nothing is published there')
  const titled = await given({ titles: { Staff: 'room' } })
  const { models } = (await titled.inject('/admin/models.json')).json()
  t.equal(models.find(({ name }: { name: string }) => name === 'Staff').title, 'room')
  for (const titles of [{ Nobody: 'name' }, { Staff: 'nothing' }, { Secret: 'hiddenText' }]) {
    await t.rejects(given({ titles }), { code: 'FBK_ADMIN_INVALID_OPTIONS', message: /^"titles" names|: "titles" names/ })
  }
  await t.rejects(given({ path: 'admin' }), { code: 'FBK_ADMIN_INVALID_OPTIONS', message: /"path" must be a text that starts/ })
  await t.rejects(given({ mountPath: '/x' }), { code: 'FBK_ADMIN_INVALID_OPTIONS' })
  const alone = Fastify()
  await t.rejects(async () => { await alone.register(admin) }, { code: 'FBK_ADMIN_MISSING_REGISTRY' })
})

t.test('the models that a caller may list, by the rules', async t => {
  const { app, tokenOf } = await application(t)
  const listed = async (name?: string): Promise<string[]> => {
    const headers = name === undefined ? {} : { 'x-access-token': await tokenOf(name) }
    const answer = await app.inject({ url: '/admin/readable.json', headers })
    t.equal(answer.headers['cache-control'], 'no-store')
    return answer.json().models.sort()
  }
  t.same(await listed(), [], 'nobody')
  t.same(await listed('ann'), ['Author', 'Note', 'Project', 'Shift', 'Staff', 'Tag'], 'a user')
  t.same(await listed('root'), [
    'Author', 'Draft', 'Note', 'Photo', 'Project', 'Recipe', 'Role', 'RoleMapping', 'Secret', 'Shift', 'Staff', 'Tag', 'User',
    'constructor'
  ], 'an administrator')
  const open = Fastify()
  t.teardown(() => open.close())
  await open.register(core, {
    dataSources: { db: { connector: memoryConnector } },
    definitions: [{ name: 'Note' }],
    models: { Note: { dataSource: 'db' } }
  })
  await open.register(rest, { accessControl: false })
  await open.register(admin)
  t.same((await open.inject('/admin/readable.json')).json(), { models: ['Note'] }, 'nobody guards them')
})

t.test('in production it is there only when it is switched on', async t => {
  const before = process.env.NODE_ENV
  process.env.NODE_ENV = 'production'
  t.teardown(() => {
    if (before === undefined) delete process.env.NODE_ENV
    else process.env.NODE_ENV = before
  })
  for (const [options, status] of [[{}, 404], [{ enabled: true }, 200], [{ enabled: false }, 404]] as const) {
    const { app } = await application(t, options)
    t.equal((await app.inject('/admin/')).statusCode, status, JSON.stringify(options))
    t.equal((await app.inject('/admin/models.json')).statusCode, status)
  }
})
