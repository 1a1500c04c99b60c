/** Live queries over WebSockets: many on one connection, each by the rules of its caller. */
import t, { type Test } from 'tap'
import type { AddressInfo } from 'node:net'
import { WebSocket } from 'ws'
import { makeApp as makeRuled, row } from '../../../packages/acl/test/app.js'
import { makeApp } from '../../../packages/rest/test/app.js'
import { applied } from './reader.js'

type Loose = any

const properties = { text: 'string', ownerId: 'number', secret: { type: 'string', hidden: true } }
const ruled = {
  name: 'Note', properties,
  acls: [row('DENY', '$everyone'), row('ALLOW', '$authenticated', { rows: { ownerId: '$user.id' } })]
}

const serve = async (t: Test, liveSocket: Loose = true): Promise<Loose> => await makeApp(t, {
  definitions: [
    { name: 'Note', properties, relations: { plains: { type: 'hasMany', model: 'Plain', foreignKey: 'noteId' } } },
    { name: 'Plain', properties, live: false }
  ] as Loose,
  settings: { live: true }, options: { liveSocket }
})

class Client {
  readonly messages: Loose[] = []
  readonly rows = new Map<string, Loose[]>()
  closed: { code: number } | undefined
  status: number | undefined
  acks = true
  #changed = (): void => {}

