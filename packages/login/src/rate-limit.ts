/** A flood of requests at the beginning of logins (LG-99). */
import { attemptsOf, networkOf } from '@fastback/auth/service'
import type { Entry } from './entry.js'
import type { Logins } from './logins.js'
import type { Visit } from './visit.js'

export const tooMany = (visit: Visit): void => {
  visit.json(429, {
    error: { statusCode: 429, name: 'Error', code: 'TOO_MANY_REQUESTS', message: 'Too many attempts, try again later' }
  })
}

/** Lets so many requests of a network through in a time: whoever has one IPv6 address has 2⁶⁴ of them. */
export function limited (logins: Logins, entry: Entry, handle: (visit: Visit) => Promise<void>) {
  return async (visit: Visit): Promise<void> => {
    const { rateLimit } = logins.settings
    if (rateLimit === undefined || visit.method === 'HEAD') { await handle(visit); return }
    const { counter } = attemptsOf(logins.registry)
    const count = await counter.take(`login ${entry.name} ${networkOf(visit.ip)}`, rateLimit)
    if (count.allowed) { await handle(visit); return }
    visit.sides.setHeader('retry-after', String(Math.max(1, Math.ceil((count.until - Date.now()) / 1000))))
    tooMany(visit)
  }
}
