/** Uses the tracker as its clients do; ends with an error where something is not as it should be. */
import assert from 'node:assert/strict'
import { writeClient } from '@fastback/cli'
import { trackerApp } from './app.js'

const chief = { email: 'chief@example.com', password: 'chief of all' }
const app = await trackerApp(chief)

interface Answer { status: number, body: Record<string, unknown>, life: unknown }
async function call (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, token?: string, payload?: object): Promise<Answer> {
  const { statusCode, headers, body } = await app.inject({
    method,
    url: `/api${url}`,
    headers: token === undefined ? {} : { authorization: token },
    ...(payload === undefined ? {} : { payload })
  })
  return { status: statusCode, body: body === '' ? {} : JSON.parse(body), life: headers['x-token-life'] }
}
async function login (credentials: { email: string, password: string }): Promise<string> {
  const { status, body, life } = await call('POST', '/people/login', undefined, credentials)
  assert.equal(status, 200)
  assert.equal(life, '1209600')
  return String(body.id)
}
const expect = async (status: number, answer: Promise<Answer>): Promise<Record<string, unknown>> => {
  const { status: given, body } = await answer
  assert.equal(given, status, JSON.stringify(body))
  return body
}

const ann = { email: 'ann@example.com', password: 'Ann, a person' }
await expect(200, call('POST', '/people', undefined, { name: 'Ann', ...ann }))
await expect(200, call('POST', '/people', undefined, { name: 'Bob', ...ann, email: 'bob@example.com' }))
const [anns, bobs, chiefs] = [
  await login(ann), await login({ ...ann, email: 'bob@example.com' }), await login(chief)
]

await expect(401, call('GET', '/Tickets'))
const ticket = await expect(200, call('POST', '/Tickets', anns, { title: ' Lamp is broken ' }))
assert.deepEqual([ticket.title, ticket.state, ticket.priority, ticket.reporterId], ['Lamp is broken', 'open', 3, 2])
const at = `/Tickets/${String(ticket.id)}`
await expect(422, call('POST', '/Tickets', anns, { title: 'Other', colour: 'red' }))
await expect(401, call('PATCH', at, bobs, { priority: 1 }))
assert.equal((await expect(200, call('PATCH', at, anns, { priority: 1 }))).priority, 1)
assert.equal((await expect(200, call('POST', `${at}/comments`, bobs, { text: 'Which one?' }))).authorId, 3)
const upload = await expect(200, call('POST', `${at}/attach`, anns, {
  name: 'lamp.txt', content: Buffer.from('dark').toString('base64')
}))
assert.equal(upload.bytes, 4)
assert.deepEqual(await expect(200, call('GET', '/people/me', anns)), { name: 'Ann', email: ann.email, open: 1 })
await expect(400, call('POST', `${at}/close`, anns, {}))
await expect(401, call('POST', `${at}/close`, bobs, { reason: 'done' }))
const closed = await expect(200, call('POST', `${at}/close`, chiefs, { reason: ' repaired ' }))
assert.equal(closed.state, 'done')
await expect(409, call('POST', `${at}/close`, anns, { reason: 'again' }))
assert.deepEqual(await expect(200, call('GET', '/Tickets/stats', bobs)), { open: 0, doing: 0, done: 1 })
await expect(401, call('DELETE', at, anns))

// The same in the process.
const { Ticket, Person, Comment } = app.models
const [found] = await Ticket.find({
  where: { state: 'done', title: { like: 'Lamp%' } },
  include: ['reporter', { relation: 'comments', scope: { include: 'author', order: 'id ASC' } }]
})
assert.ok(found !== undefined)
const { reporter, comments } = found.toJSON()
assert.equal(reporter?.email, ann.email)
assert.deepEqual(comments.map(({ text, author }) => [text, author?.name]), [
  ['Which one?', 'Bob'], ['Closed: repaired', undefined]
])
assert.equal((await Ticket.stats({ since: new Date(0) })).done, 1)
const token = await Person.login(ann)
assert.equal(token.userId, found.reporterId)
await Person.logout(token.id)
assert.equal(await Comment.count({ authorId: 3 }), 1)
await expect(200, call('DELETE', at, chiefs))

const { text } = await writeClient(app)
assert.ok(/stats \(parameters\??: \{ since\?: string \}/.test(text), 'the client of stats')
assert.ok(/close \(parameters: \{ id: number \}, body: \{\s+reason: string/.test(text), 'the client of close')
await app.close()
console.log('the tracker does what it should')
