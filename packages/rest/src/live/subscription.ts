/** One live query of a connection: a request of its own, whose events go out one by one as the client takes them. */
import type { Readable } from 'node:stream'
import { eventsIn, type ServerEvent } from './events.js'

/** The response of a request that asks for a live query. */
export interface LiveResponse {
  readonly statusCode: number
  stream (): Readable
  /** Ends it, where the client does not want any more. */
  end (): void
}

export class Subscription {
  readonly #query: string
  readonly #send: (message: string) => void
  #response: LiveResponse | undefined
  #isOver = false
  #sent: string | undefined
  #taken: (() => void) | undefined

  /** @param send sends a message to the client */
  constructor (query: string, send: (message: string) => void) {
    this.#query = query
    this.#send = send
  }

  /** Until the query ends, or the client ends it. */
  async run (open: () => Promise<LiveResponse>): Promise<void> {
    const response = await open()
    this.#response = response
    if (this.#isOver) {
      response.end()
      return
    }
    try {
      if (response.statusCode !== 200) this.#fail(await errorIn(response.stream()))
      else for await (const event of eventsIn(response.stream())) await this.#pass(event)
    } catch (error) {
      // What is left of a response that was ended.
      if (!this.#isOver) throw error
    }
    if (!this.#isOver) this.#tell('end', '{}')
  }

  /** The client has taken an event. */
  ack (event: string): void {
    if (event === this.#sent) this.#taken?.()
  }

  end (): void {
    this.#isOver = true
    this.#taken?.()
    this.#response?.end()
  }

  async #pass ({ event, id, data }: ServerEvent): Promise<void> {
    if (event === 'end' || this.#isOver) return
    if (event === 'error') {
      this.#fail(data)
      return
    }
    this.#sent = id
    const taken = new Promise<void>(resolve => { this.#taken = resolve })
    this.#tell(event, data, id)
    await taken
  }

  /** The last that is said of a query. */
  #fail (text: string): void {
    this.#tell('error', text)
    this.end()
  }

  /** @param text an object as JSON, whose members those of the message are */
  #tell (type: string, text: string, event?: string): void {
    const head = JSON.stringify({ type, query: this.#query, event })
    this.#send(text === '{}' ? head : `${head.slice(0, -1)},${text.slice(1)}`)
  }
}

/** Characters of an error that are read. */
const mostOfError = 65_536

/** The body of an error, in the one form that errors have over WebSockets. */
async function errorIn (stream: Readable): Promise<string> {
  let text = ''
  for await (const chunk of stream.setEncoding('utf8') as AsyncIterable<string>) {
    if (text.length < mostOfError) text += chunk
  }
  const body = JSON.parse(text) as { error?: unknown }
  return JSON.stringify({ error: body.error ?? body })
}
