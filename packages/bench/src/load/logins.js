import { setTimeout as pause } from 'node:timers/promises'
import { openClient } from './clients.js'

const LOGINS = 500
const PASSWORD = 'load-held-0'
/** An address of this machine each: an attempt limit per address is not what is measured. */
const addressOf = i => `127.0.${1 + (i >> 7)}.${1 + (i & 127)}`

async function makeUsers (url, count) {
  for (let i = 0; i < count; i++) {
    const response = await fetch(`${url}/api/Users`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: `load${i}@example.com`, password: PASSWORD })
    })
    if (!response.ok) throw new Error(`making a user was answered with ${response.status}: ${await response.text()}`)
  }
}

/** One login over a connection of its own; gives the status. */
async function logIn (port, i, accounts) {
  const { socket } = await openClient(port, { localAddress: addressOf(i), reads: false })
  const body = JSON.stringify({ email: `load${i % accounts}@example.com`, password: PASSWORD })
  const answer = new Promise(resolve =>
    socket.once('data', chunk => resolve(Number(chunk.toString('latin1', 9, 12)))).once('close', () => resolve(0))
  )
  socket.resume()
  socket.write(
    `POST /api/Users/login HTTP/1.1\r\nHost: load\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  )
  const status = await answer
  socket.destroy()
  return status
}

/** Everybody logs in at the same moment. */
export default {
  name: 'logins',
  title: `a burst of ${LOGINS} logins`,
  async run (target, { scale, say, check }) {
    const count = Math.round(LOGINS * scale)
    const accounts = Math.min(count, 50)
    await makeUsers(target.url, accounts)
    await pause(2000)
    const before = await target.settledMemory()
    let statuses
    const began = performance.now()
    const others = await target.beside(async () => {
      statuses = await Promise.all(Array.from({ length: count }, (_, i) => logIn(target.port, i, accounts)))
    })
    const seconds = (performance.now() - began) / 1000
    const after = await target.settledMemory(10)
    const tally = Object.entries(Object.groupBy?.(statuses, String) ?? {}).map(
      ([status, list]) => `${list.length} × ${status}`
    )
    const good = statuses.filter(status => status === 200).length
    say(
      `${count} logins in ${seconds.toFixed(1)} s: ${good} let in${tally.length > 1 ? ` (${tally.join(', ')})` : ''}; ${(after - before).toFixed(0)} MB more afterwards`
    )
    check('other requests', others)
    check('every login let in', good === count)
  }
}
