import { fork } from 'node:child_process'
import { processTree, residentMemory, startClock } from './accounting.js'
import { TRIES } from './compare.js'
import { LOADS } from './loads.js'
import { inBench } from './paths.js'
import { seedOf } from './random.js'
import { freePort, startServer, stopServer } from './server-process.js'
import { loadServer } from './servers/index.js'
import { defaultDriver, loadedDrivers, proveDriver } from './sqlite.js'
import { makePlace } from './stores/index.js'
import { sumOf } from './summary.js'

/** The load generator, asked one block at a time. */
export function startGenerator () {
  const child = fork(inBench('src/generator.js'))
  return {
    run: block => new Promise((resolve, reject) => {
      child.once('message', answer => answer.error ? reject(new Error(answer.error)) : resolve(answer.result))
      child.send(block)
    }),
    stop: () => child.disconnect()
  }
}

/**
 * Brings one server up on data of its own: started `starts` times for the time to the first response, the last one
 * stays.
 * @throws when the server cannot be had here; the message says why
 */
export async function bringUp (name, options) {
  const server = await loadServer(options.suite, name)
  const reason = server.stores.includes(options.store) ? server.missing(options) : `cannot keep its data in ${options.store}`
  if (reason) throw new Error(reason)

  const place = await makePlace(server, options.place ?? name, options)
  const driver = driverOf(server, options)
  const { store, node, workers, env } = options
  const launch = { port: 0, store, node, driver, workers, env, file: place?.file, url: place?.url }
  const startMs = []
  let running
  try {
    for (let start = 0; start < options.starts; start++) {
      if (running) await stopServer(running)
      launch.port = await freePort()
      running = await startServer(server, launch)
      startMs.push(running.startMs)
    }
    const { pid } = running.child
    if (server.drivers && options.driver !== undefined) proveDriver(pid, options.driver)
    const asked = { ...launch, needsToken: needsToken(options.loads), supply: TRIES }
    const context = await server.session?.(running.url, asked) ?? {}
    await place?.settle?.()
    return { ...running, name, server, launch, place, context, startMs, drivers: loadedDrivers(pid), answered: 0 }
  } catch (error) {
    await takeDown({ ...running, place })
    throw error
  }
}

/** The driver that a server has to be told of; undefined where it is the one it takes by itself, or knows no other. */
function driverOf (server, { driver, nodeVersion }) {
  return server.drivers && driver !== defaultDriver(nodeVersion) ? driver : undefined
}

/** Stops a server and takes its data away. */
export async function takeDown (running) {
  if (running.child) await stopServer(running)
  await running.place?.remove()
}

/** Another process in the place of this one, on the same data. */
async function renew (running) {
  await stopServer(running)
  running.launch.port = await freePort()
  const { startMs, ...started } = await startServer(running.server, running.launch)
  running.startMs.push(startMs)
  Object.assign(running, started, { answered: 0 })
}

const needsToken = ids => LOADS.some(load => load.needsToken === true && ids.includes(load.id))

/** What a second uses up at most, and a measurement: the rest of a longer one is left out. */
const SUPPLY = { perSecond: 2000, most: 2000 }

/** How many requests of one measurement find something to use up. */
function supplyOf ({ requests, rate, seconds }) {
  if (requests !== undefined) return requests
  if (rate !== undefined) return Math.max(1, Math.round(rate * seconds))
  return Math.min(SUPPLY.most, Math.ceil(seconds * SUPPLY.perSecond))
}

/**
 * One measurement: the processor time of the server, and that of its database server, while the generator runs one load
 * against it.
 * @param {object} block what the generator is told besides: `{ seed, connections, seconds }`, `requests` or `rate`
 */
