import assert from 'node:assert/strict'
import { test } from 'node:test'
import { build } from '../src/app.ts'

const app = await build({ database: 'sqlite::memory:' })
test.after(() => app.close())

async function signIn (email: string): Promise<{ authorization: string }> {
  const payload = { email, password: 'a long secret' }
  await app.inject({ method: 'POST', url: '/api/Users', payload })
  const { id } = (await app.inject({ method: 'POST', url: '/api/Users/login', payload })).json<{ id: string }>()
  return { authorization: id }
}

test('each user has notes of their own', async () => {
  const [ann, bob] = [await signIn('ann@example.com'), await signIn('bob@example.com')]
  const made = await app.inject({ method: 'POST', url: '/api/Notes', headers: ann, payload: { title: ' Milk ' } })
  assert.equal(made.statusCode, 200)
  assert.equal(made.json().title, 'Milk')
  const { id } = made.json<{ id: number }>()
  assert.equal((await app.inject({ url: '/api/Notes', headers: ann })).json().length, 1)
  assert.equal((await app.inject({ url: '/api/Notes', headers: bob })).json().length, 0)
  assert.equal((await app.inject({ url: `/api/Notes/${id}`, headers: bob })).statusCode, 404)

  const done = await app.inject({ method: 'POST', url: `/api/Notes/${id}/finish`, headers: ann })
  assert.equal(done.json().state, 'done')
  assert.deepEqual((await app.inject({ url: '/api/Notes/summary', headers: ann })).json(), { open: 0, done: 1 })
  assert.deepEqual((await app.inject({ url: '/api/Notes/summary', headers: bob })).json(), { open: 0, done: 0 })
})

test('nobody gets far without a token', async () => {
  assert.equal((await app.inject('/api/Notes')).statusCode, 401)
  assert.equal((await app.inject({ method: 'POST', url: '/api/Categories', payload: { name: 'x' } })).statusCode, 401)
})

test('categories are written by editors', async () => {
  const { Role, RoleMapping, User } = app.models
  const headers = await signIn('eve@example.com')
  const payload = { name: 'Shopping' }
  assert.equal((await app.inject({ method: 'POST', url: '/api/Categories', headers, payload })).statusCode, 403)
  const eve = await User.findOne({ where: { email: 'eve@example.com' } })
  assert.ok(eve)
  const editor = await Role.create({ name: 'editor' })
  await RoleMapping.create({ roleId: editor.id, principalType: 'USER', principalId: eve.id })
  assert.equal((await app.inject({ method: 'POST', url: '/api/Categories', headers, payload })).statusCode, 200)
})
