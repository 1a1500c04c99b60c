/** `prompt=select_account` at the built-in login page: going on as the user who is logged in (OI-95). */
import type { Provider } from '../../provider.js'
import { loginOf, type Session } from '../../session/sessions.js'
import { requestKey } from './interaction-request.js'

/**
 * Key of the waiting request, where it leaves the choice to the user: somebody is logged in, and no new login is asked
 * for as well.
 */
function keyOf ({ states }: Provider, { data }: Session): string | undefined {
  const asked = data.pending?.prompt?.split(' ') ?? []
  return asked.includes('select_account') && !asked.includes('login') && data.pending !== undefined
    ? requestKey(data.pending, states.digest)
    : undefined
}

/** Who can go on without a login; undefined: nobody. */
export async function choiceOf (provider: Provider, session: Session): Promise<string | undefined> {
  const userId = loginOf(session)
  if (provider.openId === undefined || userId === undefined || keyOf(provider, session) === undefined) return undefined
  const user = await provider.users.byId(userId)
  return user === undefined ? undefined : provider.users.nameFor(user)
}

/** Notes that the user goes on with this account: false where there was nothing to choose. */
export async function choose (provider: Provider, session: Session): Promise<boolean> {
  const key = loginOf(session) === undefined ? undefined : keyOf(provider, session)
  if (provider.openId === undefined || key === undefined) return false
  await provider.openId.logins.waiting.choose(session, key)
  return true
}
