import { fork } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { residentMemory } from '../accounting.js'
import { DATA_FOLDER, inBench } from '../paths.js'
import { bringUp } from '../runner.js'
import { freePort, stopServer } from '../server-process.js'

const PROBES_PER_SECOND = 200
const QUIET_SECONDS = 5
/** How much slower than when nothing else happens the 99th percentile of other requests may be. */
export const P99_FACTOR = 5
/**
 * Percentiles below this are the machine's own noise: nobody is asked to be within a multiple of a fraction of a
 * millisecond.
 */
const QUIET_FLOOR = 2

/**
 * The server that a load is put on, and the requests of others beside it.
 * @typedef {object} Target
 * @property {number} port
 * @property {string} url
 * @property {() => number} memory resident memory in MB
 * @property {() => Promise<number>} heap what lives in its heap in MB after a collection, if the scenario looks at it
 * @property {(lowestOf?: number) => Promise<number>} settledMemory the lowest of some looks, half a second apart
 * @property {(work: () => Promise<any>, factor?: number) => Promise<Others>} beside
 *   what other requests took while `work` went on, and whether that is within the factor (`P99_FACTOR`)
 *
 * @typedef {object} Others milliseconds, but for `count` and `failures`
 * @property {number} p50
 * @property {number} p99
 * @property {number} max
 * @property {number} count
 * @property {number} failures
 * @property {boolean} held
 * @property {number} allowed
 */

/** Runs `work` with a server of its own, warmed up and measured while quiet. */
export async function withTarget ({ store, looksAtHeap = false }, work) {
  const heapPort = looksAtHeap ? await freePort() : undefined
  const env = heapPort === undefined ? undefined : heapEnvironment(heapPort)
  const running = await bringUp('fastback', { suite: 'rest', store, starts: 1, loads: [], env })
  const prober = fork(inBench('src/load/prober.js'))
  const ask = message => new Promise(resolve => { prober.once('message', resolve); prober.send(message) })
  try {
    prober.send({ start: { port: running.port, perSecond: PROBES_PER_SECOND } })
    await pause(3000)
    prober.send({})
    await pause(QUIET_SECONDS * 1000)
    const quiet = await ask({ report: true })

    async function settledMemory (lowestOf = 6) {
      const looks = []
      for (let look = 0; look < lowestOf; look++) {
        await pause(500)
        looks.push(residentMemory(running.pids))
      }
      return Math.min(...looks)
    }

    async function beside (load, factor = P99_FACTOR) {
      const allowed = factor * Math.max(quiet.p99, QUIET_FLOOR)
      prober.send({})
      await load()
      const others = await ask({ report: true })
      return { ...others, allowed, held: others.failures === 0 && others.p99 <= allowed }
    }

    return await work({
      port: running.port,
      url: running.url,
      quiet,
      memory: () => residentMemory(running.pids),
      heap: () => livingHeap(heapPort),
      settledMemory,
      beside
    })
  } finally {
    prober.disconnect()
    await stopServer(running)
    rmSync(DATA_FOLDER, { recursive: true, force: true })
  }
}

const heapEnvironment = port => ({
  BENCH_HEAP_PORT: String(port),
  NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --require ${JSON.stringify(inBench('src/load/heap.cjs'))}`
})

async function livingHeap (port) {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1')
  let text = ''
  socket.on('data', chunk => { text += chunk })
  await once(socket, 'close')
  return Number(text) / 2 ** 20
}
