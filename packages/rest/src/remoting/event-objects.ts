/** Objects that another server sends as events. */
import { Stream } from 'node:stream'
import type { Readable } from 'node:stream'
import { serverEvents, type ServerEvent } from './server-events.js'

/**
 * The objects of a stream of server-sent events, in the order in which they come. Null may be one of them, so this is a
 * stream of the old kind: it gives `data`, `error`, `end`, from when somebody listens, and takes `pause` and `resume`.
 *
 * ```js
 * new EventObjects(response).on('data', change => { console.log(change) })
 * ```
 */
export class EventObjects extends Stream {
  readonly readable = true
  readonly #source: Readable
  readonly #events = serverEvents(event => event)
  #isStarted = false
  #isOver = false

  constructor (source: Readable) {
    super()
    this.#source = source
    this.on('newListener', name => { if (name === 'data') this.#start() })
  }

  #start (): void {
    if (this.#isStarted) return
    this.#isStarted = true
    const fail = (error: Error): void => { this.#fail(error) }
    this.#events
      .on('data', (event: ServerEvent) => { this.#take(event) })
      .on('end', () => { this.#end() })
      .on('error', fail)
    this.#source.on('error', fail).pipe(this.#events)
  }

  pause (): void { this.#events.pause() }
  resume (): void { this.#events.resume() }

  destroy (): void {
    this.#isOver = true
    this.#source.destroy()
  }

  #take ({ name, data = '' }: ServerEvent): void {
    if (this.#isOver) return
    try {
      if (name === 'data') this.emit('data', JSON.parse(data))
      else if (name === 'end') this.#end()
      else if (name === 'error') this.#fail(new Error((JSON.parse(data) as { message?: string }).message))
    } catch (error) {
      this.#fail(error as Error)
    }
  }

  #end (): void {
    if (this.#isOver) return
    this.#isOver = true
    this.emit('end')
  }

  #fail (error: Error): void {
    if (this.#isOver) return
    this.emit('error', error)
    this.#end()
  }
}
