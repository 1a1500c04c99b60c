// `npm run bench -- --scale`: what a request costs as an application grows, one thing at a time.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { processTree, processorTime, residentMemory } from '../accounting.js'
import { encodeRequest, runConnection } from '../connection.js'
import { DATA_FOLDER, inBench } from '../paths.js'
import { seeded } from '../random.js'
import { median } from '../stats.js'
import { backendsOf } from './backends.js'
import { plot } from './plot.js'
import { clear, fill } from './rows.js'

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

/** Requests of one measurement: the accounting of the system has steps of 10 ms. */
const requests = 10_000

/**
 * @param {object} options
 * @param {string[]} options.scale what grows
 * @param {'sqlite' | 'postgres'} options.store
 * @param {string} [options.url] of the PostgreSQL database
 * @param {number} options.rounds
 * @param {number} options.most rows at most
 * @param {string} [options.svg] a folder for the plots
 * @returns what it found: `[{ axis, step, load, microseconds, memory }]`
 */
export async function benchScale ({ scale, store: kind, url, rounds, most, svg }, say) {
  const found = []
  mkdirSync(DATA_FOLDER, { recursive: true })
  const store = { kind, url: kind === 'postgres' ? url : `sqlite:${path.join(DATA_FOLDER, 'scale.sqlite')}` }
  try {
    for (const axis of scale) {
      say(`\n# ${axis}: µs of processor time per request (×: against the fewest), ${kind}, Node ${process.versions.node}\n`)
      const first = new Map()
      let filled
      for (const step of AXES[axis].steps.filter(each => axis !== 'rows' || each <= most)) {
        const setting = { ...USUAL, [axis]: step }
        if (filled !== setting.rows) fill(store, filled = setting.rows)
        const result = await measureStep(store, setting, AXES[axis].loads, rounds)
        const cells = result.loads.map(({ load, microseconds }) => {
          if (!first.has(load)) first.set(load, microseconds)
          found.push({ axis, step, load, microseconds, memory: result.memory })
          return `${load} ${microseconds.toFixed(1)} (${(microseconds / first.get(load)).toFixed(2)} ×)`
        })
        say(`${String(step).padStart(9)}  ${cells.join(', ')}, ${result.memory.toFixed(0)} MB`)
      }
      if (svg !== undefined) {
        const file = path.join(svg, `cost-by-${axis}.svg`)
        writeFileSync(file, plot(axis, found.filter(each => each.axis === axis)))
        say(`\nplot: ${file}`)
      }
    }
  } finally {
    clear(store)
  }
  return found
}

async function measureStep (store, { rows, models, rules, connections }, loads, rounds) {
  const child = fork(inBench('src/scale/server.js'), [JSON.stringify({ url: store.url, models, rules })], {
    env: { ...process.env, NODE_ENV: 'production' }
  })
  try {
    const [{ port, token }] = await Promise.race([
      once(child, 'message'),
      once(child, 'exit').then(() => { throw new Error('the server did not start') })
    ])
    const headers = token === undefined ? {} : { authorization: token }
    const pidsNow = () => [...processTree(child.pid), ...(store.kind === 'postgres' ? backendsOf(store.url) : [])]
    const random = seeded(rows + models + rules + connections)
    const run = async (load, count) => {
      let left = count
      let failed
      const next = () => {
        return left-- > 0 ? encodeRequest({ headers, ...LOADS[load]({ id: random.integer(1, rows) }) }) : undefined
      }
      const onAnswer = status => { if (status !== 200) failed = status }
      await Promise.all(Array.from({ length: connections }, () => runConnection(port, next, onAnswer)))
      if (failed !== undefined) throw new Error(`${load}: answered with ${failed}`)
    }
    const samples = new Map(loads.map(load => [load, []]))
    for (const load of loads) await run(load, requests)
    for (let round = 0; round < rounds; round++) {
      for (const load of loads) {
        const pids = pidsNow()
        const before = processorTime(pids)
        await run(load, requests)
        samples.get(load).push((processorTime(pids) - before) / requests)
      }
    }
    return {
      loads: loads.map(load => ({ load, microseconds: median(samples.get(load)) })),
      memory: residentMemory([child.pid])
    }
  } finally {
    if (child.exitCode === null) {
      child.kill()
      await once(child, 'exit')
    }
  }
}
