/** The component `@fastback/admin` of application folders. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import t, { type Test } from 'tap'
import { createServer, type Server } from '../src/index.js'

async function served (t: Test, components: object, files: Readonly<Record<string, string>> = {}): Promise<Server> {
  const root = mkdtempSync(path.join(tmpdir(), 'fastback-admin-'))
  mkdirSync(path.join(root, 'server'))
  for (const [name, content] of Object.entries({
    'config.json': { restApiRoot: '/v1' },
    'datasources.json': { db: { connector: 'memory' } },
    'model-config.json': { Role: { dataSource: 'db', public: true }, RoleMapping: { dataSource: 'db', public: false } },
    'component-config.json': components
  })) writeFileSync(path.join(root, 'server', name), JSON.stringify(content))
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, 'server', name)), { recursive: true })
    writeFileSync(path.join(root, 'server', name), content)
  }
  const server = await createServer(root, { log: false, port: 0, host: '127.0.0.1' })
  t.teardown(async () => {
    await server.stop()
    rmSync(root, { recursive: true })
  })
  return server
}

t.test('the page is there where the folder asks for it', async t => {
  const { fastify } = await served(t, { '@fastback/admin': {} })
  t.equal((await fastify.inject('/admin/')).statusCode, 200)
  t.match((await fastify.inject('/admin/openapi.json')).json(), { servers: [{ url: '/v1' }], paths: { '/Roles': {} } })
  const { models, role, mapping } = (await fastify.inject('/admin/models.json')).json()
  t.match({ models, role }, { models: [{ name: 'Role' }], role: 'Role' })
  t.equal(mapping, undefined, 'a model that is not published is not told')
  const moved = await served(t, { '@fastback/admin': { path: '/office' } })
  t.equal((await moved.fastify.inject('/office/main.js')).statusCode, 200)
  t.equal((await moved.fastify.inject('/admin/')).statusCode, 404)
})

t.test('its menu has what the caller may list, who is known by the token', async t => {
  const closed = [{ principalType: 'ROLE', principalId: '$everyone', permission: 'DENY' }, { principalType: 'ROLE', principalId: '$authenticated', permission: 'ALLOW' }]
  const { fastify } = await served(t, { '@fastback/admin': {} }, {
    'models/note.json': JSON.stringify({ name: 'Note', acls: closed }),
    'model-config.json': JSON.stringify({
      _meta: { sources: ['./models'] },
      ...Object.fromEntries(['User', 'Note'].map(name => [name, { dataSource: 'db', public: true }])),
      ...Object.fromEntries(['AccessToken', 'ACL', 'Role', 'RoleMapping'].map(name => [name, { dataSource: 'db', public: false }]))
    }),
    'boot/auth.js': 'module.exports = async app => { app.enableAuth(); await app.models.User.create({ email: "ann@example.com", password: "a long secret" }) }'
  })
  const login = await fastify.inject({
    method: 'POST', url: '/v1/Users/login', payload: { email: 'ann@example.com', password: 'a long secret' }
  })
  const headers = { 'x-access-token': String(login.json().id) }
  t.same((await fastify.inject('/admin/readable.json')).json(), { models: [] })
  t.same((await fastify.inject({ url: '/admin/readable.json', headers })).json(), { models: ['Note'] })
})

t.test('and nowhere else', async t => {
  for (const components of [{}, { '@fastback/admin': false }, { '@fastback/admin': null }]) {
    const { fastify } = await served(t, components)
    t.equal((await fastify.inject('/admin/')).statusCode, 404, JSON.stringify(components))
  }
})

t.test('an option that is not there stops the start', async t => {
  await t.rejects(served(t, { '@fastback/admin': { paths: '/office' } }), {
    code: 'FBK_ADMIN_INVALID_OPTIONS', message: /"paths"/
  })
})
