/** Ids of requests: in each line of their logs, and in their responses. */
import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { InvalidConfigError } from './errors.js'

/** What others may send as an id: it goes into logs and headers as it is. */
const acceptable = /^[\w.~+/=:@-]{1,128}$/
const headerName = /^[a-z0-9!#$%&'*+.^_`|~-]+$/

/** The setting `requestIdHeader` of config.json: a header, or false. */
export function requestIdHeaderOf (setting: unknown, place: string): string | undefined {
  if (setting === false) return undefined
  if (setting === undefined) return 'x-request-id'
  const name = typeof setting === 'string' ? setting.toLowerCase() : ''
  if (!headerName.test(name)) throw new InvalidConfigError(place, '"requestIdHeader" must be the name of a header, or false')
  return name
}

/**
 * Makes ids that no other process makes: 72 random bits of this one, and a number. An id that came with the request
 * stays where it has 1 to 128 characters that need no care in logs and headers.
 *
 * ```js no-run
 * const idOf = requestIds('x-request-id')
 * idOf(request) // 'q2Fx0nUo7SdV-1'
 * ```
 * @param header where one may have come; undefined: nowhere
 */
export function requestIds (header: string | undefined): (request: Pick<IncomingMessage, 'headers'>) => string {
  const prefix = `${randomBytes(9).toString('base64url')}-`
  let last = 0
  return ({ headers }) => {
    const given = header === undefined ? undefined : headers[header]
    return typeof given === 'string' && acceptable.test(given) ? given : prefix + (++last).toString(36)
  }
}
