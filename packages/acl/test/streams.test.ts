import { get } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { streamInterval } from '../src/service.js'
import { call, makeApp, row } from './app.js'

t.test('a change stream carries what its client could read, and ends with the token', async t => {
  const app = await makeApp(t, {
    definitions: [
      {
        name: 'Note',
        properties: { text: 'string', userId: 'number' },
        acls: [
          row('DENY', '$everyone'),
          row('ALLOW', '$owner'),
          row('ALLOW', '$authenticated', { property: 'createChangeStream' })
        ]
      }
    ]
  })
  const { Note, AccessToken } = app.models
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  let text = ''
  let ended = false
  let begun = (): void => {}
  const beginning = new Promise<void>(resolve => { begun = resolve })
  const request = get(
    { port, path: '/api/Notes/change-stream', headers: { authorization: app.tokens.ann as string }, agent: false },
    response => {
      response
        .setEncoding('utf8')
        .on('data', chunk => {
          text += chunk
          begun()
        })
        .on('error', () => {})
        .on('close', () => {
          ended = true
        })
    }
  )
  t.teardown(() => request.destroy())
  const until = async (what: () => boolean): Promise<void> => {
    while (!what()) await new Promise(resolve => setTimeout(resolve, 5))
  }
  await beginning
  await Note.create([{ text: 'of ben', userId: 2 }, { text: 'of ann', userId: 1 }])
  await Note.updateAll({}, { text: 'changed' })
  await until(() => text.includes('"type":"update"'))
  await Note.destroyAll()
  await until(() => text.includes('"type":"remove"'))
  t.notMatch(text, 'of ben')
  t.notMatch(text, '"target":1,')
  t.match(text, '"target":2,')
  t.equal(ended, false)
  await AccessToken.destroyAll({ userId: 1 })
  await until(() => ended)
  t.equal((await call(app, 'ann', 'GET', '/Notes/change-stream')).status, 401)
})

t.test('a change stream ends within five seconds when its caller loses the role', async t => {
  t.ok(streamInterval < 5000, 'between two looks at all streams')
  const app = await makeApp(t, {
    definitions: [
      { name: 'Note', properties: { text: 'string' }, acls: [row('DENY', '$everyone'), row('ALLOW', 'admin')] }
    ]
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  let begun = (): void => {}
  let closed = (): void => {}
  const beginning = new Promise<void>(resolve => { begun = resolve })
  const end = new Promise<void>(resolve => { closed = resolve })
  const request = get(
    { port, path: '/api/Notes/change-stream', headers: { authorization: app.tokens.adam as string }, agent: false },
    response => {
      response
        .on('data', begun)
        .on('error', () => {})
        .on('close', closed)
    }
  )
  t.teardown(() => request.destroy())
  await beginning
  await app.models.RoleMapping.destroyAll()
  await end
  t.equal((await call(app, 'adam', 'GET', '/Notes/change-stream')).status, 401)
})
