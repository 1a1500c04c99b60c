/** Where people go on when they have logged in. */
import type { Session } from '../session/sessions.js'
import type { Settings } from '../settings.js'

/**
 * Where a login that took place in a session leads: to the request of a client that waits in it, or to the page that it
 * was asked for. Undefined: nothing waits.
 * @param before the session as it was before the login
 */
export function nextAfterLogin ({ paths }: Settings, before: Session | undefined): string | undefined {
  const { pending, page, query } = before?.data ?? {}
  const at = page === undefined ? undefined : paths[page]
  if (at !== undefined) return query === undefined ? at : `${at}?${new URLSearchParams(query).toString()}`
  return pending === undefined || paths.authorize === undefined
    ? undefined
    : `${paths.authorize}?${new URLSearchParams(pending).toString()}`
}
