import { connect } from 'node:net'

/**
 * @typedef {{ socket: import('node:net').Socket, closed: Promise<number>, bytes: () => number, occurrences: () =>
 * number }} Client
 */

/**
 * A connection that sends what it is told and counts what it gets; `closed` gives the milliseconds until the server
 * ended it.
 * @param {number} port
 * @param {{ localAddress?: string, reads?: boolean, counts?: string }} [options] `reads: false`: takes nothing off its
 * socket; `counts`: a text whose
 *   occurrences are counted, wherever the chunks are cut
 * @returns {Promise<Client>}
 */
export function openClient (port, { localAddress, reads = true, counts } = {}) {
  return new Promise((resolve, reject) => {
    const began = performance.now()
    const socket = connect({ port, host: '127.0.0.1', ...(localAddress ? { localAddress } : {}) })
    let bytes = 0
    let occurrences = 0
    let rest = ''
    function count (chunk) {
      const text = rest + chunk.toString('latin1')
      for (let at = text.indexOf(counts); at !== -1; at = text.indexOf(counts, at + counts.length)) occurrences++
      rest = text.slice(Math.max(0, text.length - counts.length + 1))
    }
    const closed = new Promise(resolve => socket.once('close', () => resolve(performance.now() - began)))
    socket.once('error', reject)
    socket.once('connect', () => {
      socket.on('error', () => {})
      if (reads) {
        socket.on('data', chunk => {
          bytes += chunk.length
          if (counts !== undefined) count(chunk)
        })
      } else socket.pause()
      resolve({ socket, closed, bytes: () => bytes, occurrences: () => occurrences })
    })
  })
}

/** Many of them, some at a time: the length of the server's queue of new connections is not what is measured. */
export async function openClients (port, count, options) {
  const clients = []
  while (clients.length < count) {
    clients.push(
      ...(await Promise.all(
        Array.from({ length: Math.min(100, count - clients.length) }, () => openClient(port, options))
      ))
    )
  }
  return clients
}

export const closeClients = clients => clients.forEach(({ socket }) => socket.destroy())
