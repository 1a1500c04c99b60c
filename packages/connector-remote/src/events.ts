/** Events of the other application as objects. */
import type { Transform } from 'node:stream'
import { serverEvents } from '@fastback/rest/remoting'

/**
 * Reads an event stream; gives the data of each event, parsed. What is no JSON is left out.
 *
 * ```js
 * for await (const change of body.pipe(eventsOf())) console.log(change)
 * ```
 */
export const eventsOf = (): Transform => serverEvents(({ data }) => data === undefined ? undefined : parsed(data))

function parsed (data: string): unknown {
  try {
    return JSON.parse(data) as unknown
  } catch {
    return undefined
  }
}
