import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createServer } from '@fastback/cli'

const folder = fileURLToPath(new URL('..', import.meta.url))
const root = await mkdtemp(path.join(tmpdir(), 'files-'))

// The application as it is, with its rows in memory and its files in a folder of their own.
process.env.FILES_DIR = root
const server = await createServer(folder, {
  dataSources: { db: { connector: 'memory' } }, port: 0, host: '127.0.0.1', log: false
})
const address = await server.start()
test.after(async () => {
  await server.stop()
  await rm(root, { recursive: true })
})

/** @param {string} email */
async function user (email) {
  const credentials = { email, password: 'a long secret' }
  await server.fastify.inject({ method: 'POST', url: '/api/Users', payload: credentials })
  const { id, userId } = (await server.fastify.inject({ method: 'POST', url: '/api/Users/login', payload: credentials })).json()
  return { id: userId, headers: { authorization: id } }
}
const ann = await user('ann@example.com')
const ben = await user('ben@example.com')

/** @param {string} method @param {string} path @param {{ headers: Record<string, string> }} caller */
const api = (method, path, { headers }) => fetch(`${address}/api${path}`, { method, headers })
/** @param {{ headers: Record<string, string> }} caller */
const documents = async caller => await (await api('GET', '/Documents', caller)).json()

test('a file and its row come and go together, and are their owner\'s alone', async () => {
  const form = new FormData()
  form.append('file', new Blob(['by the sea'], { type: 'text/plain' }), 'summer.txt')
  const sent = await fetch(`${address}/api/Folders/${ann.id}/upload`, { method: 'POST', headers: ann.headers, body: form })
  assert.equal(sent.status, 200)

  const [row] = await documents(ann)
  assert.deepEqual([row.title, row.size, row.ownerId], ['summer.txt', 10, ann.id])
  const file = `/Folders/${ann.id}/download/${row.file}`
  assert.equal(await (await api('GET', file, ann)).text(), 'by the sea')

  assert.deepEqual(await documents(ben), [])
  assert.equal((await api('GET', file, ben)).status, 404)
  assert.equal((await api('GET', `/Documents/${row.id}`, ben)).status, 404)
  assert.deepEqual(await (await api('DELETE', `/Documents/${row.id}`, ben)).json(), { count: 0 })
  assert.equal((await api('GET', '/Documents', { headers: {} })).status, 401)

  assert.equal((await api('DELETE', `/Documents/${row.id}`, ann)).status, 200)
  assert.deepEqual(await readdir(path.join(root, String(ann.id))), [])
})

test('an upload goes on after a cut', async () => {
  const tus = { ...ann.headers, 'tus-resumable': '1.0.0' }
  const begun = await fetch(`${address}/api/Folders/${ann.id}/resumable`, {
    method: 'POST',
    headers: {
      ...tus, 'upload-length': '10', 'upload-metadata': `filename ${Buffer.from('winter.txt').toString('base64')}`
    }
  })
  assert.equal(begun.status, 201)
  const upload = new URL(begun.headers.get('location') ?? '', address)
  /** @param {number} offset @param {string} body */
  const send = (offset, body) => fetch(upload, {
    method: 'PATCH',
    headers: { ...tus, 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream' },
    body
  })
  await send(0, 'by the')
  assert.deepEqual(await documents(ann), [])
  assert.equal((await fetch(upload, { method: 'HEAD', headers: tus })).headers.get('upload-offset'), '6')
  assert.equal((await send(6, ' ice')).status, 204)
  assert.equal((await documents(ann))[0].title, 'winter.txt')
})

test('the page is there', async () => {
  const page = await fetch(address)
  assert.match(await page.text(), /<script type="module" src="app.js">/)
  assert.equal((await fetch(`${address}/app.js`)).status, 200)
})
