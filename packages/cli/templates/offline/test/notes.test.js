import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createServer } from '@fastback/cli'
import { createClient, memoryStore } from '@fastback/client'

const folder = fileURLToPath(new URL('..', import.meta.url))

// The application as it is, with its rows in memory.
const server = await createServer(folder, { dataSources: { db: { connector: 'memory' } }, log: false })
test.after(() => server.stop())
const baseUrl = `${await server.fastify.listen({ port: 0, host: '127.0.0.1' })}/api`

/** @param {string} path @param {object} body */
async function post (path, body) {
  const headers = { 'content-type': 'application/json' }
  return await (await fetch(baseUrl + path, { method: 'POST', headers, body: JSON.stringify(body) })).json()
}

/** @typedef {{ id: string, title: string, done: boolean }} Note */
/** @type {{ Note: import('@fastback/client').ModelOptions<Note> }} */
const models = { Note: {} }

/** A device of a user; it syncs when it is told to. @param {{ id: string, userId: number }} user */
function device ({ id, userId }) {
  return createClient({ baseUrl, token: id, user: userId, automatic: false, store: memoryStore(), models })
}

/** @param {string} email */
async function user (email) {
  const credentials = { email, password: 'a long secret' }
  await post('/Users', credentials)
  return await post('/Users/login', credentials)
}
const ann = await user('ann@example.com')
const ben = await user('ben@example.com')

test('two devices of a user agree, and another user has nothing of it', async () => {
  const [one, two, other] = [device(ann), device(ann), device(ben)]
  const { id } = await one.Note.create({ title: 'milk', done: false })
  await one.sync()
  await two.sync()
  await other.sync()
  assert.deepEqual((await two.Note.find()).map(note => note.title), ['milk'])
  assert.deepEqual(await other.Note.find(), [])

  // Both write without a line: the second to come is asked.
  await one.Note.patch(id, { title: 'oat milk' })
  await two.Note.patch(id, { title: 'no milk' })
  await one.sync()
  await two.sync()
  const [conflict] = await two.conflicts.list()
  assert.equal(conflict?.remote?.title, 'oat milk')
  await conflict?.resolve('local')
  await two.sync()
  await one.sync()
  assert.deepEqual((await one.Note.find()).map(note => note.title), ['no milk'])
  for (const each of [one, two, other]) await each.close()
})

test('the page and all that the service worker keeps are there', async () => {
  const files = (await server.fastify.inject('/offline.json')).json()
  assert.ok(files.length > 10)
  for (const url of files) assert.equal((await server.fastify.inject(url)).statusCode, 200, url)
})
