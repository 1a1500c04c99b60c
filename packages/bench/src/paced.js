import { openConnection } from './connection.js'

/** How long responses are waited for after the last request was due, in milliseconds. */
const PATIENCE = 2000

/**
 * Sends requests at a pace of its own, whether answers come or not: one that finds no free connection waits for one.
 * What it took counts from when the request was due, so that a server which stands still is charged for all the
 * requests that would have come meanwhile.
 * @param {object} pace
 * @param {number} pace.port
 * @param {number} pace.connections
 * @param {number} pace.rate requests per second, evenly
 * @param {number} pace.seconds
 * @param {() => string} nextRequest
 * @param {(status: number) => void} onAnswer
 * @returns {Promise<{ latencies: number[], late: number[], unanswered: number, seconds: number }>} milliseconds from
 * when it was due to its response, for each request that was due: for one unanswered at the end, to the end; and how
 * late the generator itself was to see that it was due
 */
export async function runPaced ({ port, connections, rate, seconds, patience = PATIENCE }, nextRequest, onAnswer) {
  const total = Math.max(1, Math.round(rate * seconds))
  const latencies = []
  const late = []
  const waiting = []
  const busy = new Map()
  let seen = 0
  let finish
  const finished = new Promise(resolve => { finish = resolve })
  const all = Array.from({ length: connections }, (_, index) => openConnection(port, status => {
    latencies.push(performance.now() - busy.get(index))
    busy.delete(index)
    idle.push(index)
    onAnswer(status)
    if (latencies.length === total) finish()
    else send()
  }))
  const idle = [...all.keys()]

  function send () {
    while (idle.length > 0 && waiting.length > 0) {
      const index = idle.pop()
      busy.set(index, waiting.shift())
      all[index].send(nextRequest())
    }
  }

  await Promise.all(all.map(({ opened }) => opened))
  const startedAt = performance.now()
  const dueAt = number => startedAt + number * 1000 / rate

  function look () {
    const now = performance.now()
    for (; seen < total && dueAt(seen) <= now; seen++) {
      waiting.push(dueAt(seen))
      late.push(now - dueAt(seen))
    }
    send()
    if (now > startedAt + seconds * 1000 + patience) finish()
    else timer = setTimeout(look, 1)
  }

  let timer = setTimeout(look, 0)
  try {
    await Promise.race([finished, ...all.map(({ closed }) => closed)])
  } finally {
    clearTimeout(timer)
    for (const connection of all) connection.end()
  }
  const endedAt = performance.now()
  const open = [...busy.values(), ...waiting]
  return {
    latencies: [...latencies, ...open.map(due => endedAt - due)],
    late,
    unanswered: open.length,
    seconds: (endedAt - startedAt) / 1000
  }
}
