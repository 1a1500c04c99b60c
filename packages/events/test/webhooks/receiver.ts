/** A receiver of webhooks, which verifies what it gets by the library of Standard Webhooks. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'
import { Webhook } from 'standardwebhooks'

export interface Received {
  readonly id: string
  readonly type: string
  readonly timestamp: string
  readonly data: Record<string, unknown>
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly path: string
}

/** What it responds with: a status, or what a test does itself. */
export type Respond = (received: Received, response: ServerResponse) => number | undefined | Promise<number | undefined>

export class Receiver {
  readonly received: Received[] = []
  /** By path: the secrets whose signatures are verified. */
  readonly secrets = new Map<string, string>()
  readonly faults: unknown[] = []
  /** Requests that came without being verified. */
  unverified = 0
  respond: Respond = () => 200
  readonly #server = createServer((request, response) => {
    this.#take(request, response).catch((fault: unknown) => { this.faults.push(fault) })
  })

  static async open (t: Test): Promise<Receiver> {
    const receiver = new Receiver()
    await new Promise<void>(resolve => { receiver.#server.listen(0, '127.0.0.1', resolve) })
    t.teardown(() => {
      receiver.#server.closeAllConnections()
      receiver.#server.close()
    })
    return receiver
  }

  url (path = '/hook'): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}${path}`
  }

  /** Waits until something is so. */
  async until (is: () => boolean, patience = 10_000): Promise<boolean> {
    const end = Date.now() + patience
    while (!is()) {
      if (Date.now() > end) return false
      await new Promise(resolve => { setTimeout(resolve, 10) })
    }
    return true
  }

  async #take (request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const body = Buffer.concat(parts).toString()
    const headers = request.headers as Record<string, string>
    const path = request.url ?? ''
    const secret = this.secrets.get(path)
    if (secret === undefined) this.unverified++
    else {
      try { new Webhook(secret).verify(body, headers) } catch (fault) { this.faults.push(fault) }
    }
    const { type, timestamp, data } = JSON.parse(body) as Received
    const received = { id: headers['webhook-id'] as string, type, timestamp, data, headers, body, path }
    this.received.push(received)
    const status = await this.respond(received, response)
    if (status === undefined) return
    response.writeHead(status)
    response.end('thank you')
  }
}
