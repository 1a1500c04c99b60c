/** A flood of requests at the beginning of logins (LG-99). */
import { attemptsOf } from '@fastback/auth/service'
import type { Entry } from './entry.js'
import type { Logins } from './logins.js'
import type { Visit } from './visit.js'

export const tooMany = (visit: Visit): void => {
  visit.json(429, {
    error: { statusCode: 429, name: 'Error', code: 'TOO_MANY_REQUESTS', message: 'Too many attempts, try again later' }
  })
}

/** Lets so many requests of an address through in a time. */
export function limited (logins: Logins, entry: Entry, handle: (visit: Visit) => Promise<void>) {
  return async (visit: Visit): Promise<void> => {
    const { rateLimit } = logins.settings
    if (rateLimit === undefined || visit.method === 'HEAD') { await handle(visit); return }
    const count = await attemptsOf(logins.registry).counter.take(`login ${entry.name} ${visit.ip ?? ''}`, rateLimit)
    if (count.allowed) { await handle(visit); return }
    visit.sides.setHeader('retry-after', String(Math.max(1, Math.ceil((count.until - Date.now()) / 1000))))
    tooMany(visit)
  }
}
