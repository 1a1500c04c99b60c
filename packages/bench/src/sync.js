/**
 * What synchronization costs a server beside the same without it, on SQLite and on the PostgreSQL of the tests. The
 * server is a process of its own: what its client does is not counted.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isReachable, makeScratch } from '../../../test-fixtures/scratch.mjs'
import { median } from './stats.js'
import { makeRow } from './sync-rows.js'

const serverFile = fileURLToPath(new URL('sync-server.js', import.meta.url))

const rounds = 9
const creates = 1000
const page = 1000
/** How many times as much it may be. */
const limits = { pull: 1.3, create: 1.5 }

async function startServer (url, rows) {
  const child = fork(serverFile, [url, String(rows)], { env: { ...process.env, NODE_ENV: 'production' } })
  const killOnExit = () => child.kill('SIGKILL')
  process.once('exit', killOnExit)
  child.once('exit', () => process.off('exit', killOnExit))
  const ended = once(child, 'exit')
  const broken = ended.then(([code]) => { throw new Error(`the server ended with ${code}`) })
  broken.catch(() => {})
  const next = () => Promise.race([new Promise(resolve => child.once('message', resolve)), broken])
  const port = await next()
  return {
    url: `http://127.0.0.1:${port}/api`,
    /** Milliseconds of its processor so far. */
    async processor () {
      const answer = next()
      child.send('processor')
      return await answer
    },
    async end () {
      child.send('end')
      await ended
    }
  }
}

/** One connection, and no more headers than there have to be. */
const agent = new Agent({ keepAlive: true, maxSockets: 1 })

async function ask (url, body) {
  const text = body === undefined ? '' : JSON.stringify(body)
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }
  const asked = request(url, body === undefined ? { agent } : { agent, method: 'POST', headers })
  asked.end(text)
  const [response] = await once(asked, 'response')
  const answer = Buffer.concat(await response.toArray()).toString()
  if (response.statusCode !== 200) throw new Error(answer)
  return JSON.parse(answer)
}

async function create (url) {
  for (let i = 0; i < creates; i++) await ask(url, makeRow(i))
}

async function find (url, rows) {
  for (let skip = 0; skip < rows; skip += page) {
    const filter = encodeURIComponent(JSON.stringify({ limit: page, skip, order: 'id' }))
    await ask(`${url}/Tracked?filter=${filter}`)
  }
}

async function pull (url, rows) {
  let pulled = 0
  for (let after = '', more = true; more;) {
    const answer = await ask(`${url}/Tracked/sync/pull?limit=${page}${after}`)
    pulled += answer.changes.length
    after = `&after=${encodeURIComponent(answer.cursor)}`
    more = answer.more
  }
  if (pulled !== rows) throw new Error(`${pulled} rows were pulled, not ${rows}`)
}

/** Milliseconds of the server's processor, and of the clock. */
async function cost (server, work) {
  const before = await server.processor()
  const begin = performance.now()
  await work()
  const clock = performance.now() - begin
  return { processor: await server.processor() - before, clock }
}

/** Both alternately: how many times as much the one is of the other, in the middle of the rounds. */
async function compare (server, one, other) {
  await one()
  await other()
  const ratios = []
  for (let round = 0; round < rounds; round++) {
    const reference = await cost(server, other)
    const measured = await cost(server, one)
    ratios.push({ processor: measured.processor / reference.processor, clock: measured.clock / reference.clock })
  }
  const middle = name => median(ratios.map(ratio => ratio[name]))
  return { processor: middle('processor'), clock: middle('clock') }
}

async function benchStore (store, database, rows, say) {
  const server = await startServer(database, rows)
  try {
    const { url } = server
    // First, while there are these rows alone.
    const results = [
      ['pull', `pull of ${rows} rows, of their find`, await compare(server, () => pull(url, rows), () => find(url, rows))],
      ['create', 'create with trackChanges, of one without', await compare(server, () => create(`${url}/Tracked`), () => create(`${url}/Plain`))]
    ]
    for (const [load, title, { processor, clock }] of results) {
      const times = `${processor.toFixed(2)} × the processor time, ${clock.toFixed(2)} × the time`
      say(`${store}: ${title}: ${times} (wanted: ${limits[load]})`)
    }
    return results.every(([load, , { processor }]) => processor <= limits[load])
  } finally {
    await server.end()
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