export async function measure (generator, running, load, block) {
  if (load.newToken || load.usesUp) {
    const supply = load.usesUp ? supplyOf(block) : 0
    running.context = await running.server.session(running.url, { ...running.launch, supply })
  }
  const { child, place } = running
  const processes = async () => await place?.processes() ?? []
  // Workers, and connections of pools, come and go.
  const own = startClock(processTree(child.pid))
  const database = startClock(await processes())
  const result = await generator.run({
    suite: load.suite, server: running.name, load: load.id, port: running.port, context: running.context, ...block
  })
  const answered = result.requests - result.unanswered
  const now = processTree(child.pid)
  const microseconds = own(now) / answered
  const ofDatabase = await processes()
  const databaseMicroseconds = ofDatabase.length === 0 ? NaN : database(ofDatabase) / answered
  running.answered += answered
  const memory = residentMemory(now)
  if (load.writes) await running.place?.trim()
  return {
    microseconds,
    databaseMicroseconds,
    memory,
    answered: running.answered,
    requestsPerSecond: answered / result.seconds,
    ...result
  }
}

/** The servers of a round that answer a load: another one goes first in each round. */
function turnOf (servers, round, load) {
  const first = round % servers.length
  return [...servers.slice(first), ...servers.slice(0, first)].filter(({ skipped }) => !skipped.has(load.id))
}

const chosen = options => LOADS.filter(load => options.loads.includes(load.id))

/** What of a number of requests one turn has; undefined where the time ends it. */
const shareOf = (requests, turn, turns) =>
  requests === undefined
    ? undefined
    : Math.floor(requests * (turn + 1) / turns) - Math.floor(requests * turn / turns)

/**
 * Warms up, then measures every load in every round on every server. Within a round the servers take turns, several
 * each, and another one goes first each time: a machine that is slower for a second is so for all of them.
 * @param {object} options of which `connections` is one number
 * @returns {Promise<Array<{ round: number, load: string, server: string, microseconds: number }>>}
 */
export async function runRounds (servers, options, progress) {
  const { seed, connections, requests, rounds, turns, warmup, fresh } = options
  const seconds = options.seconds / turns
  const generator = startGenerator()
  const samples = []
  const warmUp = async () => {
    for (const load of chosen(options)) {
      for (const running of turnOf(servers, 0, load)) {
        progress(`warm-up ${load.id} ${running.name}`)
        const block = { seed: seedOf(seed, 'warm-up', load.id), connections, seconds: warmup }
        await measure(generator, running, load, block)
      }
    }
  }
  try {
    await warmUp()
    for (let round = 0; round < rounds; round++) {
      if (fresh && round > 0) {
        for (const running of servers) await renew(running)
        await warmUp()
      }
      for (const load of chosen(options)) {
        progress(`round ${round + 1}/${rounds} ${load.id}`)
        const parts = new Map()
        for (let turn = 0; turn < turns; turn++) {
          for (const running of turnOf(servers, round + turn, load)) {
            const block = {
              seed: seedOf(seed, round, turn, load.id), connections, seconds, requests: shareOf(requests, turn, turns)
            }
            const part = await measure(generator, running, load, block)
            parts.set(running.name, [...parts.get(running.name) ?? [], part])
          }
        }
        for (const [server, measured] of parts) samples.push({ round, load: load.id, server, ...sumOf(measured) })
      }
    }
  } finally {
    generator.stop()
  }
  for (const running of servers) running.memory = residentMemory(processTree(running.child.pid))
  return samples
}

/**
 * The same rounds with requests that come at a pace: a share of what the reference did in its rounds, on every server
 * the same.
 * @param {Map<string, number>} rates requests per second by load
 */
export async function runPacedRounds (servers, options, rates, progress) {
  const { seed, connections, seconds, rounds } = options
  const generator = startGenerator()
  const samples = []
  try {
    for (let round = 0; round < rounds; round++) {
      for (const load of chosen(options).filter(({ id }) => rates.has(id))) {
        for (const running of turnOf(servers, round, load)) {
          progress(`paced round ${round + 1}/${rounds} ${load.id} ${running.name}`)
          const rate = rates.get(load.id)
          const block = { seed: seedOf(seed, 'paced', round, load.id), connections, seconds, rate }
          const sample = await measure(generator, running, load, block)
          samples.push({ round, load: load.id, server: running.name, ...sample })
        }
      }
    }
  } finally {
    generator.stop()
  }
  return samples
}
