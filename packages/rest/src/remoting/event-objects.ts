/** Objects that another server sends as events. */
import { Stream } from 'node:stream'
import type { Readable } from 'node:stream'

/** An end of line that ends an event. */
const blank = /\r?\n\r?\n/

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
  #text = ''
  #isOver = false

  constructor (source: Readable) {
    super()
    this.#source = source.setEncoding('utf8')
    this.on('newListener', name => { if (name === 'data') this.#start() })
  }

  #start (): void {
    if (this.#source.listenerCount('data') > 0) return
    this.#source
      .on('data', (text: string) => { this.#take(text) })
      .on('end', () => { this.#end() })
      .on('error', error => { this.#fail(error) })
  }

  pause (): void { this.#source.pause() }
  resume (): void { this.#source.resume() }

  destroy (): void {
    this.#isOver = true
    this.#source.destroy()
  }

  #take (text: string): void {
    const events = (this.#text + text).split(blank)
    this.#text = events.pop() as string
    for (const event of events) {
      if (this.#isOver) return
      try {
        this.#tell(event)
      } catch (error) {
        this.#fail(error as Error)
      }
    }
  }

  #tell (event: string): void {
    const lines = event.split(/\r?\n/)
    const all = (field: string): string => lines
      .filter(line => line.startsWith(`${field}:`)).map(line => line.slice(field.length + 1).trim()).join('\n')
    switch (all('event')) {
      case 'data': this.emit('data', JSON.parse(all('data'))); break
      case 'end': this.#end(); break
      case 'error': this.#fail(new Error((JSON.parse(all('data')) as { message?: string }).message))
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
