import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createServer } from '@fastback/cli'

const folder = fileURLToPath(new URL('..', import.meta.url))

// The application as it is, with its data in memory.
const server = await createServer(folder, { dataSources: { db: { connector: 'memory' } }, log: false })
test.after(() => server.stop())

const ann = { email: 'ann@example.com', password: 'a long secret' }

test('a user registers, logs in, and sees herself and nobody else', async () => {
  const created = await server.fastify.inject({ method: 'POST', url: '/api/Users', payload: ann })
  assert.equal(created.statusCode, 200)
  const { id } = JSON.parse(created.body)
  assert.equal(JSON.parse(created.body).password, undefined)

  const login = await server.fastify.inject({ method: 'POST', url: '/api/Users/login', payload: ann })
  assert.equal(login.statusCode, 200)
  const headers = { authorization: JSON.parse(login.body).id }
  assert.equal((await server.fastify.inject({ url: `/api/Users/${id}`, headers })).statusCode, 200)

  const bob = { email: 'bob@example.com', password: 'a long secret' }
  const other = await server.fastify.inject({ method: 'POST', url: '/api/Users', payload: bob })
  const of = JSON.parse(other.body).id
  assert.equal((await server.fastify.inject({ url: `/api/Users/${of}`, headers })).statusCode, 403)
  const list = await server.fastify.inject({ url: '/api/Users', headers })
  assert.deepEqual(JSON.parse(list.body).map(user => user.email), [ann.email])
})

test('nobody gets far without a token', async () => {
  assert.equal((await server.fastify.inject('/api/Users')).statusCode, 401)
  const wrong = await server.fastify.inject({
    method: 'POST',
    url: '/api/Users/login',
    payload: { ...ann, password: 'another' }
  })
  assert.equal(wrong.statusCode, 401)
})

test('tokens, access rules and roles are not published', async () => {
  for (const path of ['AccessTokens', 'ACLs', 'Roles', 'RoleMappings']) {
    assert.equal((await server.fastify.inject(`/api/${path}`)).statusCode, 404)
  }
})
