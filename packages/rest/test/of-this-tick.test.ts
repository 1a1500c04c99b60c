/**
 * Which reads need not be newer than the tick of the event loop that their request is answered in, and which writes may
 * wait for its end.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { core, type HookContext, type ModelClass, type StoreOptions } from '@fastback/core'
import { memoryConnector } from '@fastback/connector-memory'
import { sqlConnector } from '@fastback/connector-sql'
import { rest } from '@fastback/rest'

/** The model, as far as it is called here. */
interface NoteClass extends ModelClass {
  create (row: object): Promise<unknown>
  find (): Promise<unknown>
  findById (id: number): Promise<unknown>
}

const noteOf = (app: FastifyInstance): NoteClass => app.models.Note as NoteClass

const readers = ['find', 'findById', 'count'] as const
const writers = ['create', 'updateById', 'replaceById', 'deleteAll'] as const

type Told = Array<boolean | undefined>

/** A server on a store whose work is cheaper by turn; what the store was told of each read and each write. */
async function serve (t: Test): Promise<{ app: FastifyInstance, told: Told, toldWrites: Told }> {
  const told: Told = []
  const toldWrites: Told = []
  const byTurn: typeof memoryConnector = (settings, context) => {
    const connector = memoryConnector(settings, context)
    for (const name of [...readers, ...writers]) {
      const own = connector[name].bind(connector) as (...given: unknown[]) => unknown
      const isRead = readers.some(reader => reader === name)
      const listening = (...given: unknown[]): unknown => {
        (isRead ? told : toldWrites).push((given.at(-1) as StoreOptions).ofThisTick)
        return own(...given)
      }
      Object.assign(connector, { [name]: listening })
    }
    return Object.assign(connector, { worksByTurn: true, text: undefined })
  }
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(core, {
    connectors: { byTurn },
    dataSources: { db: { connector: 'byTurn' } },
    definitions: [{ name: 'Note', properties: { title: 'string' } }],
    models: { Note: { dataSource: 'db', public: true } }
  })
  await app.registry.start()
  await noteOf(app).create({ title: 'one' })
  await app.register(rest, { prefix: '/api' })
  await app.listen({ port: 0, host: '127.0.0.1' })
  told.length = 0
  toldWrites.length = 0
  return { app, told, toldWrites }
}

interface Asked { readonly method?: string, readonly body?: object, readonly agent?: Agent }

async function answerOf (
  app: FastifyInstance, path: string, { method = 'GET', body, agent }: Asked = {}
): Promise<{ status: number | undefined, text: string }> {
  const { port } = app.server.address() as AddressInfo
  const asked = httpRequest({ port, method, path, headers: { 'content-type': 'application/json' }, ...agent && { agent } })
  asked.end(body && JSON.stringify(body))
  const [response] = await once(asked, 'response') as [IncomingMessage]
  let text = ''
  for await (const chunk of response) text += String(chunk)
  return { status: response.statusCode, text }
}

const ask = async (app: FastifyInstance, method: string, path: string, body?: object): Promise<number | undefined> =>
  (await answerOf(app, path, { method, ...body && { body } })).status

t.test('a request that only reads, over a socket', async t => {
  const { app, told } = await serve(t)
  for (const path of ['/api/Notes', '/api/Notes/1', '/api/Notes/count', '/api/Notes/findOne']) {
    told.length = 0
    t.equal(await ask(app, 'GET', path), 200)
    t.ok(told.length > 0 && told.every(each => each === true), path)
  }
})

t.test('a request that writes reads what is there', async t => {
  const { app, told, toldWrites } = await serve(t)
  t.equal(await ask(app, 'POST', '/api/Notes', { title: 'zero' }), 200)
  t.equal(await ask(app, 'PUT', '/api/Notes', { id: 1, title: 'one' }), 200)
  t.equal(await ask(app, 'PUT', '/api/Notes/1', { title: 'two' }), 200)
  t.equal(await ask(app, 'PATCH', '/api/Notes/1', { title: 'three' }), 200)
  t.equal(await ask(app, 'DELETE', '/api/Notes/1'), 200)
  t.notOk(told.includes(true))
  t.same(toldWrites, [true, true, true, true, true], 'and may write at the end of its turn')
})

