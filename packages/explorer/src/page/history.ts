/** The requests of this tab, the latest first: each leads back to its operation. */
import { byId, element } from './dom.js'

/** Requests that are kept. */
const most = 30

export interface Sent {
  readonly operation: string
  readonly line: string
  readonly status: string
  readonly ms: number
}

export function remember ({ operation, line, status, ms }: Sent): void {
  const place = byId('history')
  const list = byId('history-list')
  place.hidden = false
  const link = element('a', { href: `#${encodeURIComponent(operation)}` }, line)
  const time = new Date().toLocaleTimeString()
  list.prepend(element('li', {}, link, ' ', element('span', { class: 'kind' }, `${status}, ${ms} ms, at ${time}`)))
  while (list.childElementCount > most) list.lastElementChild?.remove()
}
