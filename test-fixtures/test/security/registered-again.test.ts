/** A device that is registered again is judged like one that is new: S-172. */
import Fastify from 'fastify'
import { acl } from '@fastback/acl'
import { auth, installAuthModels } from '@fastback/auth'
import { memoryConnector } from '@fastback/connector-memory'
import { core } from '@fastback/core'
import { installationDefinition, pushConnector } from '@fastback/push'
import { rest } from '@fastback/rest'
import t from 'tap'

type Loose = any

const users = { principalType: 'ROLE', principalId: '$authenticated', permission: 'ALLOW' }
const push = { name: 'Push', plural: 'push', base: 'Model' }
const definition = {
  ...installationDefinition,
  properties: { ...installationDefinition.properties, team: 'string', plan: 'string', once: { type: 'string', writeOnce: true } },
  acls: [
    { principalType: 'ROLE', principalId: '$everyone', permission: 'DENY' },
    { ...users, property: 'create', check: { team: '$user.realm' }, preset: { plan: 'free' } }
  ]
}

t.test('S-172 a device that is registered again is what the rules let it be', async t => {
  // Seen to fail: push/models/installation.ts that patches the row with what came: the team was another's
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(core, {
    dataSources: { db: { connector: memoryConnector }, push: { connector: pushConnector } }, definitions: [push]
  } as Loose)
  const { registry } = app
  const model = (name: string): Loose => registry.getModel(name)
  installAuthModels(registry)
  registry.attach('User', 'db', { public: true })
  await app.register(auth, { rateLimit: false } as Loose)
  registry.attach('AccessToken', 'db')
  await app.register(acl)
  for (const name of ['ACL', 'Role', 'RoleMapping', 'Application']) registry.attach(name, 'db')
  registry.defineModel(definition as Loose)
  registry.attach('Installation', 'db', { public: true })
  await app.register(rest, { prefix: '/api' })
  await app.ready()

  const user = { email: 'ann@x.test', password: 'secret', realm: 'red' }
  await model('User').create(user)
  const { id: authorization } = (await app.inject({ method: 'POST', url: '/api/Users/login', payload: user })).json()
  const register = async (more: object) => await app.inject({
    method: 'POST', url: '/api/Installations', headers: { authorization },
    payload: { appId: 'shop', deviceType: 'fcm', deviceToken: 'T1', ...more }
  })
  t.equal((await register({ team: 'blue' })).statusCode, 403)
  t.equal((await register({ team: 'red', plan: 'gold', once: 'a' })).statusCode, 200)
  t.equal((await register({ team: 'blue' })).statusCode, 403, 'nor when it is there')
  t.equal((await register({ plan: 'gold', badge: 3 })).statusCode, 200, 'what is not said stays')
  await register({ once: 'b' })
  const rows = await model('Installation').find()
  t.match(rows, [{ team: 'red', plan: 'free', once: 'a', badge: 3 }])
  t.equal(rows.length, 1)

  await model('Installation').create({ appId: 'shop', deviceType: 'fcm', deviceToken: 'T1', team: 'blue', plan: 'gold' })
  t.match(await model('Installation').find(), [{ team: 'blue', plan: 'gold' }], 'code sets what it likes')
})
