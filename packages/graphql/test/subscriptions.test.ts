/** Subscriptions over WebSocket: changes by the rules of their reader, and hostile connections. */
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import t from 'tap'
import { createClient, type Client } from 'graphql-ws'
import { WebSocket } from 'ws'
import { makeApp, row, type App } from './app.js'

type Loose = any

const definitions: Loose[] = [
  {
    name: 'Note',
    hidden: ['secret'],
    properties: { text: 'string', userId: 'number', secret: 'string' },
    relations: { comments: { type: 'hasMany', model: 'Comment' } },
    acls: [
      row('DENY', '$everyone'),
      row('ALLOW', '$authenticated', { accessType: 'READ', rows: { userId: '$user.id' } }),
      row('ALLOW', 'admin', { accessType: 'READ' })
    ]
  },
  { name: 'Log', properties: { text: 'string' }, acls: [row('DENY', '$everyone'), row('ALLOW', 'admin')] },
  { name: 'Comment', properties: { text: 'string', noteId: 'number' } }
]

async function listening (t: Loose, graphql: object = {}): Promise<{ app: App, url: string }> {
  const app = await makeApp(t, {
    definitions,
    settings: { relatedAccess: 'related', modelDefinitions: 'open' },
    graphql: { subscriptions: true, ...graphql }
  })
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  return { app, url: `${address.replace('http', 'ws')}/graphql` }
}

function connect (t: Loose, url: string, connectionParams: object = {}): Client {
  const client = createClient({
    url, webSocketImpl: WebSocket, connectionParams: connectionParams as Record<string, unknown>, retryAttempts: 0
  })
  t.teardown(async () => { await client.dispose() })
  return client
}

/** The results of a subscription, as they come. */
interface Listening { results: Loose[], errors: Loose[], stop: () => void, ended: Promise<void> }

function listen (client: Client, query: string): Listening {
  const results: Loose[] = []
  const errors: Loose[] = []
  let end: () => void
  const ended = new Promise<void>(resolve => { end = resolve })
  const stop = client.subscribe({ query }, {
    next: result => {
      if (result.errors !== undefined) errors.push(...result.errors)
      else results.push(result)
    },
    error: error => { errors.push(...[error].flat() as Loose[]); end() },
    complete: () => { end() }
  })
  return { results, errors, stop, ended }
}

const until = async (test: () => boolean): Promise<void> => {
  for (let i = 0; i < 200 && !test(); i++) await wait(10)
}

const changes = 'subscription { noteChanges { type id row { text } } }'

t.test('each reader gets the changes of rows that it may see', async t => {
  const { app, url } = await listening(t)
  const { Note, Comment } = app.models
  const ann = listen(connect(t, url, { authorization: app.tokens.ann }), changes)
  const adam = listen(connect(t, url, { Authorization: app.tokens.adam }), 'subscription { noteChanges(where: { text: { like: "m%" } }) { type row { text userId comments { text } } } }')
  await wait(300)
  const mine = await Note.create({ text: 'mine', userId: 1, secret: 'x' })
  await Comment.create({ text: 'c', noteId: 1 })
  await Note.create({ text: 'of ben', userId: 2 })
  await mine.updateAttributes({ text: 'more' })
  await mine.updateAttributes({ userId: 2 })
  await until(() => ann.results.length >= 3 && adam.results.length >= 3)
  t.same(ann.results.map(({ data }) => data.noteChanges), [
    { type: 'create', id: 1, row: { text: 'mine' } }, { type: 'update', id: 1, row: { text: 'more' } }, { type: 'remove', id: 1, row: null }
  ])
  t.match(adam.results[1].data.noteChanges, { type: 'update', row: { text: 'more', userId: 1, comments: [{ text: 'c' }] } })
  t.same([...ann.errors, ...adam.errors], [])
})

