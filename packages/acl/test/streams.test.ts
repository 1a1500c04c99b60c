import { get } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
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
  let isWhole = false
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
          isWhole = response.complete
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
  t.ok(isWhole, 'it is not cut')
  t.equal((await call(app, 'ann', 'GET', '/Notes/change-stream')).status, 401)
})

t.test('a change stream carries the rows that rules leave to its client', async t => {
  const app = await makeApp(t, {
    definitions: [
      {
        name: 'Note',
        properties: { text: 'string', teamId: 'number' },
        relations: { team: { type: 'belongsTo', model: 'Team' } },
        acls: [
          row('DENY', '$everyone'),
          row('ALLOW', '$authenticated', {
            rows: { or: [{ text: 'for all' }, { 'team.members': { some: { userId: '$user.id' } } }] }
          })
        ]
      },
      {
        name: 'Team',
        properties: { name: 'string' },
        relations: { members: { type: 'hasMany', model: 'Member', foreignKey: 'teamId' } }
      },
      { name: 'Member', properties: { userId: 'number', teamId: 'number' } }
    ],
    prepare: async ({ Team, Member }: any) => {
      await Team.create([{}, {}])
      await Member.create({ userId: 1, teamId: 1 })
    }
  })
  const { Note } = app.models
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  let text = ''
  let begun = (): void => {}
  const beginning = new Promise<void>(resolve => { begun = resolve })
  const request = get(
    { port, path: '/api/Notes/change-stream', headers: { authorization: app.tokens.ann as string }, agent: false },
    response => {
      response.setEncoding('utf8').on('data', chunk => {
        text += chunk
        begun()
      }).on('error', () => {})
    }
  )
  t.teardown(() => request.destroy())
  await beginning
  await Note.create([
    { text: 'of team 1', teamId: 1 }, { text: 'of team 2', teamId: 2 }, { text: 'of nobody' }, { text: 'for all' }
  ])
  while (!text.includes('for all')) await new Promise(resolve => setTimeout(resolve, 5))
  t.match(text, 'of team 1')
  t.notMatch(text, /of team 2|of nobody/)
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

t.test('a logout ends the events of a browser in good order, and who comes back is told 401', async t => {
  const app = await makeApp(t, {
    definitions: [{ name: 'Note', properties: { text: 'string' }, acls: [row('DENY', '$unauthenticated')] }]
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const ask = (): Socket => {
    const socket = connect({ port, host: '127.0.0.1' }).setEncoding('utf8')
    t.teardown(() => socket.destroy())
    socket.write([
      'GET /api/Notes/change-stream HTTP/1.1', 'Host: x', 'Accept: text/event-stream',
      `Authorization: ${app.tokens.ann as string}`, '', ''
    ].join('\r\n'))
    return socket
  }
  const reading = async (socket: Socket, test: (text: string) => boolean): Promise<string> => {
    let text = ''
    for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
      text += chunk as string
      if (test(text)) return text
    }
    return `${text}[cut]`
  }
  const socket = ask()
  t.match(await reading(socket, text => text.includes(':ok')), /^HTTP\/1.1 200/)
  await app.models.Note.create({ text: 'before' })
  await reading(socket, text => text.includes('before'))
  t.equal((await call(app, 'ann', 'POST', '/Users/logout')).status, 204)
  await app.models.Note.create({ text: 'after' })
  const end = await reading(socket, text => text.endsWith('0\r\n\r\n'))
  t.match(end, /:access has ended\nretry: \d+\n\n\r\n0\r\n\r\n$/, 'last words, and the end of the chunks')
  t.notMatch(end, /after|\[cut\]/)
  t.match(await reading(ask(), text => text.includes('\r\n\r\n')), /^HTTP\/1.1 401/)
})
