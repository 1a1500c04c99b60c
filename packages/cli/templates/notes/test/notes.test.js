import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createServer } from '@fastback/cli'

const folder = fileURLToPath(new URL('..', import.meta.url))

// The application as it is, with its data in memory.
const server = await createServer(folder, { dataSources: { db: { connector: 'memory' } }, log: false })
test.after(() => server.stop())

/** @param {string} email */
async function signIn (email) {
  const payload = { email, password: 'a long secret' }
  await server.fastify.inject({ method: 'POST', url: '/api/Users', payload })
  const { body } = await server.fastify.inject({ method: 'POST', url: '/api/Users/login', payload })
  return { authorization: JSON.parse(body).id }
}

test('the first rows are there, with their categories', async () => {
  const { statusCode, body } = await server.fastify.inject('/api/Notes?filter={"include":"category"}')
  assert.equal(statusCode, 200)
  const notes = JSON.parse(body)
  assert.equal(notes.length, 4)
  assert.equal(notes[0].category.name, 'Home')
})

test('a note is created, finished and deleted', async () => {
  const { statusCode, body } = await server.fastify.inject({
    method: 'POST',
    url: '/api/Notes',
    payload: { title: 'Call Ann' }
  })
  assert.equal(statusCode, 200)
  const { id, done, createdAt } = JSON.parse(body)
  assert.equal(done, false)
  assert.ok(!Number.isNaN(Date.parse(createdAt)))

  const finished = await server.fastify.inject({ method: 'POST', url: `/api/Notes/${id}/finish` })
  assert.equal(JSON.parse(finished.body).done, true)

  await server.fastify.inject({ method: 'DELETE', url: `/api/Notes/${id}` })
  assert.equal((await server.fastify.inject(`/api/Notes/${id}`)).statusCode, 404)
})

test('notes of a user are for nobody else', async () => {
  const ann = await signIn('ann@example.com')
  const bob = await signIn('bob@example.com')
  const made = await server.fastify.inject({ method: 'POST', url: '/api/Notes', headers: ann, payload: { title: 'Mine' } })
  const { id } = JSON.parse(made.body)
  assert.equal((await server.fastify.inject({ url: `/api/Notes/${id}`, headers: ann })).statusCode, 200)
  for (const headers of [bob, {}]) {
    assert.equal((await server.fastify.inject({ url: `/api/Notes/${id}`, headers })).statusCode, 404)
    const change = { method: 'PATCH', url: `/api/Notes/${id}`, headers, payload: { title: 'His' } }
    assert.equal((await server.fastify.inject(change)).statusCode, 404)
    assert.doesNotMatch((await server.fastify.inject({ url: '/api/Notes', headers })).body, /Mine/)
  }
})

test('a note needs a title, and not too long a one', async () => {
  for (const payload of [{}, { title: 'x'.repeat(101) }, { title: 'x', colour: 'red' }]) {
    const { statusCode } = await server.fastify.inject({ method: 'POST', url: '/api/Notes', payload })
    assert.equal(statusCode, 422)
  }
})

test('users are not open to everybody', async () => {
  assert.equal((await server.fastify.inject('/api/Users')).statusCode, 401)
})
