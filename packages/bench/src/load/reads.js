import { seeded } from '../random.js'
import { openClients } from './clients.js'

const REQUESTS = 10_000_000
const CONNECTIONS = 10
/** Requests sent at once over one connection: what is measured is a day's worth of them, not the client. */
const AT_ONCE = 20
const PRODUCTS = 10_000
const LOOKS = 20
/** Before so many reads the young generation is still growing to what the load wants, and memory says nothing. */
const SETTLED = 200_000

/** Reads by id, as fast as they go: memory is to be flat from the first tenth to the last. */
export default {
  name: 'reads',
  title: `${REQUESTS / 1e6} million reads by id`,
  async run (target, { scale, say, check }) {
    const count = Math.round(REQUESTS * scale)
    const clients = await openClients(target.port, CONNECTIONS, { reads: false })
    const random = seeded(1)
    let asked = 0
    let answered = 0
    let bad = 0
    const memory = []
    const began = performance.now()
    await Promise.all(clients.map(({ socket }) => new Promise((resolve, reject) => {
      let open = 0
      function ask () {
        let text = ''
        for (; open < AT_ONCE && asked < count; open++, asked++) {
          text += `GET /api/Products/${random.integer(1, PRODUCTS)} HTTP/1.1\r\nHost: load\r\n\r\n`
        }
        if (open === 0) return resolve()
        socket.write(text)
      }
      socket
        .setEncoding('latin1')
        .on('error', reject)
        .on('close', () => reject(new Error('the server closed a connection')))
      socket.on('data', text => {
        // A status line may be cut in two by the boundary of a chunk: it then counts with the next one.
        const whole = rest.get(socket) + text
        let at = 0
        for (let next; (next = whole.indexOf('HTTP/1.1 ', at)) !== -1 && next + 12 <= whole.length; at = next + 12) {
          if (whole.slice(next + 9, next + 12) !== '200') bad++
          answered++
          open--
          if (answered % Math.ceil(count / LOOKS) === 0) memory.push(target.memory())
        }
        rest.set(socket, whole.slice(Math.max(at, whole.length - 11)))
        if (open === 0) ask()
      })
      rest.set(socket, '')
      socket.resume()
      ask()
    })))
    const seconds = (performance.now() - began) / 1000
    clients.forEach(({ socket }) => socket.removeAllListeners('close').destroy())
    const early = Math.max(...memory.slice(1, 4))
    const late = Math.max(...memory.slice(-3))
    say(
      `${count} reads in ${seconds.toFixed(0)} s (${(count / seconds).toFixed(0)} a second), ${bad} not answered with 200; ` +
        `memory ${memory.map(megabytes => megabytes.toFixed(0)).join(' ')} MB`
    )
    check('every answer good', bad === 0)
    if (count < SETTLED) return
    check(
      `memory flat (at most a tenth more at the end: ${early.toFixed(0)} → ${late.toFixed(0)} MB)`,
      late <= early * 1.1
    )
  }
}

/** The end of the last chunk, which may be the beginning of a status line. */
const rest = new Map()