t.test('what ends a subscription ends its stream', async t => {
  const { app, url } = await listening(t)
  const client = connect(t, url, { authorization: app.tokens.ann })
  const first = listen(client, changes)
  const second = listen(client, changes)
  const measures = async (): Promise<number> => {
    const { measuresOf } = await import('@fastback/core/remote')
    return measuresOf(app.registry).read('openStreams').get('') as number
  }
  for (let i = 0; i < 100 && await measures() < 2; i++) await wait(10)
  t.equal(await measures(), 2)
  first.stop()
  await first.ended
  await wait(100)
  t.equal(await measures(), 1, 'one that is stopped')
  await client.dispose()
  await wait(100)
  t.equal(await measures(), 0, 'a connection that is closed')
  t.same(second.errors, [])
})

t.test('a reader who loses the right loses the subscription', async t => {
  const { app, url } = await listening(t)
  const { Log, RoleMapping } = app.models
  const { results, errors, ended } = listen(connect(t, url, { authorization: app.tokens.adam }), 'subscription { logChanges { row { text } } }')
  await wait(300)
  await Log.create({ text: 'a' })
  await until(() => results.length > 0)
  t.same(results, [{ data: { logChanges: { row: { text: 'a' } } } }])
  await RoleMapping.destroyAll({})
  await ended
  t.same(errors, [])
})

t.test('who may not read, or sends another document, gets an error', async t => {
  const { app, url } = await listening(t, { limits: { subscriptions: 2 } })
  const codeOf = async (query: string, params: object = { authorization: app.tokens.ann }): Promise<unknown> => {
    const { errors, ended } = listen(connect(t, url, params), query)
    await ended
    return errors[0]?.extensions?.code
  }
  t.equal(await codeOf(changes, {}), 'AUTHORIZATION_REQUIRED')
  t.equal(await codeOf(changes, { authorization: 'nonsense' }), 'AUTHORIZATION_REQUIRED')
  t.equal(await codeOf('subscription { noteChanges { row { secret } } }'), 'GRAPHQL_INVALID_DOCUMENT')
  t.equal(await codeOf('subscription { noteChanges { type } commentChanges { type } }'), 'GRAPHQL_INVALID_DOCUMENT')
  t.equal(await codeOf('subscription { noteChanges(where: { comments: { some: {} } }) { type } }'), 'RELATION_IN_QUERY')
  t.equal(await codeOf('{ notes { id } }'), 'GRAPHQL_INVALID_REQUEST')
  t.equal(await codeOf('mutation { deleteNote(id: 1) { count } }'), 'GRAPHQL_INVALID_REQUEST')
  t.equal(await codeOf('{"kind":"Document"}'), 'GRAPHQL_INVALID_REQUEST')
  t.equal(await codeOf(`subscription { noteChanges { ${'type '.repeat(600)} } }`), 'GRAPHQL_LIMIT_EXCEEDED')
  const client = connect(t, url, { authorization: app.tokens.ann })
  const [one, two, three] = [listen(client, changes), listen(client, changes), listen(client, changes)]
  await Promise.race([one.ended, two.ended, three.ended])
  t.equal([...one.errors, ...two.errors, ...three.errors][0]?.extensions.code, 'GRAPHQL_LIMIT_EXCEEDED')
})

