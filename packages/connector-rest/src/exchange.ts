/** A request to a service, and its response. */
import type { RestResponse } from './response.js'

/** What came of a request. Observers may have changed both. */
export interface Exchange {
  readonly response: RestResponse | undefined
  readonly body: unknown
}
