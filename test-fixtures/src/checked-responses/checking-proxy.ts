/** A proxy that changes nothing and holds every response that passes against a description. */
import http, { type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { checkAnswer, isStream, wholePieces, type Answer, type Verdict } from './response.js'
import type { Description } from './description.js'

export type Report = (answer: Answer, verdict: Verdict) => void

export interface CheckingProxyOptions {
  /** Port of the server that answers, on this machine. */
  readonly target: number
  readonly description: Description
  /** Gets each response before its last byte is passed on; of a stream, each piece of it. */
  readonly report: Report
}

/**
 * Milliseconds for the rest of a request that was answered before it had come: a connection that is closed with data on
 * their way takes the response with it.
 */
const rest = 1_000

/** Requests may be as wrong as they like: it is the server behind that refuses them. */
const lenient = { insecureHTTPParser: true, maxHeaderSize: 1 << 20 }

export function checkingProxy ({ target, description, report }: CheckingProxyOptions): Server {
  return http.createServer({ ...lenient, requestTimeout: 0, headersTimeout: 0 }, (request, response) => {
    const { method = 'GET', url = '/' } = request
    const outgoing = http.request({
      ...lenient,
      host: '127.0.0.1',
      port: target,
      method,
      path: url,
      headers: request.rawHeaders,
      agent: false
    })
    let answered = false
    outgoing.on('response', incoming => {
      answered = true
      passOn(incoming, request, response, description, report)
    })
    outgoing.on('error', error => {
      // A server that refuses a body may close while it is still being sent.
      if (answered) {
        request.unpipe(outgoing).resume()
        return
      }
      report(
        { method, url, status: 0, headers: {}, body: Buffer.alloc(0) },
        { by: 'described', faults: [`no response: ${error.message}`] }
      )
      response.destroy()
    })
    response.on('close', () => { outgoing.destroy() })
    request.on('error', () => { outgoing.destroy() })
    request.pipe(outgoing)
  })
}

function passOn (
  incoming: IncomingMessage,
  request: IncomingMessage,
  response: ServerResponse,
  description: Description,
  report: Report
): void {
  const { method = 'GET', url = '/' } = request
  const { headers, statusCode: status = 0 } = incoming
  const check = (body: Buffer): void => {
    const answer = { method, url, status, headers, body }
    report(answer, verdictOn(description, answer))
  }
  response.writeHead(status, incoming.statusMessage, incoming.rawHeaders)
  const streams = isStream(headers)
  let kept = Buffer.alloc(0)
  if (streams) response.flushHeaders()
  incoming.on('data', (chunk: Buffer) => {
    kept = Buffer.concat([kept, chunk])
    if (!streams) return
    const whole = wholePieces(headers, kept)
    if (whole > 0) check(kept.subarray(0, whole))
    kept = kept.subarray(whole)
    response.write(chunk)
  })
  incoming.on('end', () => {
    if (streams) {
      response.end()
      return
    }
    check(kept)
    if (request.complete) response.end(kept)
    else endAfter(request, response, kept)
  })
  incoming.on('error', () => {
    response.destroy()
  })
}

function endAfter (request: IncomingMessage, response: ServerResponse, body: Buffer): void {
  if (body.length > 0) response.write(body)
  const end = (): void => { response.end() }
  request.resume().once('end', end)
  setTimeout(end, rest).unref()
}

function verdictOn (description: Description, answer: Answer): Verdict {
  try {
    return checkAnswer(description, answer)
  } catch (error) {
    return { by: 'described', faults: [`the response cannot be checked: ${(error as Error).message}`] }
  }
}
