/** Reads a live query over a real socket into rows, and comes back after it was cut, where it is sent. */
import { get, type ClientRequest } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { applied } from './reader.js'

type Loose = any

/** Takes an event with its id. */
type Take = (event: { event: string, id: string, data: Loose }) => void

interface Line {
  cut (): void
  /** Once the server has refused, or cut it. */
  readonly ended: Promise<void>
}

export class WireReader {
  rows: Loose[] = []
  id: string | undefined
  readonly events: string[] = []
  #line: Line | undefined
  #isOver = false
  #going: Promise<void> = Promise.resolve()

  /** @param address where to come back to */
  constructor (readonly filter: object, readonly isSocket: boolean, readonly address: () => string) {}

  start (): void {
    this.#going = this.#go()
  }

  /** What it holds stays: a client without a line shows what it had. */
  cut (): void {
    this.#line?.cut()
  }

  async end (): Promise<void> {
    this.#isOver = true
    this.cut()
    await this.#going
  }

  async #go (): Promise<void> {
    while (!this.#isOver) {
      const take: Take = ({ event, id, data }) => {
        if (this.#line !== line) return
        this.events.push(event)
        if (event !== 'rows' && event !== 'changes') return
        this.rows = applied(this.rows, { event, data })
        this.id = id
      }
      const line: Line = this.isSocket ? this.#socket(take) : this.#stream(take)
      this.#line = line
      await line.ended
      this.#line = undefined
      this.events.push('|')
      if (!this.#isOver) await wait(20)
    }
  }

  #stream (take: Take): Line {
    const headers = { accept: 'text/event-stream', ...this.id === undefined ? {} : { 'last-event-id': this.id } }
    const query = encodeURIComponent(JSON.stringify(this.filter))
    let rest = ''
    let request: ClientRequest | undefined
    const ended = new Promise<void>(resolve => {
      request = get(`${this.address()}/Tasks/live?filter=${query}`, { agent: false, headers }, response => {
        response.setEncoding('utf8').on('data', (part: string) => {
          const parts = (rest + part).split('\n\n')
          rest = parts.pop() ?? ''
          for (const each of parts) {
            const of = (name: string): string | undefined => new RegExp(`^${name}: (.*)$`, 'm').exec(each)?.[1]
            const event = of('event')
            if (event !== undefined) take({ event, id: of('id') ?? '', data: JSON.parse(of('data') ?? 'null') })
          }
        }).on('error', () => {}).on('close', resolve)
      })
      request.on('error', () => {}).on('close', resolve)
    })
    return { ended, cut: () => { request?.destroy() } }
  }

  #socket (take: Take): Line {
    const socket = new WebSocket(`${this.address().replace('http', 'ws')}/live`)
    socket.on('open', () => {
      socket.send(JSON.stringify({ type: 'subscribe', query: 'q', path: '/Tasks', filter: this.filter, after: this.id }))
    })
    socket.on('message', text => {
      const { type, event, ...data } = JSON.parse(String(text)) as Loose
      take({ event: type, id: event, data })
      if (event !== undefined) socket.send(JSON.stringify({ type: 'ack', query: 'q', event }))
      if (type === 'error' || type === 'end') socket.terminate()
    })
    return {
      ended: new Promise(resolve => { socket.on('error', () => {}).on('close', resolve) }),
      cut: () => { socket.terminate() }
    }
  }
}
