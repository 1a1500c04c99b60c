import { fork } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { processorTime, residentMemory } from './accounting.js'
import { LOADS } from './loads.js'
import { DATA_FOLDER, inBench } from './paths.js'
import { seedOf } from './random.js'
import { seedFile, trimFile } from './seed.js'
import { freePort, startServer, stopServer } from './server-process.js'
import { loadServer } from './servers/index.js'

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
 * Brings one server up on data of its own: started `starts` times for the time to the first answer, the last one stays.
 * @throws when the server cannot be had here; the message says why
 */
export async function bringUp (name, options) {
  const server = await loadServer(options.suite, name)
  const reason = server.stores.includes(options.store) ? server.missing() : `cannot keep its data in ${options.store}`
  if (reason) throw new Error(reason)

  const launch = { port: 0, store: options.store, file: join(DATA_FOLDER, `${name}.sqlite`) }
  if (usesFile(server, launch)) {
    mkdirSync(DATA_FOLDER, { recursive: true })
    seedFile(launch.file, server.layout)
    server.prepareFile?.(launch.file)
  }
  const startMs = []
  let running
  for (let start = 0; start < options.starts; start++) {
    if (running) await stopServer(running)
    launch.port = await freePort()
    running = await startServer(server, launch)
    startMs.push(running.startMs)
  }
  try {
    const { token } = await server.session?.(running.url, { ...launch, needsToken: needsToken(options.loads) }) ?? {}
    return { ...running, name, server, launch, token, startMs }
  } catch (error) {
    await stopServer(running)
    throw error
  }
}

const needsToken = ids => LOADS.some(load => load.needsToken === true && ids.includes(load.id))

/** One measurement: the processor time of the server while the generator runs one load against it. */
export async function measure (generator, running, load, options, seed, seconds = options.seconds) {
  if (load.newToken) running.token = (await running.server.session(running.url, running.launch)).token
  const before = processorTime(running.pids)
  const result = await generator.run({
    suite: load.suite,
    server: running.name,
    load: load.id,
    port: running.port,
    token: running.token,
    connections: options.connections,
    requests: options.requests,
    seconds,
    seed
  })
  const microseconds = (processorTime(running.pids) - before) / result.requests
  if (load.writes) trim(running)
  return { microseconds, requestsPerSecond: result.requests / result.seconds, ...result }
}

/** Takes away what a load added, where the data is in a file; what is in memory grows. */
export function trim ({ server, launch }) {
  if (usesFile(server, launch)) trimFile(launch.file)
}

function usesFile (server, { store }) {
  return store === 'sqlite' || Boolean(server.alwaysFile)
}

/**
 * Warms up, then measures every load in every round on every server, the servers taking turns at going first.
 * @returns {Promise<Array<{ round: number, load: string, server: string, microseconds: number }>>}
 */
export async function runRounds (servers, options, progress) {
  const generator = startGenerator()
  const loads = LOADS.filter(load => options.loads.includes(load.id))
  const samples = []
  try {
    for (const load of loads) {
      for (const running of servers.filter(({ skipped }) => !skipped.has(load.id))) {
        progress(`warm-up ${load.id} ${running.name}`)
        await measure(generator, running, load, options, seedOf(options.seed, 'warm-up', load.id), options.warmup)
      }
    }
    for (let round = 0; round < options.rounds; round++) {
      const first = round % servers.length
      const turn = [...servers.slice(first), ...servers.slice(0, first)]
      for (const load of loads) {
        for (const running of turn.filter(({ skipped }) => !skipped.has(load.id))) {
          progress(`round ${round + 1}/${options.rounds} ${load.id} ${running.name}`)
          const seed = seedOf(options.seed, round, load.id)
          samples.push({
            round,
            load: load.id,
            server: running.name,
            ...(await measure(generator, running, load, options, seed))
          })
        }
      }
    }
  } finally {
    generator.stop()
  }
  for (const running of servers) running.memory = residentMemory(running.pids)
  return samples
}
