import { encodeRequest, runConnection } from './connection.js'
import { LOADS } from './loads.js'
import { seeded } from './random.js'
import { loadServer } from './servers/index.js'
import { quantile } from './stats.js'

// The load generator: a process of its own, so that its work is never on the server's account.

/**
 * @typedef {object} Block
 * @property {string} suite
 * @property {string} server
 * @property {string} load
 * @property {number} port
 * @property {string} [token]
 * @property {number} seed
 * @property {number} connections
 * @property {number} [seconds]
 * @property {number} [requests]
 */

/** @param {Block} block */
async function runBlock (block) {
  const server = await loadServer(block.suite, block.server)
  const load = LOADS.find(({ id }) => id === block.load)
  const random = seeded(block.seed)
  const latencies = []
  const failures = {}
  const startedAt = performance.now()
  const endsAt = block.requests ? Infinity : startedAt + block.seconds * 1000
  let left = block.requests ?? Infinity

  function next () {
    if (left-- <= 0 || performance.now() >= endsAt) return undefined
    return encodeRequest(server.request(load.id, load.params(random), { token: block.token }))
  }

  function onAnswer (status, milliseconds) {
    latencies.push(milliseconds)
    if (status < 200 || status > 299) failures[status] = (failures[status] ?? 0) + 1
  }

  await Promise.all(Array.from({ length: block.connections }, () => runConnection(block.port, next, onAnswer)))
  const seconds = (performance.now() - startedAt) / 1000
  latencies.sort((a, b) => a - b)
  return {
    requests: latencies.length,
    failures,
    seconds,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99)
  }
}

process.on('message', block => {
  runBlock(block).then(
    result => process.send({ result }),
    error => process.send({ error: error.message })
  )
})
