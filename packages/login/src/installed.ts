/** The packages that logins load. */
import type { Entry } from './entry.js'
import type { Flow } from './flow.js'
import type { Visit } from './visit.js'

/** What answers the requests of an entry. */
export interface Installed {
  readonly entry: Entry
  readonly flow: Flow | undefined
  begin (visit: Visit): Promise<void>
  finish (visit: Visit): Promise<void>
}
