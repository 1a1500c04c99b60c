/** What happens to accounts whenever they are stored or removed, whichever way: over REST, by a relation, in bulk, or by code. */
import { createsRow, findRows, type HookContext, type MaybePromise, type ModelClass, type Row } from '@fastback/core'
import { passwordChangeNotAllowed } from '../errors.js'
import { checkPassword } from '../passwords/check-password.js'
import { isHash } from '../passwords/hasher.js'
import { authService } from '../service.js'
import { endTokens } from './end-tokens.js'
import { isExternal, quietly } from './external.js'
import type { UserSettings } from './user-model.js'

/** What the hooks of one operation hand on. */
interface Change {
  /** The rows as they were. */
  readonly before: readonly Row[]
  readonly passwordChanges: boolean
  hash?: string
}

const kChange = Symbol('fastback.accountChange')

const changeOf = (context: HookContext): Change | undefined => (context.hookState as { [kChange]?: Change })[kChange]
const modelOf = (context: HookContext): ModelClass => context.Model as ModelClass

/** Puts the hooks on the built-in user model; those that extend it inherit them. */
export function observeUsers (User: ModelClass): void {
  User.observe('access', lowerCaseCondition)
  User.observe('before save', beforeSave)
  User.observe('persist', hashPassword)
  User.observe('after save', afterSave)
  User.observe('before delete', rememberRemoved)
  User.observe('after delete', endTokensOfRemoved)
}

/** `caseSensitiveEmail: false`: conditions on e-mails compare in lower case, as they are stored. */
function lowerCaseCondition (context: HookContext): void {
  const { where } = context.query ?? {}
  if (modelOf(context).settings.caseSensitiveEmail !== false || where === null || typeof where !== 'object') return
  const { email } = where as { email?: unknown }
  if (typeof email === 'string') (where as { email?: unknown }).email = email.toLowerCase()
}

async function beforeSave (context: HookContext): Promise<void> {
  const Model = modelOf(context)
  const settings = Model.settings as UserSettings
  const target = (context.instance ?? context.data) as Row
  const external = isExternal(context.options)
  if (settings.caseSensitiveEmail === false && typeof target.email === 'string') target.email = target.email.toLowerCase()
  if (createsRow(context)) {
    if (external) protectNew(target)
    checkPassword(Model.modelName, target.password)
    return
  }
  const before = await rowsBefore(context)
  if (external) protectExisting(context, target, before[0])
  const passwordChanges = target.password !== undefined && !(before.length === 1 && before[0]?.password === target.password && !external)
  if (passwordChanges) {
    checkPassword(Model.modelName, target.password)
    if (settings.rejectPasswordChangesViaPatchOrReplace === true && context.options.setPassword !== true) throw passwordChangeNotAllowed()
  }
  if (settings.emailVerificationRequired === true && target.email !== undefined && before.some(row => row.email !== target.email)) target.emailVerified = false
  ;(context.hookState as { [kChange]?: Change })[kChange] = { before, passwordChanges }
}

/** Registration cannot say that an address is verified; what it says is answered with false, as LoopBack does. */
function protectNew (target: Row): void {
  if (target.emailVerified !== undefined) target.emailVerified = false
  delete target.verificationToken
}

/** Nor can later changes; an account stays in its realm. */
function protectExisting ({ instance }: HookContext, target: Row, before: Row | undefined): void {
  delete target.verificationToken
  delete target.emailVerified
  delete target.realm
  // A replacement loses what it does not name; the realm is not the client's to lose.
  if (instance !== undefined && before?.realm !== undefined) target.realm = before.realm
}

/** The rows that an update is about, where it matters what they were. */
function rowsBefore ({ instance, data, where, ...context }: HookContext): MaybePromise<readonly Row[]> {
  const model = (context.Model as ModelClass).compiled
  if (instance === undefined && data?.email === undefined && data?.password === undefined) return []
  const idName = model.id?.name ?? 'id'
  const condition = instance === undefined ? where : { [idName]: instance[idName] }
  if (instance !== undefined && instance[idName] === undefined) return []
  return findRows(model, { where: condition }, quietly(context.options))
}

/** After validation, so that what is refused anyway costs nothing. A ready-made hash is taken from code in the process only. */
async function hashPassword (context: HookContext): Promise<void> {
  const { data } = context
  const change = changeOf(context)
  if (typeof data?.password !== 'string' || change?.passwordChanges === false) return
  if (!isExternal(context.options) && isHash(data.password)) return
  data.password = await authService(modelOf(context).registry).hasher.hash(data.password)
  Object.assign(context.hookState, { [kHash]: data.password })
}

const kHash = Symbol('fastback.passwordHash')

async function afterSave (context: HookContext): Promise<void> {
  const { instance, data, options } = context
  const hash = (context.hookState as { [kHash]?: string })[kHash]
  // The instance of a create still has what it was given.
  if (instance !== undefined && hash !== undefined) instance.password = hash
  const change = changeOf(context)
  if (change === undefined || options.preserveAccessTokens === true) return
  const Model = modelOf(context)
  const idName = Model.getIdName() ?? 'id'
  const email = (instance ?? data)?.email
  const concerned = change.before.filter(row => change.passwordChanges || (email !== undefined && row.email !== email))
  if (concerned.length === 0) return
  await endTokens(Model, concerned.map(row => row[idName]), { ...options, keep: true })
  for (const row of concerned) authService(Model.registry).audit({ event: change.passwordChanges ? 'password changed' : 'e-mail changed', model: Model.modelName, userId: row[idName] })
}

const kRemoved = Symbol('fastback.removedAccounts')

async function rememberRemoved (context: HookContext): Promise<void> {
  const { compiled } = modelOf(context)
  const idName = compiled.id?.name ?? 'id'
  const rows = await findRows(compiled, { where: context.where, fields: [idName] }, quietly(context.options))
  Object.assign(context.hookState, { [kRemoved]: rows.map(row => row[idName]) })
}

async function endTokensOfRemoved (context: HookContext): Promise<void> {
  const ids = (context.hookState as { [kRemoved]?: unknown[] })[kRemoved] ?? []
  await endTokens(modelOf(context), ids, { transaction: context.options.transaction })
}
