/** Events that a server sends (HTML Living Standard, section 9.2), as a stream of objects. */
import { Transform } from 'node:stream'

/** Characters of one event, at most. */
const longest = 1024 * 1024

export interface ServerEvent {
  /** Default: `message`. */
  readonly name: string
  /** Its lines; undefined where it has none. */
  readonly data: string | undefined
}

/**
 * Reads an event stream.
 *
 * ```js
 * for await (const { name, data } of response.pipe(serverEvents(event => event))) console.log(name, data)
 * ```
 * @param read what the stream gives for an event; null and undefined leave it out
 */
export function serverEvents (read: (event: ServerEvent) => unknown): Transform {
  let rest = ''
  const decoder = new TextDecoder()
  return new Transform({
    readableObjectMode: true,
    transform (chunk: Buffer, _encoding, done) {
      const events = (rest + decoder.decode(chunk, { stream: true })).split(/\r?\n\r?\n/)
      rest = events.pop() as string
      if (rest.length > longest) { done(new Error('An event of the other application is too long.')); return }
      for (const event of events) {
        const object = read(eventOf(event))
        if (object !== undefined && object !== null) this.push(object)
      }
      done()
    }
  })
}

function eventOf (text: string): ServerEvent {
  const lines = text.split(/\r?\n/)
  const all = (field: string): string[] =>
    lines.filter(line => line.startsWith(`${field}:`)).map(line => line.slice(field.length + 1).replace(/^ /, ''))
  const data = all('data')
  return { name: all('event').at(-1) ?? 'message', data: data.length === 0 ? undefined : data.join('\n') }
}
