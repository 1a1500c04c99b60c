/** Events of a response, as `stream/stream-encoding.ts` writes them. */
import type { Readable } from 'node:stream'

export interface ServerEvent {
  readonly event: string
  readonly id: string | undefined
  /** JSON. */
  readonly data: string
}

/**
 * The events of a response, no faster than they are taken.
 *
 * ```js
 * for await (const { event, data } of eventsIn(response.stream())) console.log(event, data)
 * ```
 */
export async function * eventsIn (stream: Readable): AsyncGenerator<ServerEvent, void> {
  let text = ''
  for await (const chunk of stream.setEncoding('utf8') as AsyncIterable<string>) {
    // The end of an event may lie between two chunks.
    let from = Math.max(0, text.length - 1)
    text += chunk
    let begin = 0
    for (let end = text.indexOf('\n\n', from); end !== -1; end = text.indexOf('\n\n', from)) {
      const event = eventOf(text.slice(begin, end))
      begin = from = end + 2
      if (event !== undefined) yield event
    }
    text = text.slice(begin)
  }
}

function eventOf (text: string): ServerEvent | undefined {
  const fields = new Map(text.split('\n').map(line => {
    const colon = line.indexOf(': ')
    return [line.slice(0, colon), line.slice(colon + 2)]
  }))
  const [event, data] = [fields.get('event'), fields.get('data')]
  return event === undefined || data === undefined ? undefined : { event, id: fields.get('id'), data }
}
