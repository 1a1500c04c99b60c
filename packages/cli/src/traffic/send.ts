/** Sends one request and waits for its response. */
import { request as httpRequest, Agent as HttpAgent } from 'node:http'
import { request as httpsRequest, Agent as HttpsAgent } from 'node:https'
import { Collector } from './body.js'
import type { ReplayedResponse } from './difference.js'
import { headersOf, pathAt } from './proxy.js'

export interface Sent {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  readonly body: Buffer | undefined
}

export interface Sender {
  send (request: Sent): Promise<ReplayedResponse>
  close (): void
}

/** Bytes of a response that are kept; the same limit as the recording's. */
export interface SenderOptions {
  readonly maxBody: number
  /** Milliseconds for a response. */
  readonly timeout: number
}

/** A sender to one server, which keeps its connection. */
export function senderTo (target: URL, { maxBody, timeout }: SenderOptions): Sender {
  const secure = target.protocol === 'https:'
  const agent = secure ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true })
  const request = secure ? httpsRequest : httpRequest
  const send = async (sent: Sent) => await new Promise<ReplayedResponse>((resolve, reject) => {
    const { method, path, headers, body } = sent
    const outgoing = request(target, {
      agent,
      method,
      path: pathAt(target, path),
      headers: { ...headers, host: target.host, ...(body === undefined ? {} : { 'content-length': body.length }) }
    }, answer => {
      const { statusCode: status = 0 } = answer
      const received = new Collector(maxBody)
      const type = answer.headers['content-type']
      const done = (body: ReplayedResponse['body']): void => {
        clearTimeout(timer)
        resolve({ status, headers: headersOf(answer), body })
      }
      if (/event-stream/i.test(type ?? '')) {
        // It has no end: that it begins is what there is to compare.
        done(undefined)
        outgoing.destroy()
        return
      }
      answer.on('data', (chunk: Buffer) => { received.add(chunk) })
      answer.once('end', () => { done(received.body({ type, encoding: answer.headers['content-encoding'], of: 'response' })) })
      answer.once('error', reject)
    })
    const timer = setTimeout(() => { outgoing.destroy(new Error(`no response within ${timeout} ms`)) }, timeout)
    outgoing.once('error', error => {
      clearTimeout(timer)
      reject(error)
    })
    outgoing.end(body)
  })
  return { send, close: () => { agent.destroy() } }
}
