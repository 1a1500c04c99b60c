import { connect } from 'node:net'

/** @typedef {{ socket: import('node:net').Socket, closed: Promise<number>, bytes: () => number }} Client */

/**
 * A connection that sends what it is told and counts what it gets; `closed` gives the milliseconds until the server ended it.
 * @param {number} port
 * @param {{ localAddress?: string, reads?: boolean }} [options] `reads: false`: takes nothing off its socket
 * @returns {Promise<Client>}
 */
export function openClient (port, { localAddress, reads = true } = {}) {
  return new Promise((resolve, reject) => {
    const began = performance.now()
    const socket = connect({ port, host: '127.0.0.1', ...(localAddress ? { localAddress } : {}) })
    let bytes = 0
    const closed = new Promise(resolve => socket.once('close', () => resolve(performance.now() - began)))
    socket.once('error', reject)
    socket.once('connect', () => {
      socket.on('error', () => {})
      if (reads) socket.on('data', chunk => { bytes += chunk.length })
      else socket.pause()
      resolve({ socket, closed, bytes: () => bytes })
    })
  })
}

/** Many of them, some at a time: the length of the server's queue of new connections is not what is measured. */
export async function openClients (port, count, options) {
  const clients = []
  while (clients.length < count) {
    clients.push(...await Promise.all(Array.from({ length: Math.min(100, count - clients.length) }, () => openClient(port, options))))
  }
  return clients
}

export const closeClients = clients => clients.forEach(({ socket }) => socket.destroy())
