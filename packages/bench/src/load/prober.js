import { Agent, get } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { quantile } from '../stats.js'

// "Other requests": reads by id at an even pace, from a process of its own so that making the load does not slow its
// clock down.
// A request is due at its time whatever became of the one before it, and its wait counts from then.

const PRODUCTS = 10_000
const GIVE_UP = 30_000
const agent = new Agent({ keepAlive: true, maxSockets: 8 })

let latencies = []
let failures = 0

function ask (port, id) {
  const due = performance.now()
  const failed = () => { failures++; latencies.push(performance.now() - due) }
  const request = get({ port, host: '127.0.0.1', path: `/api/Products/${id}`, agent, timeout: GIVE_UP }, response => {
    response.resume().on('end', () => {
      if (response.statusCode === 200) latencies.push(performance.now() - due)
      else failed()
    })
  })
  request.on('timeout', () => request.destroy(new Error('no response'))).on('error', failed)
}

async function probe ({ port, perSecond }) {
  const began = performance.now()
  for (let i = 0; ; i++) {
    await pause(Math.max(0, began + i * 1000 / perSecond - performance.now()))
    ask(port, 1 + (i * 7919) % PRODUCTS)
  }
}

process.on('message', message => {
  if (message.start) probe(message.start)
  if (message.report) {
    const sorted = latencies.sort((a, b) => a - b)
    process.send({
      count: sorted.length,
      failures,
      p50: quantile(sorted, 0.5),
      p99: quantile(sorted, 0.99),
      max: sorted.at(-1) ?? 0
    })
  }
  latencies = []
  failures = 0
})
process.on('disconnect', () => process.exit(0))