t.test('a write that stands beside others in a transaction is made at once', async t => {
  const { app, toldWrites } = await serve(t)
  noteOf(app).observe('before save', async (ctx: HookContext) => {
    ctx.options.transaction = { handle: 'of the store' }
  })
  t.equal(await ask(app, 'POST', '/api/Notes', { title: 'two' }), 200)
  t.same(toldWrites, [undefined])
})

t.test('one that code of this process makes up, and what applications ask on their own account', async t => {
  const { app, told, toldWrites } = await serve(t)
  t.equal((await app.inject('/api/Notes/1')).statusCode, 200)
  t.equal((await app.inject({ method: 'POST', url: '/api/Notes', payload: {} })).statusCode, 200)
  await noteOf(app).find()
  await noteOf(app).findById(1)
  await noteOf(app).create({})
  t.ok(told.length >= 3)
  t.notOk(told.includes(true))
  t.same(toldWrites, [undefined, undefined])
})

t.test('an application may ask for what is there with the options of a request', async t => {
  const { app, told } = await serve(t)
  noteOf(app).observe('access', async (ctx: HookContext) => { ctx.options.primary = true })
  t.equal(await ask(app, 'GET', '/api/Notes'), 200)
  t.notOk(told.includes(true))
})

t.test('whoever asks after a write of another process was acknowledged gets what it wrote', async t => {
  const settings = { connector: 'sql', url: `sqlite:${t.testdir({})}/rows.sqlite`, migrate: 'update' } as const
  const app = Fastify()
  await app.register(core, {
    connectors: { sql: sqlConnector },
    dataSources: { db: settings },
    definitions: [{ name: 'Note', properties: { tick: 'number' } }],
    models: { Note: { dataSource: 'db', public: true } }
  })
  await app.registry.start()
  await noteOf(app).create({ tick: 0 })
  await app.register(rest, { prefix: '/api' })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const agent = new Agent({ keepAlive: true, maxSockets: 16 })
  const writer = spawn(process.execPath, [...process.execArgv, '--input-type=module', '-e', `
    import { createInterface } from 'node:readline'
    import { sqlConnector } from '@fastback/connector-sql'
    const log = { warn () {}, info () {}, debug () {} }
    const sql = sqlConnector(${JSON.stringify(settings)}, { dataSource: 'db', baseDir: '/', log })
    await sql.connect()
    for await (const tick of createInterface({ input: process.stdin })) {
      await sql.execute('UPDATE "Note" SET "tick" = ?', [Number(tick)])
      console.log(tick)
    }
  `], { cwd: new URL('.', import.meta.url), stdio: ['pipe', 'pipe', 'inherit'] })
  t.teardown(async () => {
    agent.destroy()
    writer.kill()
    await app.close()
  })
  const acknowledged = createInterface({ input: writer.stdout })[Symbol.asyncIterator]()
  // Others keep the turns busy all the while.
  const crowded = { isOver: false }
  const crowd = Array.from({ length: 12 }, async () => {
    while (!crowded.isOver) await answerOf(app, '/api/Notes/1', { agent })
  })
  const stale: string[] = []
  for (let tick = 1; tick <= 200; tick++) {
    writer.stdin.write(`${tick}\n`)
    await acknowledged.next()
    const { text } = await answerOf(app, '/api/Notes/1', { agent })
    if ((JSON.parse(text) as { tick: number }).tick !== tick) stale.push(`${tick}: ${text}`)
  }
  crowded.isOver = true
  await Promise.all(crowd)
  t.same(stale, [])
})
