// `npm run bench -- --workers 1,2,4`: what more processes bring.
import { availableParallelism } from 'node:os'
import { processTree } from './accounting.js'
import { LOADS } from './loads.js'
import { seedOf } from './random.js'
import { table } from './report.js'
import { bringUp, measure, startGenerator, takeDown } from './runner.js'
import { median } from './stats.js'
import { STORES } from './stores/index.js'

const pause = milliseconds => new Promise(resolve => setTimeout(resolve, milliseconds))

/** How long all workers may take to be there. */
const PATIENCE = 30_000

/**
 * Measures `fastback serve --workers N` for each number, one round after the other so that each has the same minutes of
 * the machine, and says what share of the processors the generator and the database took of it.
 * @param {object} options
 * @param {number[]} options.workers
 * @returns {Promise<object[]>} a row for each load and number of workers
 */
export async function benchWorkers (options, say, progress) {
  const { workers, rounds, seconds, requests, warmup, seed, connections: [connections] } = options
  const loads = LOADS.filter(load => load.suite === 'rest' && options.loads.includes(load.id))
  if (loads.length === 0) throw new Error('--workers measures the w loads')
  say(`# Processes: Node ${options.nodeVersion}, ${STORES[options.store]}, ${availableParallelism()} processors, ` +
    `${rounds} rounds of ${requests ? `${requests} requests` : `${seconds} s`}, ${connections} connections\n`)
  const servers = []
  const generator = startGenerator()
  const samples = []
  try {
    for (const count of workers) {
      progress(`starting ${count}`)
      const running = await bringUp('fastback', {
        ...options, suite: 'rest', starts: 1, loads: loads.map(({ id }) => id), workers: count, place: `workers-${count}`
      })
      servers.push({ count, running })
      // One worker is the process itself.
      if (count > 1) await allThere(running, count)
    }
    for (let round = -1; round < rounds; round++) {
      for (const load of loads) {
        for (let turn = 0; turn < servers.length; turn++) {
          const { count, running } = servers[(turn + Math.max(0, round)) % servers.length]
          progress(`round ${round + 1}/${rounds} ${load.id} ${count} workers`)
          const length = round === -1 ? { seconds: warmup * count } : { seconds, requests }
          const block = { seed: seedOf(seed, round, load.id), connections, ...length }
          const sample = await measure(generator, running, load, block)
          if (round >= 0) samples.push({ round, load: load.id, count, ...sample })
        }
      }
    }
  } finally {
    generator.stop()
    progress('')
    await Promise.all(servers.map(({ running }) => takeDown(running)))
  }
  const found = loads.flatMap(load => summariseWorkers(samples.filter(sample => sample.load === load.id), workers))
  for (const load of loads) say(reportWorkers(load, found.filter(each => each.load === load.id)))
  say(EXPLANATION)
  return found
}

/** The first process starts the others: each of them is a process of its own below it. */
async function allThere ({ child }, count) {
  const until = performance.now() + PATIENCE
  while (processTree(child.pid).length < count + 1) {
    if (performance.now() > until) throw new Error(`${count} workers were not there after ${PATIENCE / 1000} s`)
    await pause(50)
  }
  // A process is there before it listens.
  await pause(2000)
}

/**
 * Medians by number of workers, ratios within the round against the fewest.
 * @param {Array<{ round: number, load: string, count: number }>} samples of one load
 * @param {number[]} workers
 */
export function summariseWorkers (samples, workers, processors = availableParallelism()) {
  const [fewest] = workers
  const of = (count, round) => samples.find(sample => sample.count === count && sample.round === round)
  return workers.map(count => {
    const own = samples.filter(sample => sample.count === count)
    const mid = read => median(own.map(read))
    return {
      load: own[0].load,
      workers: count,
      requestsPerSecond: mid(sample => sample.requestsPerSecond),
      throughput: mid(sample => sample.requestsPerSecond / of(fewest, sample.round).requestsPerSecond),
      microseconds: mid(sample => sample.microseconds),
      database: mid(sample => sample.databaseMicroseconds),
      generator: mid(sample => sample.generator),
      used: mid(shareOfServer),
      // What the processors would carry if they did nothing but serve: no more processes are busy than there are.
      alone: mid(sample => {
        const capacity = Math.min(count, processors) / sample.microseconds
        return capacity / (1 / of(fewest, sample.round).microseconds) / Math.min(fewest, processors)
      })
    }
  })
}

const shareOfServer = ({ microseconds, requestsPerSecond }) => microseconds * requestsPerSecond / 1e6

function reportWorkers (load, rows) {
  const shown = (value, digits) => Number.isFinite(value) ? value.toFixed(digits) : '–'
  return table(`${load.id} ${load.title}`, [
    ['workers', 'requests/s', '× the fewest', 'µs each', 'database µs', 'processors: server', 'generator', 'alone, ×'],
    ...rows.map(row => [
      String(row.workers), shown(row.requestsPerSecond, 0), shown(row.throughput, 2), shown(row.microseconds, 0),
      shown(row.database, 0), shown(row.used, 2), shown(row.generator, 2), shown(row.alone, 2)
    ])
  ])
}

const EXPLANATION = `"× the fewest" is measured, within the round, and holds what the generator and the database take of the same
processors. "alone" is computed from the processor time of a request: what the processors would carry if they did nothing but
serve, without what waits for a lock or for the memory's bus.
`
