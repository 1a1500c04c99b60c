import { connect } from 'node:net'
import { processorTime, residentMemory } from './accounting.js'
import { freePort, startServer, stopServer } from './server-process.js'
import { loadServer } from './servers/index.js'

/** What a thousand idle streams may cost, in MB of resident memory. */
const LIMIT = 20
const PATH = '/api/Categories/change-stream'
const CHANGES = 20

const pause = milliseconds => new Promise(resolve => setTimeout(resolve, milliseconds))

/** One listening client; `count()` tells how many changes it has got. */
function openStream (port) {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let changes = 0
    socket.setEncoding('latin1').once('error', reject)
    socket.write(`GET ${PATH} HTTP/1.1\r\nHost: bench\r\nAccept: text/event-stream\r\n\r\n`)
    socket.on('data', text => {
      if (changes === 0 && text.includes(':ok')) resolve({ close: () => socket.destroy(), count: () => changes })
      changes += text.split('event: data').length - 1
    })
  })
}

/** Some at a time: the server's queue of new connections is not what is measured. */
async function openStreams (port, count) {
  const streams = []
  while (streams.length < count) {
    streams.push(
      ...(await Promise.all(Array.from({ length: Math.min(50, count - streams.length) }, () => openStream(port))))
    )
  }
  return streams
}

async function change (url) {
  const response = await fetch(`${url}/api/Categories`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"name":"stream"}'
  })
  if (response.status !== 200) {
    throw new Error(`a change was answered with ${response.status}: ${await response.text()}`)
  }
}

/** Resident memory once it has stopped falling: the lowest of some looks. */
async function settledMemory (pids) {
  const looks = []
  for (let look = 0; look < 6; look++) {
    await pause(500)
    looks.push(residentMemory(pids))
  }
  return Math.min(...looks)
}

/**
 * What open change streams cost: memory while nothing happens, processor time per change and stream when something
 * does.
 * @returns the exit code: 1 when a thousand idle streams cost more than 20 MB
 */
export async function benchStreams ({ streams: count }, say) {
  const server = await loadServer('rest', 'fastback')
  const reason = server.missing({ nodeVersion: process.versions.node })
  if (reason) throw new Error(reason)
  const running = await startServer(server, { port: await freePort(), store: 'memory', file: '' })
  try {
    // What is compiled and kept the first time is not the cost of a stream.
    const first = await openStreams(running.port, 100)
    await change(running.url)
    first.forEach(stream => stream.close())
    const before = await settledMemory(running.pids)
    const streams = await openStreams(running.port, count)
    const idle = await settledMemory(running.pids) - before
    const timeBefore = processorTime(running.pids)
    await pause(3000)
    const idleTime = processorTime(running.pids) - timeBefore

    const began = performance.now()
    const busyBefore = processorTime(running.pids)
    for (let i = 0; i < CHANGES; i++) await change(running.url)
    while (streams.some(stream => stream.count() < CHANGES)) await pause(5)
    const busy = (processorTime(running.pids) - busyBefore) / (CHANGES * count)
    const elapsed = performance.now() - began
    const perThousand = idle * 1000 / count
    say(
      `${count} idle change streams: ${idle.toFixed(1)} MB (${((idle * 1024) / count).toFixed(1)} kB each), ${(idleTime / 1000).toFixed(0)} ms of processor time in 3 s`
    )
    say(
      `${CHANGES} changes to each of them: ${busy.toFixed(1)} µs of processor time per change and stream, ${elapsed.toFixed(0)} ms in all`
    )
    say(`a thousand cost ${perThousand.toFixed(1)} MB; the limit is ${LIMIT} MB`)
    streams.forEach(stream => stream.close())
    return perThousand < LIMIT ? 0 : 1
  } finally {
    await stopServer(running)
  }
}