t.test('hostile connections', async t => {
  const { url } = await listening(t, { origins: ['https://app.example.com'] })
  const open = async (options: object, protocol = 'graphql-transport-ws'): Promise<number> => {
    const socket = new WebSocket(url, protocol, options)
    return await new Promise(resolve => {
      socket.once('unexpected-response', (_request, response) => { resolve(response.statusCode ?? 0) })
      socket.once('open', () => { resolve(101); socket.terminate() })
      socket.once('error', () => {})
    })
  }
  t.equal(await open({ origin: 'https://evil.example' }), 403, 'a page of another site')
  t.equal(await open({ origin: 'null' }), 403)
  t.equal(await open({ origin: url.replace('ws', 'http').replace('/graphql', '') }), 101, 'a page of this server')
  t.equal(await open({ origin: 'https://app.example.com' }), 101, 'one that is named')

  const closesWith = async (...messages: Array<string | Buffer>): Promise<number> => {
    const socket = new WebSocket(url, 'graphql-transport-ws')
    await once(socket, 'open')
    for (const message of messages) socket.send(message)
    const [code] = await once(socket, 'close')
    return code as number
  }
  const init = '{"type":"connection_init"}'
  const subscribe = '{"id":"1","type":"subscribe","payload":{"query":"subscription { noteChanges { type } }"}}'
  t.equal(await closesWith('{'), 4400)
  t.equal(await closesWith('null'), 4400)
  t.equal(await closesWith('[]'), 4400)
  t.equal(await closesWith(subscribe), 4401, 'before it says who it is')
  t.equal(await closesWith(init, init), 4429)
  t.equal(await closesWith(init, '{"id":"1","type":"subscribe","payload":{"query":{"kind":"Document"}}}'), 4400, 'a document that is no text')
  t.equal(await closesWith('x'.repeat(200_000)), 1009)
})

t.test('without the option there is none', async t => {
  const app = await makeApp(t, { definitions })
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  const socket = new WebSocket(`${address.replace('http', 'ws')}/graphql`, 'graphql-transport-ws')
  const [, response] = await once(socket.on('error', () => {}), 'unexpected-response') as Loose
  t.equal(response.statusCode, 400)
})

t.test('S-43 a connection ends with the token that opened it', async t => {
  // Seen to fail: a connection without onTokenEnd: whoever had logged out subscribed anew and got changes
  const { app, url } = await listening(t)
  const { AccessToken, Log } = app.models
  for (const way of ['header', 'query'] as const) {
    const { id } = await AccessToken.create({ userId: 3, ttl: 1000 })
    const socket = new WebSocket(way === 'query' ? `${url}?access_token=${String(id)}` : url, 'graphql-transport-ws', {
      headers: way === 'header' ? { authorization: String(id) } : {}
    })
    t.teardown(() => { socket.terminate() })
    const texts: string[] = []
    socket.on('message', data => { texts.push(String(data)) })
    const closed = once(socket, 'close')
    await once(socket, 'open')
    socket.send('{"type":"connection_init"}')
    const subscribe = (name: string): void => {
      if (socket.readyState !== WebSocket.OPEN) return
      socket.send(JSON.stringify({ id: name, type: 'subscribe', payload: { query: 'subscription { logChanges { type row { text } } }' } }))
    }
    await until(() => texts.length > 0)
    subscribe('first')
    await wait(200)
    await Log.create({ text: 'before' })
    await until(() => texts.some(text => text.includes('before')))
    t.ok(texts.some(text => text.includes('before')), 'control: as long as the token is there')
    const out = await app.inject({ method: 'POST', url: '/api/Users/logout', headers: { authorization: String(id) } })
    t.equal(out.statusCode, 204)
    await wait(200)
    subscribe('second')
    await wait(200)
    await Log.create({ text: 'after' })
    const [code] = await Promise.race([closed, wait(5000, ['open'])])
    t.equal(code, 4403, way)
    t.notOk(texts.some(text => text.includes('after')), way)
  }
  // A token of connection_init is the only one that counts: the connection outlives the other.
  const { id } = await AccessToken.create({ userId: 3, ttl: 1000 })
  class Opened extends WebSocket {
    constructor (address: string, protocols: string | string[]) {
      super(address, protocols, { headers: { authorization: String(id) } })
    }
  }
  const connectionParams = { authorization: app.tokens.adam }
  const client = createClient({ url, webSocketImpl: Opened, connectionParams, retryAttempts: 0 })
  t.teardown(async () => { await client.dispose() })
  const adam = listen(client, 'subscription { logChanges { type row { text } } }')
  await wait(300)
  await AccessToken.deleteById(id)
  await wait(200)
  await Log.create({ text: 'still' })
  await until(() => adam.results.length > 0)
  t.match(adam.results, [{ data: { logChanges: { row: { text: 'still' } } } }])
})
