import { connect } from 'node:net'

const HEAD_END = Buffer.from('\r\n\r\n')

/**
 * The length of the whole answer at the start of the buffer, or -1 while it is not complete.
 * Knows Content-Length and chunked bodies, which is all that the servers here send.
 */
function answerLength (buffer) {
  const head = buffer.indexOf(HEAD_END)
  if (head === -1) return -1
  const headers = buffer.latin1Slice(0, head + 2)
  const bodyAt = head + 4
  const length = /\r\ncontent-length: *(\d+)/i.exec(headers)
  if (length) {
    const end = bodyAt + Number(length[1])
    return end <= buffer.length ? end : -1
  }
  if (/\r\ntransfer-encoding: *chunked/i.test(headers)) return chunkedEnd(buffer, bodyAt)
  return bodyAt
}

function chunkedEnd (buffer, from) {
  for (let at = from; ;) {
    const line = buffer.indexOf('\r\n', at)
    if (line === -1) return -1
    const size = parseInt(buffer.latin1Slice(at, line), 16)
    at = line + 2 + size + 2
    if (at > buffer.length) return -1
    if (size === 0) return at
  }
}

/** A body that is written as it is. */
export class RawBody {
  /**
   * @param {string} type
   * @param {string} text
   */
  constructor (type, text) {
    this.type = type
    this.text = text
  }
}

/** Forms are written as forms, everything else as JSON. */
export function encodeBody (body) {
  if (body instanceof RawBody) return body
  return body instanceof URLSearchParams
    ? { type: 'application/x-www-form-urlencoded', text: body.toString() }
    : { type: 'application/json', text: JSON.stringify(body) }
}

/** A request as the bytes that go over the wire. */
export function encodeRequest ({ method, path, headers, body }) {
  let head = `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\naccept: application/json\r\n`
  for (const name in headers) head += `${name}: ${headers[name]}\r\n`
  if (body === undefined) return head + '\r\n'
  const { type, text } = encodeBody(body)
  return head + `content-type: ${type}\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n` + text
}

/**
 * One kept-alive connection, for one request at a time.
 * @param {number} port
 * @param {(status: number) => void} onAnswer
 * @returns `opened` when it can send, `closed` when it has been ended; both reject when the server breaks it
 */
export function openConnection (port, onAnswer) {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  let pending = Buffer.alloc(0)
  let finished = false
  const broken = new Promise((resolve, reject) => {
    socket.on('error', reject)
    socket.on('close', () => finished ? resolve() : reject(new Error('the server closed a kept-alive connection')))
  })
  socket.on('data', chunk => {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
    const length = answerLength(pending)
    if (length === -1) return
    const status = Number(pending.latin1Slice(9, 12))
    pending = pending.subarray(length)
    onAnswer(status)
  })
  return {
    opened: Promise.race([new Promise(resolve => socket.once('connect', resolve)), broken]),
    closed: broken,
    send: request => socket.write(request),
    /** Ends it; a response that is still to come is not waited for. */
    end () {
      finished = true
      socket.destroy()
    }
  }
}

/**
 * One kept-alive connection that sends a request, waits for the response and asks for the next one.
 * @param {number} port
 * @param {() => string | undefined} nextRequest undefined ends the connection
 * @param {(status: number, milliseconds: number) => void} onAnswer
 * @returns {Promise<void>}
 */
export async function runConnection (port, nextRequest, onAnswer) {
  let sentAt = 0
  const connection = openConnection(port, status => {
    onAnswer(status, performance.now() - sentAt)
    send()
  })

  function send () {
    const request = nextRequest()
    if (request === undefined) return connection.end()
    sentAt = performance.now()
    connection.send(request)
  }

  await connection.opened
  send()
  await connection.closed
}
