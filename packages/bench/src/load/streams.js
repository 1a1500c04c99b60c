import { setTimeout as pause } from 'node:timers/promises'
import { closeClients, openClients } from './clients.js'

const STREAMS = 1000
const CHANGES_PER_SECOND = 100
const SECONDS = 20
const PATH = '/api/Categories/change-stream'

/** Change streams, all of which are told of every change. */
export default {
  name: 'streams',
  title: `${STREAMS} streams, ${CHANGES_PER_SECOND} changes a second`,
  async run (target, { scale, say, check }) {
    const count = Math.round(STREAMS * scale)
    const clients = await openClients(target.port, count, { counts: 'data: {' })
    clients.forEach(({ socket }) =>
      socket.write(`GET ${PATH} HTTP/1.1\r\nHost: load\r\nAccept: text/event-stream\r\n\r\n`)
    )
    while (clients.some(({ bytes }) => bytes() === 0)) await pause(50)
    const before = await target.settledMemory()
    let most = 0
    let sent = 0
    const watch = setInterval(() => { most = Math.max(most, target.memory()) }, 500)
    const began = performance.now()
    const others = await target.beside(async () => {
      const due = []
      while (sent < CHANGES_PER_SECOND * SECONDS) {
        due.push(change(target.url, sent++))
        await pause(Math.max(0, began + sent * 1000 / CHANGES_PER_SECOND - performance.now()))
      }
      await Promise.all(due)
      await everything(clients, sent)
    })
    const seconds = (performance.now() - began) / 1000
    clearInterval(watch)
    const received = clients.map(({ occurrences }) => occurrences())
    closeClients(clients)
    const after = await target.settledMemory(10)
    say(
      `${sent} changes to ${count} streams in ${seconds.toFixed(1)} s (${((sent * count) / seconds / 1000).toFixed(0)} thousand events a second): ` +
        `at most ${(most - before).toFixed(0)} MB more, ${(after - before).toFixed(0)} MB once they are closed`
    )
    check('other requests', others)
    check('every stream has had every change', received.every(events => events === sent))
    check('the pace was held', seconds < SECONDS * 1.25)
  }
}

async function change (url, i) {
  const body = JSON.stringify({ name: `held ${String(i).padStart(6, '0')}` })
  const response = await fetch(`${url}/api/Categories`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body
  })
  if (!response.ok) throw new Error(`a change was answered with ${response.status}`)
  await response.arrayBuffer()
}

/** Gives the last changes ten seconds to arrive. */
async function everything (clients, sent) {
  for (let wait = 0; wait < 100 && clients.some(({ occurrences }) => occurrences() < sent); wait++) await pause(100)
}
