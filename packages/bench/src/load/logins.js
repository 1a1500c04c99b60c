import { setTimeout as pause } from 'node:timers/promises'
import { openClient } from './clients.js'

const LOGINS = 500
const PASSWORD = 'load-held-0'
/** An address of this machine each: an attempt limit per address is not what is measured. */
const addressOf = i => `127.0.${1 + (i >> 7)}.${1 + (i & 127)}`

export async function makeUsers (url, count) {
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
export async function logIn (port, i, accounts) {
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

/** What became of logins: how many were let in, and the statuses where there are several. */
export function tallyOf (statuses) {
  const counts = new Map()
  for (const status of statuses) counts.set(status, (counts.get(status) ?? 0) + 1)
  const list = [...counts].map(([status, times]) => `${times} × ${status}`)
  return { good: counts.get(200) ?? 0, text: list.length > 1 ? ` (${list.join(', ')})` : '' }
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
    const { good, text } = tallyOf(statuses)
    say(
      `${count} logins in ${seconds.toFixed(1)} s: ${good} let in${text}; ${(after - before).toFixed(0)} MB more afterwards`
    )
    check('other requests', others)
    check('every login let in', good === count)
  }
}
