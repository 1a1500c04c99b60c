/** Accounts that a user who is logged in adds to his own (login.md, section 5). */
import { authService } from '@fastback/auth/service'
import { isRemote, RequestError, type HookContext, type ModelClass, type ModelInstance } from '@fastback/core'
import { createsRow, deleteNamed, findRows, updateRows } from '@fastback/core/remote'
import { Accounts } from './accounts.js'
import { LoginFailure } from './errors.js'
import { idOf, storable, type Profile } from './profile.js'
import { mergedCredentials } from './provider-tokens.js'

type Rows = ModelClass & {
  find (filter: object): Promise<ModelInstance[]>
  create (data: object): Promise<ModelInstance>
}

const quiet = { notify: false }

/** Stores the account for the user; the same one again updates it. */
export async function linkCredential (Credential: ModelClass, userId: unknown, provider: string, authScheme: string,
  given: Profile, credentials: object): Promise<ModelInstance> {
  const Rows = Credential as Rows
  const externalId = idOf(given?.id)
  const profile = storable({ ...given, id: externalId })
  const rows = await Rows.find({ where: { userId, provider, externalId }, limit: 20 })
  const before = rows.find(row => row.provider === provider && row.externalId === externalId)
  const modified = new Date()
  if (before === undefined) {
    return await Rows.create({
      userId, provider, externalId, authScheme, profile, credentials, created: modified,
      modified
    })
  }
  await (before.updateAttributes as (data: object) => Promise<unknown>)({
    authScheme, profile, credentials: mergedCredentials(before.credentials, credentials), modified
  })
  return before
}

/** The same account logs the user in from now on (LG-64). @throws LoginFailure IDENTITY_IN_USE */
export async function linkIdentity (accounts: Accounts, userId: unknown, provider: string, authScheme: string,
  given: Profile, credentials: object): Promise<void> {
  const externalId = idOf(given?.id)
  const before = await accounts.identityOf(provider, externalId)
  if (before !== undefined) {
    if (String(before.userId) === String(userId)) return
    throw new LoginFailure('IDENTITY_IN_USE', 'the account is another user\'s')
  }
  const profile = storable({ ...given, id: externalId })
  const now = new Date()
  try {
    await (accounts.Identity as Rows).create({
      userId, provider, externalId, authScheme, profile, credentials, created: now, modified: now, madeUser: false
    })
  } catch (error) {
    const other = await accounts.identityOf(provider, externalId)
    if (other === undefined) throw error
    if (String(other.userId) !== String(userId)) throw new LoginFailure('IDENTITY_IN_USE', 'the account is another user\'s')
  }
  authService(accounts.User.registry).audit({
    event: 'identity linked', model: accounts.User.modelName, userId, provider
  })
}

/**
 * Removes accounts elsewhere of users who are removed: they log nobody in to the next one with that id (security.md,
 * S-177).
 */
export async function endAccounts (
  Model: ModelClass, userIds: readonly unknown[], options: Record<string, unknown>
): Promise<void> {
  if (Model.dataSource !== null) await deleteNamed(Model.compiled, 'userId', userIds, { ...options, ...quiet })
}

/** Properties that say whose an account is: nobody outside writes them (LG-96). */
const fixed = ['userId', 'provider', 'externalId', 'authScheme', 'credentials', 'profile', 'madeUser', 'appId']

const writtenFromOutside = (): RequestError =>
  new RequestError(403, 'Accounts of third parties are stored by a login alone', { code: 'IDENTITY_CLOSED' })

export const lastLogin = (): RequestError =>
  new RequestError(409, 'This is the last way to log in: set a password or link another account first', {
    code: 'LAST_LOGIN'
  })

/** What comes over the network makes no account, and changes none. */
export function closeWrites (Model: ModelClass): void {
  Model.observe('before save', (context: HookContext) => {
    if (!isRemote(context.options)) return
    if (createsRow(context) || context.instance !== undefined) throw writtenFromOutside()
    const data = context.data as Record<string, unknown>
    for (const name of fixed) delete data[name]
  })
}

/** The last way to log in stays (LG-67); a mark goes over to another account of the same user. */
export function refuseLastUnlink (Identity: ModelClass): void {
  Identity.observe('before delete', async (context: HookContext) => {
    if (!isRemote(context.options)) return
    const Model = context.Model as ModelClass
    const idName = Model.getIdName() ?? 'id'
    const rows = await findRows(Model.compiled, { where: context.where }, quiet)
    for (const userId of new Set(rows.map(row => row.userId))) {
      const all = await findRows(Model.compiled, { where: { userId } }, quiet)
      const gone = rows.map(row => String(row[idName]))
      const left = all.filter(row => !gone.includes(String(row[idName])))
      const isMarked = all.some(row => row.madeUser === true)
      if (left.length === 0 && isMarked) throw lastLogin()
      if (isMarked && !left.some(row => row.madeUser === true)) {
        await updateRows(Model.compiled, { [idName]: left[0]?.[idName] }, { madeUser: true }, quiet)
      }
    }
  })
}