  constructor (readonly socket: WebSocket) {
    socket.on('message', data => {
      const message = JSON.parse(String(data))
      this.messages.push(message)
      const { type, query, event } = message
      if (type === 'rows' || type === 'changes') {
        this.rows.set(query, applied(this.rows.get(query) ?? [], { event: type, data: message }))
        if (this.acks) this.send({ type: 'ack', query, event })
      }
      this.#changed()
    })
    socket.on('close', code => {
      this.closed = { code }
      this.#changed()
    })
    socket.on('unexpected-response', (_, response) => {
      this.status = response.statusCode
      response.resume()
      this.#changed()
    })
    socket.on('open', () => { this.#changed() })
    socket.on('error', () => {})
  }

  send (message: unknown): void {
    this.socket.send(typeof message === 'string' ? message : JSON.stringify(message))
  }

  async until (is: () => boolean): Promise<boolean> {
    const end = performance.now() + 4_000
    while (!is() && performance.now() < end) {
      await Promise.race([
        new Promise<void>(resolve => { this.#changed = resolve }), new Promise(resolve => setTimeout(resolve, 50))
      ])
    }
    return is()
  }

  of (query: string | undefined): Loose[] {
    return this.messages.filter(each => each.query === query)
  }
}

async function connect (t: Test, app: Loose, options: object = {}, path = '/api/live'): Promise<Client> {
  if (app.server.address() === null) await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, options)
  t.teardown(() => { socket.terminate() })
  const client = new Client(socket)
  await client.until(() => socket.readyState === WebSocket.OPEN || client.status !== undefined)
  return client
}

const subscribe = (query: string, filter?: object, more: object = {}): object =>
  ({ type: 'subscribe', query, path: '/Notes', filter, ...more })

t.test('several queries on one connection; one that is ended says no more', async t => {
  const app = await serve(t)
  const { Note } = app.models
  await Note.create([{ text: 'a', secret: 'x9' }, { text: 'b' }])
  const client = await connect(t, app)
  client.send(subscribe('all', { order: 'id' }))
  client.send(subscribe('a', { where: { text: 'a' } }))
  await client.until(() => client.rows.get('all')?.length === 2 && client.rows.get('a')?.length === 1)
  await Note.create({ text: 'a' })
  await client.until(() => client.rows.get('all')?.length === 3 && client.rows.get('a')?.length === 2)
  t.same(client.rows.get('a')?.map(({ id }) => id), [1, 3])
  client.send({ type: 'unsubscribe', query: 'a' })
  await client.until(() => client.of('a').some(({ type }) => type === 'end'))
  const before = client.of('a').length
  await Note.create({ text: 'a' })
  await client.until(() => client.rows.get('all')?.length === 4)
  t.equal(client.of('a').length, before)
  t.notMatch(JSON.stringify(client.messages), /secret|x9/)
  const { event } = client.of('all').at(-1)
  await Note.deleteById(1)
  const again = await connect(t, app)
  again.send(subscribe('all', { order: 'id' }, { after: event }))
  await again.until(() => again.messages.length > 0)
  t.match(again.messages[0], { type: 'changes', changes: [{ type: 'remove', index: 0 }] }, 'resumed')
})

t.test('a query goes on when the client has taken what it got', async t => {
  const app = await serve(t)
  const { Note } = app.models
  const client = await connect(t, app)
  client.acks = false
  client.send(subscribe('all'))
  await client.until(() => client.messages.length === 1)
  for (let i = 0; i < 30; i++) {
    await Note.create({ text: `t${i}` })
    if (i % 10 === 0) await new Promise(resolve => setTimeout(resolve, 30))
  }
  await new Promise(resolve => setTimeout(resolve, 100))
  t.equal(client.messages.length, 1)
  client.acks = true
  client.send({ type: 'ack', query: 'all', event: client.messages[0].event })
  await client.until(() => client.rows.get('all')?.length === 30)
  t.equal(client.rows.get('all')?.length, 30)
  t.ok(client.messages.length < 10, `${client.messages.length} messages`)
})

t.test('related rows, long after the request of the query', async t => {
  const app = await serve(t)
  const { Note, Plain } = app.models
  await Note.create({ text: 'a' })
  const client = await connect(t, app)
  client.send(subscribe('all', { include: 'plains' }))
  await client.until(() => client.rows.get('all')?.length === 1)
  for (const text of ['one', 'two']) {
    await Plain.create({ text, noteId: 1 })
    await client.until(() => client.rows.get('all')?.[0].plains.at(-1)?.text === text)
  }
  t.match(client.rows.get('all'), [{ text: 'a', plains: [{ text: 'one' }, { text: 'two' }] }])
})

t.test('messages that are none, names that are taken, paths that are none', async t => {
  const app = await serve(t, { maxQueries: 2, maxMessages: 30, maxMessage: 2_000 })
  const client = await connect(t, app)
  const refused = async (message: unknown, query: string | undefined, code: string): Promise<void> => {
    const before = client.of(query).length
    client.send(message)
    await client.until(() => client.of(query).length > before)
    t.match(client.of(query).at(-1), { type: 'error', error: { code } }, JSON.stringify(message))
  }
  const none = [
    'no JSON', '[]', 'null', '{"type":"subscribe"}', { type: 'other', query: 'x' }, { ...subscribe('x'), query: 7 },
    { ...subscribe('x'), filter: 'text' }, { ...subscribe('x'), after: 'a\r\nb: c' }, '{"__proto__":{},"type":"ack"}',
    `${'['.repeat(500)}${']'.repeat(500)}`
  ]
  for (const each of none) await refused(each, undefined, 'LIVE_MESSAGE_INVALID')
  const paths = ['/Nothing', '/Plains', '/Notes/..', 'http://elsewhere/Notes', '/Notes?filter=', '/Notes/1', '']
  for (const path of paths) await refused({ ...subscribe('p'), path }, 'p', 'PATH_NOT_FOUND')
  await refused(subscribe('h', { where: { secret: 'x' } }), 'h', 'HIDDEN_PROPERTY_IN_QUERY')
  client.send(subscribe('one'))
  await client.until(() => client.of('one').length === 1)
  await refused(subscribe('one'), 'one', 'LIVE_MESSAGE_INVALID')
  client.send(subscribe('two'))
  await refused(subscribe('three'), 'three', 'TOO_MANY_LIVE_QUERIES')
  for (let i = 0; i < 30; i++) client.send({ type: 'ack', query: 'one', event: 'none' })
  await client.until(() => client.closed !== undefined)
  t.same(client.closed, { code: 1008 })
  const large = await connect(t, app)
  large.send(subscribe('x', { where: { text: 'x'.repeat(3_000) } }))
  await large.until(() => large.closed !== undefined)
  t.same(large.closed, { code: 1009 })
})

t.test('pages of other origins, and more connections than there may be', async t => {
  const app = await serve(t, { origins: ['https://app.example.com'], maxConnections: 2 })
  t.equal((await connect(t, app, { origin: 'https://evil.example.com' })).status, 403)
  t.equal((await connect(t, app, { origin: 'null' })).status, 403)
  const { port } = app.server.address() as AddressInfo
  t.equal((await connect(t, app, { origin: 'https://app.example.com' })).status, undefined)
  t.equal((await connect(t, app, { origin: `http://127.0.0.1:${port}` })).status, undefined)
  t.equal((await connect(t, app)).status, 429)
})

t.test('each query has the rights of its caller, and ends with the token', async t => {
  const parts = { settings: { live: true }, options: { liveSocket: true } }
  const app = await makeRuled(t, { definitions: [ruled] as Loose, ...parts })
  const { Note, AccessToken } = app.models
  await Note.create([{ text: 'of ann', ownerId: 1 }, { text: 'of ben', ownerId: 2 }])
  const nobody = await connect(t, app)
  nobody.send(subscribe('all'))
  await nobody.until(() => nobody.messages.length === 1)
  t.match(nobody.messages, [{ type: 'error', query: 'all', error: { statusCode: 401 } }])
  const ann = await connect(t, app, { headers: { authorization: app.tokens.ann } })
  const ben = await connect(t, app, {}, `/api/live?access_token=${app.tokens.ben as string}`)
  for (const each of [ann, ben]) each.send(subscribe('all'))
  await ann.until(() => ann.rows.get('all')?.length === 1)
  await ben.until(() => ben.rows.get('all')?.length === 1)
  t.match([ann.rows.get('all'), ben.rows.get('all')], [[{ text: 'of ann' }], [{ text: 'of ben' }]])
  await AccessToken.destroyAll({ id: app.tokens.ann })
  for (let i = 0; i < 2; i++) await ann.until(() => ann.of('all').some(({ type }) => type === 'end'))
  t.match(ann.messages.at(-1), { type: 'end', query: 'all' })
  await Note.create({ text: 'late', ownerId: 1 })
  ann.send(subscribe('all'))
  await ann.until(() => ann.messages.at(-1).type === 'error')
  t.match(ann.messages.at(-1), { error: { statusCode: 401 } })
  t.notMatch(JSON.stringify(ann.messages), /late|of ben/)
})

t.test('what a connection has open ends with it', async t => {
  const app = await serve(t)
  const { Note } = app.models
  const client = await connect(t, app)
  client.send(subscribe('all'))
  await client.until(() => client.messages.length === 1)
  t.equal(Note.state.live.size, 1)
  client.socket.terminate()
  for (let i = 0; i < 100 && Note.state.live.size > 0; i++) await new Promise(resolve => setTimeout(resolve, 10))
  t.equal(Note.state.live.size, 0)
})

t.test('without the setting nobody connects; a model may not have its path', async t => {
  const app = await serve(t, false)
  t.equal((await connect(t, app)).status, 404)
  const taken = [{ name: 'Live', plural: 'live', properties }] as Loose
  await t.rejects(makeApp(t, { definitions: taken, options: { liveSocket: true } }), { code: 'FBK_REST_LIVE_PATH_TAKEN' })
  const other = await makeApp(t, {
    definitions: taken, settings: { live: true }, options: { liveSocket: { path: '/sockets' } }
  })
  t.equal((await connect(t, other, {}, '/api/sockets')).status, undefined)
})
