/** Somebody who has proved one factor at the login page, and is asked for another (openid.md, OI-252, OI-253). */
import { accountVersion, isSameText } from '@fastback/auth/service'
import type { Row } from '@fastback/core'
import type { Provider } from '../provider.js'
import { loginOf, type Halfway, type Session } from '../session/sessions.js'

/** Seconds that somebody may be half-way. */
const halfwayAge = 300
/** Wrong proofs after which the login begins anew. */
const mostWrong = 5

export interface HalfwayUser {
  readonly session: Session
  readonly halfway: Halfway
  readonly user: Row
  /** Whether they are logging in, and have just proved their password; otherwise a login that is there steps up. */
  readonly isLogin: boolean
}

/** The address of a page that says what was wrong. */
export const withQuery = (page: string, query: Readonly<Record<string, string>>): string =>
  `${page}${page.includes('?') ? '&' : '?'}${new URLSearchParams(query).toString()}`

/** Who is half-way in a session, as they are in the store now. */
export async function whoIsHalfway (
  { users }: Provider, session: Session | undefined
): Promise<HalfwayUser | undefined> {
  const halfway = session?.data.halfway
  if (session === undefined || halfway === undefined) return undefined
  if (halfway.since + halfwayAge < Date.now() / 1000) return undefined
  const user = await users.byId(halfway.userId)
  if (user === undefined) return undefined
  const { passwordVersion } = halfway
  const isLogin = passwordVersion !== undefined
  // A step-up is of the session's own login, which ends with its user's credentials.
  const isGood = isLogin
    ? isSameText(passwordVersion, accountVersion(user))
    : String(loginOf(session)) === String(halfway.userId)
  return isGood ? { session, halfway, user, isLogin } : undefined
}

/** After five the login begins anew (OI-252). True: this was the last one. */
export async function noteWrong ({ sessions }: Provider, { session, halfway }: HalfwayUser): Promise<boolean> {
  const wrong = halfway.wrong + 1
  const isOver = wrong >= mostWrong
  session.data.halfway = isOver ? undefined : { ...halfway, wrong }
  await sessions.save(session)
  return isOver
}
