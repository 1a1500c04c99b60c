import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createServer } from '@fastback/cli'

const folder = fileURLToPath(new URL('..', import.meta.url))
const server = await createServer(folder, { log: false })
test.after(() => server.stop())

test('greets somebody, or everybody', async () => {
  const ann = await server.fastify.inject('/api/Messages/greet?name=Ann')
  assert.equal(ann.statusCode, 200)
  assert.deepEqual(JSON.parse(ann.body), { greeting: 'Hello, Ann!' })
  const all = await server.fastify.inject('/api/Messages/greet')
  assert.deepEqual(JSON.parse(all.body), { greeting: 'Hello, world!' })
})

test('users are not open to everybody', async () => {
  assert.equal((await server.fastify.inject('/api/Users')).statusCode, 401)
})
