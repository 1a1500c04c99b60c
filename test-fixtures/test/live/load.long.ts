/**
 * 1,000 live queries of one server on SQLite, 100 changes a second: what it takes until a change is in the list of a
 * client whose list it belongs to (99 of 100 within 200 ms).
 */
import type { AddressInfo } from 'node:net'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import Fastify from 'fastify'
import { sqlConnector } from '@fastback/connector-sql'
import { core } from '@fastback/core'
import { rest } from '@fastback/rest'

type Loose = any

const queries = 1_000
const perSecond = 100
const seconds = 20
const groups = 50

t.setTimeout(300_000)

t.test('1,000 live queries, 100 changes a second', async t => {
  const app: Loose = Fastify({ forceCloseConnections: true })
  t.teardown(() => app.close())
  await app.register(core, {
    dataSources: { db: { connector: sqlConnector, url: 'sqlite::memory:', migrate: 'update' } },
    settings: { live: true },
    definitions: [{ name: 'Note', properties: { group: 'number', text: 'string', at: 'number' } }],
    models: { Note: { dataSource: 'db', public: true } }
  })
  await app.register(rest, { prefix: '/api' })
  const { Note } = app.models
  await Note.create(Array.from({ length: 1_000 }, (_, i) => ({ group: i % groups, text: 'a note', at: 1 })))
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  // Clients are another process: they would take the server's time.
  const clients = fork(fileURLToPath(new URL('clients.mjs', import.meta.url)), [port, queries, groups].map(String))
  t.teardown(() => { clients.kill() })
  const [{ open }] = await once(clients, 'message') as [{ open: number }]
  t.equal(open, queries)
  const begun = performance.now()
  for (let n = 0; n < perSecond * seconds; n++) {
    const due = begun + n * 1_000 / perSecond
    const rest = due - performance.now()
    if (rest > 0) await new Promise(resolve => setTimeout(resolve, rest))
    const [i, at] = [1 + n * 7 % 1_000, Date.now()]
    await app.inject({ method: 'PATCH', url: `/api/Notes/${i}`, payload: { at, text: `note ${n}` } })
  }
  await new Promise(resolve => setTimeout(resolve, 1_000))
  clients.send('end')
  const [{ count, p50, p90, p99, most }] = await once(clients, 'message') as [Record<string, number>]
  t.comment(`${count} deliveries: p50 ${p50} ms, p90 ${p90} ms, p99 ${p99} ms, most ${most} ms`)
  t.ok(count as number > perSecond * seconds, `${count} deliveries`)
  t.ok(p99 as number <= 200, `p99 ${p99} ms`)
})
