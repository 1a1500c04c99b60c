/** What follows from a change of a user's factors: others are told, other logins end (security.md, S-73). */
import type { ModelClass, Row } from '@fastback/core'
import { updateRows } from '@fastback/core/remote'
import { authService } from '../service.js'
import type { CredentialsChanged, CredentialsContext } from '../user/credentials-changed.js'
import { withinChange } from '../user/credentials-changed.js'
import { tokensOf, type UserModel } from '../user/user-model.js'
import { idOfUser } from './account.js'
import type { FactorKind } from './factor-way.js'
import type { SecondFactors } from './second-factors.js'

/** What the event `secondFactorChanged` of the user model says. */
export interface SecondFactorChange {
  readonly change: 'enrolled' | 'removed' | 'renewed'
  /** Undefined: all of them. */
  readonly kind: FactorKind | undefined
}

const events = { enrolled: 'second factor enrolled', removed: 'second factor removed', renewed: 'recovery codes renewed' }

/**
 * Tells of a change: the audit log, all who keep rights of the user, and the application (the event
 * `secondFactorChanged` of the model, for a mail to the user).
 * @param accessToken that of the request, which goes on
 */
export async function tellOfFactors (
  Model: UserModel, user: Readonly<Row>, { change, kind }: SecondFactorChange, accessToken?: unknown
): Promise<void> {
  const { credentials, audit } = authService(Model.registry)
  const userId = idOfUser(Model, user)
  await credentials.tell({ model: Model.modelName, userIds: [userId], reason: 'second factor' }, { accessToken })
  audit({ event: events[change], model: Model.modelName, userId, kind })
  setImmediate(() => {
    try {
      Model.emit('secondFactorChanged', { user, change, kind })
    } catch (err) {
      Model.registry.log.warn({ err, model: Model.modelName }, 'a listener to "secondFactorChanged" failed')
    }
  })
}

/** A token whose user has just proven a second factor says so. */
export async function addToToken (Model: ModelClass, accessToken: unknown, amr: readonly string[]): Promise<void> {
  const TokenModel = tokensOf(Model)?.TokenModel
  const idName = TokenModel?.getIdName() ?? 'id'
  const token = accessToken as Row | null | undefined
  const id = token?.[idName]
  if (TokenModel === undefined || typeof id !== 'string') return
  const all = [...new Set([...Array.isArray(token?.amr) ? token.amr as string[] : ['pwd'], ...amr])]
  await updateRows(TokenModel.compiled, { [idName]: id }, { amr: all })
}

/**
 * Ends what was given out for users whose credentials changed; nothing of a deleted user stays for the next one with
 * its id.
 */
export function endOfCredentials (factors: SecondFactors) {
  return async (event: CredentialsChanged, context: CredentialsContext): Promise<void> => {
    if (event.model !== factors.Model.modelName || event.before !== undefined) return
    const { UserFactor, UserChallenge } = factors.models
    const kinds = event.reason === 'deletion' ? undefined : ['device'] as const
    await factors.rows.removeAll(event.userIds, kinds, withinChange(UserFactor, event, context))
    await factors.challenges.end(event.userIds, withinChange(UserChallenge, event, context))
  }
}
