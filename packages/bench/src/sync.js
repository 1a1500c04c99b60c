/** What synchronization costs beside the same without it, on SQLite and on the PostgreSQL of the tests. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sqlConnector } from '@fastback/connector-sql'
import { core } from '@fastback/core'
import { rest } from '@fastback/rest'
import { sync } from '@fastback/sync'
import Fastify from 'fastify'
import { isReachable, makeScratch } from '../../../test-fixtures/scratch.mjs'
import { median } from './stats.js'

const rounds = 9
const creates = 1000
const page = 1000
/** How many times as much it may be. */
const limits = { pull: 1.3, create: 1.5 }

const properties = {
  id: { type: 'string', id: true, defaultFn: 'guid' },
  title: { type: 'string', required: true },
  body: 'string',
  rank: 'number',
  done: 'boolean',
  at: 'date'
}

const rowOf = number => ({
  title: `Title ${number}`,
  body: 'Some words that make up a note, as people write them down. '.repeat(2),
  rank: number,
  done: number % 2 === 0,
  at: '2026-01-02T03:04:05.678Z'
})

async function makeApp (url) {
  const app = Fastify()
  const toDb = { dataSource: 'db' }
  await app.register(core, {
    dataSources: { db: { connector: sqlConnector, url, migrate: 'update' } },
    definitions: [
      { name: 'Tracked', plural: 'Tracked', trackChanges: true, strict: true, properties },
      { name: 'Plain', plural: 'Plain', strict: true, properties }
    ],
    models: { Tracked: toDb, Plain: toDb }
  })
  await app.register(sync)
  await app.register(rest, { prefix: '/api' })
  await app.ready()
  return app
}

async function ask (app, request) {
  const { statusCode, payload } = await app.inject(request)
  if (statusCode !== 200) throw new Error(payload)
  return JSON.parse(payload)
}

async function create (app, path) {
  for (let i = 0; i < creates; i++) await ask(app, { method: 'POST', url: `/api/${path}`, payload: rowOf(i) })
}

async function find (app, rows) {
  for (let skip = 0; skip < rows; skip += page) {
    const filter = encodeURIComponent(JSON.stringify({ limit: page, skip, order: 'id' }))
    await ask(app, { url: `/api/Tracked?filter=${filter}` })
  }
}

async function pull (app, rows) {
  let pulled = 0
  for (let after = '', more = true; more;) {
    const answer = await ask(app, { url: `/api/Tracked/sync/pull?limit=${page}${after}` })
    pulled += answer.changes.length
    after = `&after=${encodeURIComponent(answer.cursor)}`
    more = answer.more
  }
  if (pulled !== rows) throw new Error(`${pulled} rows were pulled, not ${rows}`)
}

/** Milliseconds of this process's processor, and of the clock. */
async function cost (work) {
  const begin = performance.now()
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return { processor: (user + system) / 1000, clock: performance.now() - begin }
}

/** Both in turns: how many times as much the one is of the other, in the middle of the rounds. */
async function compare (one, other) {
  await one()
  await other()
  const ratios = []
  for (let round = 0; round < rounds; round++) {
    const reference = await cost(other)
    const measured = await cost(one)
    ratios.push({ processor: measured.processor / reference.processor, clock: measured.clock / reference.clock })
  }
  const middle = name => median(ratios.map(ratio => ratio[name]))
  return { processor: middle('processor'), clock: middle('clock') }
}

async function fill (app, rows) {
  const { Tracked } = app.models
  for (let from = 0; from < rows; from += 500) {
    await Tracked.create(Array.from({ length: Math.min(500, rows - from) }, (_, i) => rowOf(from + i)))
  }
}

async function benchStore (store, url, rows, say) {
  const app = await makeApp(url)
  try {
    // First, while there are these rows alone.
    await fill(app, rows)
    const results = [
      ['pull', `pull of ${rows} rows, of their find`, await compare(() => pull(app, rows), () => find(app, rows))],
      ['create', 'create with trackChanges, of one without', await compare(() => create(app, 'Tracked'), () => create(app, 'Plain'))]
    ]
    for (const [load, title, { processor, clock }] of results) {
      const times = `${processor.toFixed(2)} × the processor time, ${clock.toFixed(2)} × the time`
      say(`${store}: ${title}: ${times} (wanted: ${limits[load]})`)
    }
    return results.every(([load, , { processor }]) => processor <= limits[load])
  } finally {
    await app.close()
  }
}

/** @returns whether all is within what is wanted */
export async function benchSync (rows, say) {
  const folder = mkdtempSync(join(tmpdir(), 'fastback-bench-sync-'))
  let isWithin
  try {
    isWithin = await benchStore('sqlite', `sqlite:${join(folder, 'notes.db')}`, rows, say)
  } finally {
    rmSync(folder, { recursive: true })
  }
  if (!await isReachable('postgres')) {
    say('postgres: no server')
    return isWithin
  }
  const scratch = await makeScratch('postgres')
  try {
    return await benchStore('postgres', scratch.url, rows, say) && isWithin
  } finally {
    await scratch.remove()
  }
}
