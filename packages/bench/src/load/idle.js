import { setTimeout as pause } from 'node:timers/promises'
import { closeClients, openClients } from './clients.js'

const CONNECTIONS = 10_000
const SECONDS = 20

/** Kept-alive connections that have had one response each and ask for nothing more. */
export default {
  name: 'idle',
  title: `${CONNECTIONS} idle kept-alive connections`,
  async run (target, { scale, say, check }) {
    const count = Math.round(CONNECTIONS * scale)
    const before = await target.settledMemory()
    const clients = await openClients(target.port, count)
    for (const [i, { socket }] of clients.entries()) {
      socket.write('GET /api/Products/1 HTTP/1.1\r\nHost: load\r\n\r\n')
      if (i % 100 === 99) await pause(20)
    }
    while (clients.some(({ bytes }) => bytes() === 0)) await pause(50)
    const open = await target.settledMemory()
    const others = await target.beside(() => pause(SECONDS * 1000))
    const still = clients.filter(({ socket }) => !socket.destroyed).length
    closeClients(clients)
    const after = await target.settledMemory(10)
    say(
      `${count} connections: ${(open - before).toFixed(0)} MB (${(((open - before) * 1024) / count).toFixed(1)} kB each), ${still} still open after ${SECONDS} s; ` +
        `${(after - before).toFixed(0)} MB above the start once they are closed`
    )
    check('other requests', others)
    check('connections kept', still === count)
  }
}
