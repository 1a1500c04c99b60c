import { Agent, get } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'

/** What clients saw. */
export interface Seen {
  answered: number
  /** How many clients have had a response. */
  clients: number
  /** Why requests failed: a status, or the code of an error. */
  readonly failed: string[]
  /** Bodies of responses. */
  readonly bodies: Set<string>
}

export interface Clients {
  readonly seen: Seen
  /** Ends the clients, after the requests that are under way. */
  stop (): Promise<void>
  /** From now on clients that are told `Connection: close` go elsewhere, as a balancer sends them. */
  goElsewhere (): void
  /** Resolves when all clients have gone. */
  readonly gone: Promise<void>
}

/**
 * Milliseconds between a client's requests. Without them, some dozens of clients took the processors from the servers
 * that were to start; and most connections are between two requests then, which is where a server that ends could cut
 * them.
 */
const pause = 50

/**
 * Clients that send one request after the other on a connection each, and make another one where a response said
 * `Connection: close`.
 */
export function keepAliveClients (url: string, count: number): Clients {
  const seen: Seen = { answered: 0, clients: 0, failed: [], bodies: new Set() }
  const orders = { stop: false, goElsewhere: false }
  const client = async (): Promise<void> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    for (let requests = 0; !orders.stop; requests++) {
      const end = await request(url, agent)
      if (end.failure === undefined) {
        seen.answered++
        if (requests === 0) seen.clients++
        seen.bodies.add(end.body)
      } else seen.failed.push(end.failure)
      if (orders.goElsewhere && end.isLast) break
      await wait(pause)
    }
    agent.destroy()
  }
  const gone = Promise.all(Array.from({ length: count }, client)).then(() => {})
  return {
    seen,
    gone,
    goElsewhere () { orders.goElsewhere = true },
    async stop () {
      orders.stop = true
      await gone
    }
  }
}

interface End { readonly isLast: boolean, readonly failure?: string, readonly body: string }

const request = (url: string, agent: Agent): Promise<End> => new Promise(resolve => {
  const sent = get(url, { agent }, answer => {
    let body = ''
    answer.setEncoding('utf8').on('data', text => { body += String(text) })
    answer.on('end', () => {
      const isLast = answer.headers.connection === 'close'
      resolve(answer.statusCode === 200 ? { isLast, body } : { isLast, failure: String(answer.statusCode), body })
    })
    answer.on('error', error => { resolve({ isLast: true, failure: codeOf(error), body }) })
  })
  sent.on('error', error => { resolve({ isLast: true, failure: codeOf(error), body: '' }) })
})

const codeOf = (error: Error): string => String((error as { code?: unknown }).code ?? error.message)
