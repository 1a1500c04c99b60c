/** Events of a server (HTML Living Standard, section 9.2) as objects. */
import { Transform } from 'node:stream'

/** Characters of one event, at most. */
const longest = 1024 * 1024

/**
 * Reads an event stream; gives the data of each event, parsed. What is no JSON is left out.
 *
 * ```js
 * for await (const change of body.pipe(eventsOf())) console.log(change)
 * ```
 */
export function eventsOf (): Transform {
  let rest = ''
  const decoder = new TextDecoder()
  return new Transform({
    readableObjectMode: true,
    transform (chunk: Buffer, _encoding, done) {
      const events = (rest + decoder.decode(chunk, { stream: true })).split(/\r?\n\r?\n/)
      rest = events.pop() ?? ''
      if (rest.length > longest) { done(new Error('An event of the other application is too long.')); return }
      for (const event of events) {
        const data = dataOf(event)
        if (data !== undefined) this.push(data)
      }
      done()
    }
  })
}

function dataOf (event: string): unknown {
  const lines = event.split(/\r?\n/).filter(line => line.startsWith('data:')).map(line => line.slice(5).replace(/^ /, ''))
  if (lines.length === 0) return undefined
  try {
    return JSON.parse(lines.join('\n')) as unknown
  } catch {
    return undefined
  }
}
