/** A login that is good and lacks a factor: only that one is asked for (OI-100). */
import { authService } from '@fastback/auth/service'
import type { MaybePromise, ModelClass, Row } from '@fastback/core'
import type { Provider } from '../../provider.js'
import type { Session } from '../../session/sessions.js'
import type { FactorKind } from './levels.js'

/** As much of the accounts' second factors as is needed here; absent where they are off. */
interface WithFactors {
  secondFactors? (Model: ModelClass): { of (userId: unknown): MaybePromise<readonly FactorKind[]> } | undefined
}

/** Kinds that a user has confirmed; none where second factors are off. */
export function factorsOf ({ registry, users }: Provider, user: Readonly<Row>): MaybePromise<readonly FactorKind[]> {
  const service: WithFactors = authService(registry) as WithFactors
  return service.secondFactors?.(users.Model)?.of(users.idOf(user)) ?? []
}

/** Says in a session, which stays logged in, that its user is at the page for second factors (OI-253). */
export function startStepUp ({ users }: Provider, { data }: Session, user: Readonly<Row>): void {
  data.halfway = { userId: users.idOf(user), since: Math.floor(Date.now() / 1000), wrong: 0 }
}
