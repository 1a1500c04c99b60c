/** A login that is good and lacks a factor: only that one is asked for (OI-100). */
import { authService } from '@fastback/auth/service'
import type { MaybePromise, Row } from '@fastback/core'
import type { Provider } from '../../provider.js'
import type { Session } from '../../session/sessions.js'
import type { FactorKind } from './levels.js'

/** Kinds that a user has confirmed; none where second factors are off. */
export function factorsOf ({ registry, users }: Provider, user: Readonly<Row>): MaybePromise<readonly FactorKind[]> {
  return authService(registry).secondFactors(users.Model)?.of(users.idOf(user)) ?? []
}

/** Says in a session, which stays logged in, that its user is at the page for second factors (OI-253). */
export function startStepUp ({ users }: Provider, { data }: Session, user: Readonly<Row>): void {
  data.halfway = { userId: users.idOf(user), since: Math.floor(Date.now() / 1000), wrong: 0 }
}
