import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createServer } from '@fastback/cli'

const folder = fileURLToPath(new URL('..', import.meta.url))

// The application as it is, with its rows in memory. Nothing is sent: "stub" keeps what would be.
const server = await createServer(folder, { dataSources: { db: { connector: 'memory' } }, log: false })
test.after(() => server.stop())

/** @param {string} email */
async function user (email) {
  const payload = { email, password: 'a long secret' }
  await server.fastify.inject({ method: 'POST', url: '/api/Users', payload })
  return (await server.fastify.inject({ method: 'POST', url: '/api/Users/login', payload })).json()
}
const ann = await user('ann@example.com')
const ben = await user('ben@example.com')

/**
 * @param {'GET' | 'POST' | 'DELETE'} method
 * @param {string} url
 * @param {{ id: string }} [caller]
 * @param {object} [payload]
 */
const api = (method, url, caller, payload) => server.fastify.inject({
  method, url: `/api${url}`, headers: caller === undefined ? {} : { authorization: caller.id },
  ...(payload === undefined ? {} : { payload })
})

test('a browser is its user\'s alone, and its token is told nobody', async () => {
  const made = await api('POST', '/Installations', ann, { appId: 'page', deviceType: 'stub', deviceToken: 'anns' })
  assert.equal(made.statusCode, 200)
  assert.equal(made.json().userId, String(ann.userId))
  assert.doesNotMatch(made.body, /anns/)
  const own = `/Installations/${made.json().id}`
  assert.equal((await api('GET', own, ben)).statusCode, 403)
  assert.equal((await api('DELETE', own, ben)).statusCode, 403)
  assert.equal((await api('DELETE', own, ann)).statusCode, 200)
})

test('users send to themselves, and nobody to others', async () => {
  assert.deepEqual((await api('POST', '/push/notify-me', ann, { text: 'Hello' })).json(), { sent: 0 })
  assert.equal((await api('POST', '/push/notify-me', undefined, { text: 'Hello' })).statusCode, 401)
  assert.equal((await api('POST', '/push?deviceQuery={}', ann, { alert: 'Hello' })).statusCode, 403)
})

test('the page, its client, its service worker and the key are there', async () => {
  for (const url of ['/', '/app.js', '/push-client.js', '/push-worker.js']) {
    assert.equal((await server.fastify.inject(url)).statusCode, 200, url)
  }
  assert.match((await api('GET', '/push/web-key?appId=page')).json().publicKey, /^[\w-]{87}$/)
})
