/** Models of another application, over real sockets (service-connectors.md, section 5). */
import { once } from 'node:events'
import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { core } from '@fastback/core'
import { memoryConnector } from '@fastback/connector-memory'
import { remoteConnector, type RemoteConnector } from '@fastback/connector-remote'
import { rest } from '@fastback/rest'

type Loose = any

const definitions = (): Loose[] => [
  {
    name: 'Author',
    properties: { name: { type: 'string', required: true }, born: 'date' },
    relations: { notes: { type: 'hasMany', model: 'Note', foreignKey: 'authorId' } }
  },
  {
    name: 'Note',
    properties: { title: { type: 'string', required: true }, stars: 'number' },
    relations: { author: { type: 'belongsTo', model: 'Author', foreignKey: 'authorId' } },
    methods: {
      shout: {
        accepts: [
          { arg: 'text', type: 'string', required: true },
          { arg: 'options', type: 'object', http: 'optionsFromRequest' }
        ],
        returns: { arg: 'loud', type: 'string' },
        http: { verb: 'get', path: '/shout' }
      },
      'prototype.rate': {
        accepts: [{ arg: 'stars', type: 'number', http: { source: 'form' } }],
        returns: { arg: 'note', type: 'Note', root: true },
        http: { verb: 'post', path: '/rate' }
      }
    }
  }
]

/** The application that has the rows. */
async function upstream (t: Test): Promise<{ url: string, app: FastifyInstance, asked: string[], tokens: unknown[] }> {
  const app = Fastify({ forceCloseConnections: true })
  const asked: string[] = []
  const tokens: unknown[] = []
  app.addHook('onRequest', async request => {
    asked.push(`${request.method} ${decodeURIComponent(request.url)}`)
    tokens.push(request.headers.authorization)
  })
  await app.register(core, {
    dataSources: { db: { connector: memoryConnector } },
    definitions: definitions(),
    models: { Note: { dataSource: 'db', public: true }, Author: { dataSource: 'db', public: true } }
  })
  const { Note } = app.models as Loose
  Note.shout = async (text: string) => text.toUpperCase()
  Note.prototype.rate = async function (this: Loose, stars: number) { return await this.updateAttributes({ stars }) }
  await app.register(rest, { prefix: '/api' })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  t.teardown(async () => { await app.close() })
  return { url: `${url}/api`, app, asked, tokens }
}

/** The application that uses them. */
async function downstream (t: Test, url: string, settings: object = {}): Promise<FastifyInstance> {
  const app = Fastify()
  await app.register(core, {
    dataSources: { hall: { connector: remoteConnector, url, ...settings } },
    definitions: definitions(),
    models: { Note: { dataSource: 'hall', public: true }, Author: { dataSource: 'hall', public: true } }
  })
  await app.register(rest, { prefix: '/here' })
  await app.ready()
  t.teardown(async () => { await app.close() })
  return app
}

t.test('RM-2: each shared method is a call of the same route', async t => {
  const { url, asked } = await upstream(t)
  const { models: { Note } } = await downstream(t, url) as Loose
  const did = async (call: () => Promise<unknown>): Promise<unknown[]> => {
    asked.length = 0
    const result = await call()
    return [...asked, JSON.parse(JSON.stringify(result ?? null))]
  }
  const note = (id: number, title: string, more: object = {}): object => ({ title, id, ...more })
  const same = async (call: () => Promise<unknown>, expected: unknown[]): Promise<void> => {
    t.same(await did(call), expected)
  }
  await same(() => Note.create({ title: 'a' }), ['POST /api/Notes', note(1, 'a')])
  await same(() => Note.create([{ title: 'b' }, { title: 'c' }]), ['POST /api/Notes', [note(2, 'b'), note(3, 'c')]])
  await same(() => Note.find({ where: { title: 'b' } }), ['GET /api/Notes?filter={"where":{"title":"b"}}', [note(2, 'b')]])
  await same(() => Note.find(), ['GET /api/Notes', [note(1, 'a'), note(2, 'b'), note(3, 'c')]])
  await same(() => Note.findById(1), ['GET /api/Notes/1', note(1, 'a')])
  await same(() => Note.findOne({ where: { title: 'c' } }),
    ['GET /api/Notes/findOne?filter={"where":{"title":"c"}}', note(3, 'c')])
  await same(() => Note.exists(1), ['GET /api/Notes/1/exists', true])
  await same(() => Note.count({ title: 'a' }), ['GET /api/Notes/count?where={"title":"a"}', 1])
  await same(() => Note.updateAll({ title: 'c' }, { stars: 1 }),
    ['POST /api/Notes/update?where={"title":"c"}', { count: 1 }])
  await same(() => Note.replaceById(3, { title: 'd' }), ['POST /api/Notes/3/replace', note(3, 'd')])
  await same(() => Note.updateOrCreate({ id: 3, stars: 2 }), ['PATCH /api/Notes', note(3, 'd', { stars: 2 })])
  await same(() => Note.upsertWithWhere({ title: 'd' }, { title: 'd', stars: 3 }),
    ['POST /api/Notes/upsertWithWhere?where={"title":"d"}', note(3, 'd', { stars: 3 })])
  await same(() => Note.deleteById(3), ['DELETE /api/Notes/3', { count: 1 }])
  await same(() => Note.shout('hello'), ['GET /api/Notes/shout?text=hello', 'HELLO'])
  const first = await Note.findById(1)
  t.ok(first instanceof Note)
  t.equal(first.isNewRecord(), false)
  await same(() => first.rate(5), ['POST /api/Notes/1/rate', note(1, 'a', { stars: 5 })])
  await same(() => first.updateAttributes({ stars: 6 }), ['PATCH /api/Notes/1', note(1, 'a', { stars: 6 })])
})

