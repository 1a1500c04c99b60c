import { encodeRequest, runConnection } from './connection.js'
import { LOADS } from './loads.js'
import { runPaced } from './paced.js'
import { seeded } from './random.js'
import { isGood, loadServer } from './servers/index.js'
import { quantile } from './stats.js'

// The load generator: a process of its own, so that its work is never on the server's account.

/**
 * @typedef {object} Block
 * @property {string} suite
 * @property {string} server
 * @property {string} load
 * @property {number} port
 * @property {import('./servers/index.js').Context} context
 * @property {number} seed
 * @property {number} connections
 * @property {number} [seconds]
 * @property {number} [requests]
 * @property {number} [rate] requests per second, whether answers come or not; undefined: each connection asks when it
 * has its response
 */

/** @param {Block} block */
async function runBlock (block) {
  const server = await loadServer(block.suite, block.server)
  const load = LOADS.find(({ id }) => id === block.load)
  const random = seeded(block.seed)
  const failures = {}
  const usedBefore = process.cpuUsage()

  const isUsedUp = () => load.usesUp === true && block.context.supply.length === 0
  const makeRequest = () => encodeRequest(server.request(load.id, load.params(random), block.context))

  function count (status) {
    if (!isGood(server, load.id, status)) failures[status] = (failures[status] ?? 0) + 1
  }

  const { latencies, late, unanswered, seconds } = block.rate === undefined
    ? await runClosed(block, () => isUsedUp() ? undefined : makeRequest(), count)
    : await runPaced(block, makeRequest, count)
  latencies.sort((a, b) => a - b)
  late.sort((a, b) => a - b)
  const used = process.cpuUsage(usedBefore)
  return {
    requests: latencies.length,
    unanswered,
    failures,
    seconds,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
    lateP99: quantile(late, 0.99),
    /** The share of a processor that the generator itself took. */
    generator: (used.user + used.system) / (seconds * 1e6)
  }
}

/** Each connection asks for the next when it has its response. */
async function runClosed (block, makeRequest, onAnswer) {
  const latencies = []
  const startedAt = performance.now()
  const endsAt = block.requests ? Infinity : startedAt + block.seconds * 1000
  let left = block.requests ?? Infinity
  const next = () => left-- <= 0 || performance.now() >= endsAt ? undefined : makeRequest()
  const onEach = (status, milliseconds) => {
    latencies.push(milliseconds)
    onAnswer(status)
  }
  await Promise.all(Array.from({ length: block.connections }, () => runConnection(block.port, next, onEach)))
  return { latencies, late: [], unanswered: 0, seconds: (performance.now() - startedAt) / 1000 }
}

process.on('message', block => {
  runBlock(block).then(
    result => process.send({ result }),
    error => process.send({ error: error.message })
  )
})
