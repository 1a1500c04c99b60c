import { setTimeout as pause } from 'node:timers/promises'
import { closeClients, openClients } from './clients.js'

const CLIENTS = 200
/** The server's own time-outs for headers and whole requests (10 s, 60 s), and how often it looks (5 s). */
const HEADERS = 10_000 + 5_000
const REQUEST = 60_000 + 5_000
const SLACK = 3_000

/** Milliseconds from one big response to the next: how long making them takes is not what is measured. */
const APART = 50
const LIST = 'GET /api/Products?filter={"limit":2000} HTTP/1.1\r\nHost: load\r\n\r\n'

/**
 * Ways to be slow: what is sent at first, what dribbles in each second, and until when the server has to have given up.
 */
const KINDS = [
  { name: 'says nothing', first: '', closedWithin: HEADERS },
  { name: 'half a request line', first: 'GET /api/Prod', closedWithin: HEADERS },
  {
    name: 'a header a second',
    first: 'GET /api/Products/1 HTTP/1.1\r\nHost: load\r\n',
    dribble: 'X-Slow: 1\r\n',
    closedWithin: HEADERS
  },
  {
    name: 'a byte of body a second',
    first:
      'POST /api/Products HTTP/1.1\r\nHost: load\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n{"name":"',
    dribble: 'x',
    closedWithin: REQUEST
  },
  { name: 'a response that nobody reads', first: LIST, reads: false, seconds: 20 },
  {
    name: 'three answers asked for at once that nobody reads',
    first: LIST.repeat(3),
    reads: false,
    apart: 3 * APART,
    seconds: 20
  },
  {
    name: 'a change stream that nobody reads',
    first: 'GET /api/Products/change-stream HTTP/1.1\r\nHost: load\r\n\r\n',
    reads: false,
    seconds: 20
  }
]

/** Resolves when the server has ended them all, or when the time is over; gives how many are still there. */
async function whileOpen (clients, milliseconds, dribble) {
  const end = performance.now() + milliseconds
  const open = () => clients.filter(({ socket }) => !socket.destroyed)
  while (open().length > 0 && performance.now() < end) {
    if (dribble !== undefined) open().forEach(({ socket }) => socket.write(dribble))
    await pause(1000)
  }
  return open().length
}

/** Clients that take their time, two hundred of each kind at once. */
export default {
  name: 'slow',
  title: `${CLIENTS} slow clients of each kind`,
  async run (target, { scale, say, check }) {
    const count = Math.round(CLIENTS * scale)
    for (const { name, first, dribble, reads = true, apart = APART, closedWithin, seconds } of KINDS) {
      const before = await target.settledMemory()
      const clients = await openClients(target.port, count, { reads })
      let left
      let most = 0
      const watch = setInterval(() => { most = Math.max(most, target.memory()) }, 500)
      const others = await target.beside(async () => {
        for (const { socket } of clients) {
          socket.write(first)
          if (!reads) await pause(apart)
        }
        left = await whileOpen(clients, closedWithin === undefined ? seconds * 1000 : closedWithin + SLACK, dribble)
      })
      clearInterval(watch)
      closeClients(clients)
      const after = await target.settledMemory(10)
      say(`${name}: at most ${(most - before).toFixed(0)} MB more, ${(after - before).toFixed(0)} MB afterwards` +
        (closedWithin === undefined ? '' : `; ${left} of ${count} open after ${(closedWithin + SLACK) / 1000} s`))
      check(`other requests (${name})`, others)
      if (closedWithin !== undefined) check(`the server gave up (${name})`, left === 0)
    }
  }
}
