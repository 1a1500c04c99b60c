/**
 * Whose devices rows are. A device is told what concerns its user long after the token that registered it has ended: so
 * programs register none for their users, and it ends where the rights of its user do (security.md, S-193).
 */
import { isRemote, type ModelClass, type OperationOptions } from '@fastback/core'
import { deleteRows, isTokenOfProgram, knownUsersIn, relationsOf, type UsersChanged } from '@fastback/core/remote'
import { notForClients } from '../errors.js'

/** The property that says of which model the user of a row is: that of a polymorphic relation by `userId`. */
export function typeOfUser (Model: ModelClass): string | undefined {
  for (const relation of relationsOf(Model).values()) {
    const { foreignKey, polymorphic } = relation as typeof relation & {
      readonly foreignKey?: string, readonly polymorphic?: { readonly discriminator: string }
    }
    if (relation.type !== 'belongsTo' || foreignKey !== 'userId') continue
    if (polymorphic !== undefined) return polymorphic.discriminator
  }
}

/**
 * Refuses a program with a user's token, unless the model's setting `clients` has it, or the method names a scope that
 * the token has. A device that is nobody's is told nothing of anybody.
 * @throws RequestError 403 INSTALLATIONS_NOT_FOR_CLIENT
 */
export function mustBeUser ({ settings: { clients } }: ModelClass, options: OperationOptions): void {
  const { accessToken } = options
  if (!isRemote(options) || !isTokenOfProgram(accessToken) || accessToken.isNamed) return
  const { userId, appId } = accessToken
  if (userId === undefined || userId === null) return
  if (!Array.isArray(clients) || !clients.includes(String(appId))) throw notForClients()
}

/** Of whoever has another address or another second factor, the devices are theirs still. */
const reasons: ReadonlySet<UsersChanged['reason']> = new Set(['password', 'deletion', 'lock'])

/** Removes devices of users who change their password, are locked or removed: another may have registered them. */
export function endWithUsers (Installation: ModelClass): void {
  const { registry } = Installation
  const users = knownUsersIn(registry)
  users.changed.add(async ({ model, userIds, reason, transaction }) => {
    if (!reasons.has(reason) || Installation.dataSource === null) return
    const names = typeOfUser(Installation)
    // Where several models have users, an id without its model is nobody's.
    if (names === undefined && users.models().length > 1) return
    const where = { userId: { inq: userIds.map(String) }, ...(names === undefined ? {} : { [names]: model }) }
    const isNear = transaction !== undefined && registry.findModel(model)?.dataSource === Installation.dataSource
    await deleteRows(Installation.compiled, where, { notify: false, ...(isNear ? { transaction } : {}) })
  })
}
