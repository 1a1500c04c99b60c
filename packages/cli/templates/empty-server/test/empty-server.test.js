import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createServer } from '@fastback/cli'

const folder = fileURLToPath(new URL('..', import.meta.url))
const server = await createServer(folder, { log: false })
test.after(() => server.stop())

test('the server answers', async () => {
  const { statusCode, body } = await server.fastify.inject('/')
  assert.equal(statusCode, 200)
  assert.ok(JSON.parse(body).uptime >= 0)
})

test('there is no model yet', async () => {
  const { statusCode, body } = await server.fastify.inject('/api/Things')
  assert.equal(statusCode, 404)
  assert.equal(JSON.parse(body).error.statusCode, 404)
})
