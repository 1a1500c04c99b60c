/**
 * A subscription lives by the rights of its user, and outlives the token that made it. When the user's password
 * changes, or the account is locked, whoever made it may have been somebody else: it is switched off, as tokens end
 * (security.md, S-73, S-148). With the account it is removed.
 */
import type { ModelClass } from '@fastback/core'
import { deleteNamed, knownUsersIn, updateRows, type UsersChanged } from '@fastback/core/remote'

const reasons: ReadonlySet<UsersChanged['reason']> = new Set(['password', 'deletion', 'lock'])

const note = 'Switched off: the password of its user was changed, or the account locked.'

/**
 * Switches the subscriptions of users off whose credentials change.
 * @returns what ends this
 */
export function endWithCredentials (Subscription: ModelClass): () => void {
  const { registry } = Subscription
  const users = knownUsersIn(registry)
  const listener = async ({ model, userIds, reason, transaction }: UsersChanged): Promise<void> => {
    if (!reasons.has(reason)) return
    // With one user model tokens do not say whose they are.
    const names = users.models().length > 1 ? [model] : [model, '']
    const keys = userIds.flatMap(id => names.map(name => JSON.stringify([name, String(id)])))
    const isNear = transaction !== undefined && registry.findModel(model)?.dataSource === Subscription.dataSource
    const options = { notify: false, ...isNear ? { transaction } : {} }
    if (reason === 'deletion') {
      // The next one with the id has none of them (security.md, S-177).
      await deleteNamed(Subscription.compiled, 'userKey', keys, options)
      return
    }
    await updateRows(
      Subscription.compiled, { userKey: { inq: keys }, active: true }, { active: false, note }, options)
  }
  users.changed.add(listener)
  return () => { users.changed.delete(listener) }
}