t.test('RM-3: what is not there is null, other errors are those of the other application', async t => {
  const { url } = await upstream(t)
  const app = await downstream(t, url)
  const { Note } = app.models as Loose
  t.equal(await Note.findById(99), null)
  t.equal(await Note.findOne({ where: { title: 'none' } }), null)
  await t.rejects(Note.create({}), { statusCode: 422, code: 'VALIDATION_FAILED', details: [{ path: '' }] })
  await t.rejects(Note.replaceById(99, { title: 'x' }), { statusCode: 404, message: /Object with id 99 does not exist/ })
  await t.rejects(Note.findOrCreate({ where: {} }, { title: 'x' }), { statusCode: 501, code: 'NOT_SUPPORTED' })
  await t.rejects(Note.destroyAll(), { statusCode: 501, code: 'NOT_SUPPORTED' })
  for (const id of ['..', '.', '']) await t.rejects(Note.exists(id), { statusCode: 400, code: 'INVALID_ID' }, id)
  await new Promise<void>(resolve => {
    Note.findById(99, (error: unknown, found: unknown) => {
      t.strictSame([error, found], [null, null], 'with a callback')
      resolve()
    })
  })
  t.equal((await app.inject('/here/Notes/99')).statusCode, 404)
  t.match((await app.inject({ method: 'POST', url: '/here/Notes', payload: { title: 'over REST' } })).json(), { id: 1 })
  t.match((await app.inject('/here/Notes')).json(), [{ title: 'over REST' }])
  t.match((await app.inject('/here/Notes/count')).json(), { count: 1 })
})

t.test('RM-4: relations are nested routes, and include is done there', async t => {
  const { url, asked } = await upstream(t)
  const { models: { Author, Note } } = await downstream(t, url) as Loose
  const author = await Author.create({ name: 'ann', born: '2000-01-02' })
  t.ok(author.born instanceof Date)
  const note = await author.notes.create({ title: 'a' })
  t.ok(note instanceof Note)
  t.equal(asked.at(-1), 'POST /api/Authors/1/notes')
  t.equal((await author.notes()).length, 1)
  t.equal(asked.at(-1), 'GET /api/Authors/1/notes')
  t.equal((await author.notes({ where: { title: 'b' } })).length, 0)
  t.equal((await author.notes.findById(note.id)).title, 'a')
  t.equal(await author.notes.count(), 1)
  t.equal((await note.author()).name, 'ann')
  const [whole] = await Author.find({ include: 'notes' })
  asked.length = 0
  t.equal(whole.notes()[0].title, 'a')
  t.equal(whole.toJSON().notes[0].title, 'a')
  t.strictSame(asked, [], 'what was included is at hand')
  await author.notes.destroyById(note.id)
  t.equal(await author.notes.count(), 0)
})

t.test('RM-5: who asks', async t => {
  const { url, tokens } = await upstream(t)
  const plain = await downstream(t, url) as Loose
  const options = { accessToken: { id: 'of-the-caller' } }
  await plain.models.Note.find({}, options)
  t.equal(tokens.at(-1), undefined, 'the caller\'s token stays here')
  plain.registry.dataSources.hall.connector.remotes.auth = { bearer: 'late' }
  await plain.models.Note.find()
  t.equal(tokens.at(-1), 'Bearer late')
  const own = await downstream(t, url, { options: { auth: { accessToken: { id: 'of-the-application' } } } }) as Loose
  await own.models.Note.find({}, options)
  t.equal(tokens.at(-1), 'of-the-application')
  const basic = await downstream(t, url, { options: { auth: { username: 'a', password: 'b' } } }) as Loose
  await basic.models.Note.find()
  t.equal(tokens.at(-1), 'Basic YTpi')
  const forwarding = await downstream(t, url, { forwardToken: true }) as Loose
  await forwarding.models.Note.find({}, options)
  t.equal(tokens.at(-1), 'of-the-caller')
  await forwarding.models.Note.shout('x', options)
  t.equal(tokens.at(-1), 'of-the-caller')
})

t.test('a change stream', async t => {
  const { url, app } = await upstream(t)
  const { models: { Note } } = await downstream(t, url) as Loose
  const changes = await Note.createChangeStream()
  await new Promise(resolve => setTimeout(resolve, 100))
  const next = once(changes, 'data')
  await (app.models as Loose).Note.create({ title: 'new' })
  const [change] = await next
  t.match(change, { type: 'create', data: { title: 'new' } })
  changes.destroy()
})

t.test('settings', async t => {
  const context = { dataSource: 'hall', baseDir: '.', log: { debug () {}, info () {}, warn () {} } }
  const made = (settings: object): RemoteConnector =>
    remoteConnector({ connector: 'remote', ...settings }, context) as RemoteConnector
  t.equal(made({}).url, 'http://localhost:3000')
  t.equal(made({ protocol: 'https', host: 'hall.example', port: 8443, root: 'api/' }).url, 'https://hall.example:8443/api')
  t.equal(made({ url: 'https://hall.example/api/' }).url, 'https://hall.example/api')
  for (const settings of [
    { url: 'ftp://x' }, { url: 'hall' }, { adapter: 'jsonrpc' }, { forwardToken: 'yes' }, { url: 'http://x/?a' }
  ]) {
    t.throws(() => made(settings), { code: 'FBK_REMOTE_SETTINGS' }, JSON.stringify(settings))
  }
  await t.rejects(made({ url: 'http://127.0.0.1:1/api' }).ping() as Promise<void>, { statusCode: 502, code: 'BAD_GATEWAY' })
})
