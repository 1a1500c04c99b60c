// `npm run bench -- --scale`: what a request costs as an application grows, one thing at a time.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { residentMemory, startClock } from '../accounting.js'
import { encodeRequest, runConnection } from '../connection.js'
import { DATA_FOLDER, inBench } from '../paths.js'
import { seeded } from '../random.js'
import { median } from '../stats.js'
import { plot } from './plot.js'
import { openRows } from './rows.js'

/** What a server has while something else grows. */
const USUAL = { rows: 10_000, models: 1, rules: 0, connections: 10 }

const list = filter => ({ method: 'GET', path: `/api/Rows?filter=${encodeURIComponent(JSON.stringify(filter))}` })

const LOADS = {
  'by id': ({ id }) => ({ method: 'GET', path: `/api/Rows/${id}` }),
  'indexed list of 20': ({ id }) => list({ where: { group: Math.floor(id / 20) }, limit: 20 }),
  'first page of 20': () => list({ order: 'id', limit: 20 }),
  insert: ({ id }) => ({ method: 'POST', path: '/api/Rows', body: { group: id, price: id / 100, name: `row ${id}` } })
}

/** What grows, by how much, and what is asked then. */
const AXES = {
  rows: { steps: [1e4, 1e5, 1e6, 1e7], loads: Object.keys(LOADS) },
  models: { steps: [1, 10, 100, 1000], loads: ['by id'] },
  rules: { steps: [2, 10, 100, 1000, 10_000], loads: ['by id'] },
  connections: { steps: [1, 10, 32, 100, 1000], loads: ['by id'] }
}

export const SCALE_AXES = Object.keys(AXES)

/** Requests of one measurement. */
const REQUESTS = 5000

/**
 * All steps of an axis are there at once, each a server of its own, and take turns in each round: what the machine does
 * meanwhile, and how warm it is, is the same for all of them.
 * @param {object} options
 * @param {string[]} options.scale what grows
 * @param {string} [options.url] of a PostgreSQL server; undefined: SQLite
 * @param {string} [options.node] the Node that runs the servers
 * @param {number} options.rounds
 * @param {number} options.most rows at most
 * @param {string} [options.svg] a folder for the plots
 * @returns what it found: `[{ axis, step, load, microseconds, database, times, memory }]`
 */
export async function benchScale ({ scale, url, node, nodeVersion, rounds, most, svg }, say) {
  const found = []
  mkdirSync(DATA_FOLDER, { recursive: true })
  const store = await openRows(url)
  try {
    for (const axis of scale) {
      say(`\n# ${axis}: µs of processor time per request, ${store.title}, Node ${nodeVersion}, ${rounds} rounds of ${REQUESTS} requests\n`)
      const steps = AXES[axis].steps.filter(each => axis !== 'rows' || each <= most)
      const { loads } = AXES[axis]
      const samples = await measureAxis(store, axis, steps, loads, { rounds, node })
      const own = summariseSteps(samples, steps, loads).map(each => ({ axis, ...each }))
      for (const step of steps) say(lineOf(step, own.filter(each => each.step === step)))
      found.push(...own)
      if (svg !== undefined) {
        const file = path.join(svg, `cost-by-${axis}.svg`)
        writeFileSync(file, plot(axis, own))
        say(`\nplot: ${file}`)
      }
    }
  } finally {
    await store.close()
    rmSync(DATA_FOLDER, { recursive: true, force: true })
  }
  return found
}

function lineOf (step, cells) {
  const texts = cells.map(({ load, microseconds, database, times }) => {
    const beside = Number.isFinite(database) ? ` + ${database.toFixed(1)} of the database` : ''
    return `${load} ${microseconds.toFixed(1)}${beside} (${times.toFixed(2)} ×)`
  })
  return `${String(step).padStart(9)}  ${texts.join(', ')}, ${cells[0].memory.toFixed(0)} MB`
}

/**
 * Medians of the rounds; `times` is the median of what a step took over what the fewest took in the same round.
 * @param {Array<{ round: number, step: number, load: string, microseconds: number, database: number }>} samples
 */
export function summariseSteps (samples, steps, loads) {
  const base = new Map(samples
    .filter(({ step }) => step === steps[0])
    .map(({ load, round, microseconds }) => [`${load} ${round}`, microseconds]))
  return steps.flatMap(step => loads.map(load => {
    const own = samples.filter(sample => sample.step === step && sample.load === load)
    return {
      step,
      load,
      microseconds: median(own.map(({ microseconds }) => microseconds)),
      database: median(own.map(({ database }) => database)),
      times: median(own.map(({ round, microseconds }) => microseconds / base.get(`${load} ${round}`))),
      memory: own.at(-1).memory
    }
  }))
}

async function measureAxis (store, axis, steps, loads, { rounds, node }) {
  const servers = []
  const samples = []
  try {
    for (const step of steps) {
      const setting = { ...USUAL, [axis]: step }
      const place = await store.fill(setting.rows)
      servers.push({ step, ...await startServer(place, setting, node) })
    }
    for (let round = -1; round < rounds; round++) {
      for (const load of loads) {
        for (let turn = 0; turn < servers.length; turn++) {
          const server = servers[(turn + Math.max(0, round)) % servers.length]
          const sample = await measure(store, server, load, round)
          if (round >= 0) samples.push({ round, step: server.step, load, ...sample })
        }
      }
    }
  } finally {
    await Promise.all(servers.map(stop))
  }
  return samples
}

async function startServer ({ url, table }, { rows, models, rules, connections }, node) {
  const child = fork(inBench('src/scale/server.js'), [JSON.stringify({ url, table, models, rules })], {
    env: { ...process.env, NODE_ENV: 'production' }, execPath: node ?? process.execPath
  })
  const [{ port, token }] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => { throw new Error('the server did not start') })
  ])
  const headers = token === undefined ? {} : { authorization: token }
  return { child, port, headers, rows, connections, random: seeded(rows + models + rules + connections) }
}

async function measure (store, { child, port, headers, rows, connections, random }, load) {
  let left = REQUESTS
  let failed
  const next = () => {
    return left-- > 0 ? encodeRequest({ headers, ...LOADS[load]({ id: random.integer(1, rows) }) }) : undefined
  }
  const onAnswer = status => { if (status !== 200) failed = status }
  const own = startClock([child.pid])
  const database = startClock(await store.processes())
  await Promise.all(Array.from({ length: connections }, () => runConnection(port, next, onAnswer)))
  const microseconds = own() / REQUESTS
  const processes = await store.processes()
  if (failed !== undefined) throw new Error(`${load}: answered with ${failed}`)
  return {
    microseconds,
    database: processes.length === 0 ? NaN : database(processes) / REQUESTS,
    memory: residentMemory([child.pid])
  }
}

async function stop ({ child }) {
  if (child.exitCode !== null) return
  child.kill()
  await once(child, 'exit')
}
