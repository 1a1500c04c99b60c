/**
 * A real LoopBack 3 process synchronizes with this server, both ways (SYD-11, SY-80 to SY-85): `loopback` 3 and
 * `loopback-connector-remote`, installed beside this file the first time.
 */
import { fork, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { core } from '@fastback/core'
import { memoryConnector } from '@fastback/connector-memory'
import { sqlConnector } from '@fastback/connector-sql'
import { rest } from '@fastback/rest'
import { sync } from '@fastback/sync'

type Loose = any

const folder = fileURLToPath(new URL('loopback3-client', import.meta.url))
const properties = {
  id: { type: 'string', id: true, defaultFn: 'guid' },
  title: { type: 'string', required: true },
  done: 'boolean',
  due: 'date',
  tags: ['string'],
  pin: 'string'
}

function install (): void {
  if (existsSync(`${folder}/node_modules/.package-lock.json`)) return
  const args = ['ci', '--no-audit', '--no-fund', '--ignore-scripts']
  const { status, stderr } = spawnSync('npm', args, { cwd: folder, encoding: 'utf8' })
  if (status !== 0) throw new Error(`npm ci: ${stderr}`)
}

/** The server's models, and a client in a process of its own. */
async function start (t: Test, dataSource: Loose): Promise<{ Todo: Loose, ask (message: object): Promise<Loose> }> {
  const server = Fastify({ forceCloseConnections: true })
  await server.register(core, {
    dataSources: { db: dataSource },
    definitions: [{ name: 'Todo', trackChanges: true, strict: 'validate', persistUndefinedAsNull: true, hidden: ['pin'], properties } as Loose],
    models: { Todo: { dataSource: 'db' } }
  })
  await server.register(sync)
  await server.register(rest, { prefix: '/api' })
  const url = `${await server.listen({ port: 0, host: '127.0.0.1' })}/api`
  const client: ChildProcess = fork(`${folder}/client.cjs`, [url], { execArgv: [], env: { ...process.env, NODE_ENV: 'production' } })
  const exited = once(client, 'exit')
  t.teardown(async () => {
    client.kill()
    await exited
    await server.close()
  })
  const answer = async (): Promise<Loose> => {
    const [{ result, error }] = await Promise.race([
      once(client, 'message'), exited.then(() => [{ error: 'the client has ended' }])
    ]) as [Loose]
    if (error !== undefined) throw new Error(error)
    return result
  }
  await answer()
  return {
    Todo: (server.models as Loose).Todo,
    ask: async message => {
      client.send(message)
      return await answer()
    }
  }
}

const stores = { memory: { connector: memoryConnector }, sqlite: { connector: sqlConnector, url: 'sqlite::memory:', migrate: 'update' } }

t.test('SYD-11, SY-85: a LoopBack 3 client', { timeout: 600_000 }, async t => {
  install()
  for (const [name, dataSource] of Object.entries(stores)) {
    await t.test(name, async t => {
      const { Todo, ask } = await start(t, dataSource)
      const call = async (model: string, method: string, ...values: unknown[]): Promise<Loose> =>
        await ask({ action: 'call', model, method, values })
      const local = async (method: string, ...values: unknown[]): Promise<Loose> => await call('LocalTodo', method, ...values)
      const push = async (since: unknown, options?: object): Promise<Loose> =>
        await ask({ action: 'replicate', from: 'LocalTodo', to: 'RemoteTodo', since, options })
      const pull = async (since: unknown, options?: object): Promise<Loose> =>
        await ask({ action: 'replicate', from: 'RemoteTodo', to: 'LocalTodo', since, options })
      const settle = async (method: string, values: unknown[] = [], swap = false): Promise<Loose> =>
        await ask({ action: 'conflict', method, values, swap })
      const seen = ({ id, title, done, due, tags }: Loose): unknown =>
        JSON.parse(JSON.stringify({ id, title, done: done ?? null, due: due ?? null, tags: tags ?? null }))
      const here = async (): Promise<unknown[]> => (await Todo.find({ order: 'id' })).map(seen)
      const there = async (): Promise<unknown[]> => (await local('find', { order: 'id' })).map(seen)
      const title = async (id: string): Promise<unknown> => (await Todo.findById(id))?.title ?? null

      await t.test('pushes and pulls', async t => {
        await local('create', [{ id: 'a', title: 'of the client', done: false, due: '2026-02-03T04:05:06.789Z', tags: ['x', 'é'] }])
        await Todo.create([{ id: 'b', title: 'of the server', pin: 'hidden' }])
        t.same((await push(-1)).conflicts, [])
        t.same((await pull(-1)).conflicts, [])
        t.same((await here()).map((row: Loose) => row.id), ['a', 'b'])
        t.same(await there(), await here())
        const revisions = (changes: Loose[]): unknown => changes.map(({ modelId, rev }) => [modelId, rev]).sort()
        t.same(revisions(await local('changes', -1, {})), revisions(await Todo.changes(-1, {})),
          'SY-21: both have the same revisions')
      })

      await t.test('carries updates and deletes from their checkpoints, both ways', async t => {
        const pushed = (await push(-1)).checkpoints
        const pulled = (await pull(-1)).checkpoints
        await local('updateAll', { id: 'a' }, { title: 'changed by the client' })
        await Todo.destroyById('b')
        await Todo.create({ id: 'c', title: 'new' })
        t.same((await push(pushed)).conflicts, [])
        t.same((await pull(pulled)).conflicts, [])
        t.equal(await title('a'), 'changed by the client')
        t.same((await there()).map((row: Loose) => row.id), ['a', 'c'])
        t.same(await there(), await here())
        await local('destroyById', 'a')
        t.same((await push(pushed)).conflicts, [])
        t.equal(await title('a'), null, 'the delete came')
      })

      await t.test('pulls a part', async t => {
        await Todo.create([{ id: 'p1', title: 'part', done: true }, { id: 'p2', title: 'part', done: false }])
        t.same((await pull(-1, { filter: { where: { done: true } } })).conflicts, [])
        t.same((await there()).map((row: Loose) => row.id), ['c', 'p1'])
        t.same((await pull(-1)).conflicts, [])
        t.same(await there(), await here())
      })

      const conflict = async (id: string): Promise<Loose> => {
        const base = (await push(-1)).checkpoints
        await local('updateAll', { id }, { title: `${id} of the client` })
        await Todo.updateAll({ id }, { title: `${id} of the server` })
        const { conflicts } = await push(base)
        t.same(conflicts, [id], `${id} is reported`)
        return base
      }

      await t.test('SY-70, SY-71: a conflict, for the client', async t => {
        const base = await conflict('c')
        t.same(await settle('type'), ['update'])
        const [source, target] = await settle('models')
        t.same([source.title, target.title], ['c of the client', 'c of the server'])
        await settle('resolve')
        t.same((await push(base)).conflicts, [])
        t.equal(await title('c'), 'c of the client')
      })

      await t.test('SY-72: a conflict, for the server', async t => {
        const base = await conflict('p1')
        await settle('resolveUsingTarget')
        t.same((await push(base)).conflicts, [])
        t.equal(await title('p1'), 'p1 of the server')
        t.same(await there(), await here())
      })

      await t.test('SY-73: a conflict, by hand', async t => {
        const base = await conflict('p2')
        await settle('resolveManually', [{ title: 'of both' }])
        t.same((await push(base)).conflicts, [])
        t.equal(await title('p2'), 'of both')
        t.same((await pull(-1)).conflicts, [])
        t.same(await there(), await here())
      })

      await t.test('SY-66, SY-74: a conflict of a pull, with the sides exchanged', async t => {
        const base = (await pull(-1)).checkpoints
        await local('updateAll', { id: 'c' }, { title: 'mine' })
        await Todo.updateAll({ id: 'c' }, { title: 'theirs' })
        t.same((await pull(base)).conflicts, ['c'])
        await settle('resolveUsingTarget', [], true)
        t.same((await pull(-1)).conflicts, [])
        t.equal((await local('findById', 'c')).title, 'theirs')
        t.equal(await title('c'), 'theirs')
      })

      await t.test('SY-71: deleted here, changed there', async t => {
        const base = (await push(-1)).checkpoints
        await local('updateAll', { id: 'p1' }, { title: 'still wanted' })
        await Todo.destroyById('p1')
        t.same((await push(base)).conflicts, ['p1'])
        t.same(await settle('type'), ['delete'])
        await settle('resolve')
        t.same((await push(base)).conflicts, [])
        t.equal(await title('p1'), 'still wanted', 'it is made again')
        t.same(await there(), await here())
      })

      await t.test('SY-55: a row that the server refuses ends the push, and says why', async t => {
        await local('create', { id: 'odd', title: 'fine here' })
        Todo.validatesLengthOf('title', { max: 20 })
        await local('updateAll', { id: 'odd' }, { title: 'far too long for this server' })
        await t.rejects(push(-1), /title/)
        t.equal(await title('odd'), null)
      })
    })
  }
})
