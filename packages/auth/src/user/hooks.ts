/**
 * What happens to accounts whenever they are stored or removed, whichever way: over REST, by a relation, in bulk, or by
 * code.
 */
import { isRemote, type HookContext, type MaybePromise, type ModelClass, type Row } from '@fastback/core'
import { createsRow, findRows, isSettled, LEADING, settleValue, validateAhead } from '@fastback/core/remote'
import { passwordChangeNotAllowed, SetPasswordOptionError } from '../errors.js'
import { isHash } from '../passwords/hasher.js'
import { isFreed } from '../passwords/freed.js'
import { ACCEPTED, acceptNewPassword, hashNewPassword } from '../passwords/new-password.js'
import { authService } from '../service.js'
import { isDelegated, refuseDelegated } from '../tokens/delegated.js'
import { changesIdentity, identityNames } from './identity.js'
import { isClosed } from './locked.js'
import { quietly } from './own-options.js'
import type { UserModel, UserSettings } from './user-model.js'
import { canVerify } from './verify.js'

/** What the hooks of one operation hand on. */
interface Change {
  /** The rows as they were; undefined while nobody has asked for them. */
  before: readonly Row[] | undefined
  passwordChanges: boolean
}

const kChange = Symbol('fastback.accountChange')

const changeOf = (context: HookContext): Change | undefined => (context.hookState as { [kChange]?: Change })[kChange]
const modelOf = (context: HookContext): ModelClass => context.Model as ModelClass

/**
 * Puts the hooks on the built-in user model; those that extend it inherit them. Before a save the framework's comes
 * first of all: no other sees a password (security.md, S-96).
 */
export function observeUsers (User: ModelClass): void {
  User.observe('access', lowerCaseCondition)
  User.observe('before save', Object.assign(beforeSave, { [LEADING]: true }))
  User.observe('persist', persist)
  User.observe('after save', afterSave)
  User.observe('before delete', rememberRemoved)
  User.observe('after delete', tellOfRemoved)
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
  const external = isRemote(context.options)
  const guarded = settings.rejectPasswordChangesViaPatchOrReplace === true
  const setsPassword = context.options.setPassword === true
  if (settings.caseSensitiveEmail === false && typeof target.email === 'string') {
    target.email = target.email.toLowerCase()
  }
  if (createsRow(context)) {
    if (external) protectNew(target)
    if (external || !isHash(target.password)) await seal(context, target)
    return
  }
  // The option opens what the setting closes, for the password alone.
  if (guarded && setsPassword && Object.keys(target).some(name => name !== 'password')) {
    throw new SetPasswordOptionError(Model.modelName)
  }
  const before = asksForRows(context) ? await rowsBefore(context) : undefined
  if (before !== undefined && changesIdentity(before, target,
    context.instance !== undefined)) refuseDelegated(context.options.accessToken)
  if (external) protectExisting(context, target, before?.[0])
  const change: Change = { before, passwordChanges: isNewPassword(before, target.password, external) }
  if (change.passwordChanges) {
    const isPlain = external || !isHash(target.password)
    if (isPlain) await accept(context, target.password, [target, ...before ?? []])
    if (guarded && !setsPassword) throw passwordChangeNotAllowed()
    if (isPlain) await hash(context, target)
  }
  if (target.email !== undefined && before?.some(row => row.email !== target.email) === true) {
    forgetProof(context, target, before)
  }
  ;(context.hookState as { [kChange]?: Change })[kChange] = change
}

/** Puts the hash in the place of a password, once it is known to be one: hooks of the application see no other. */
async function seal (context: HookContext, target: Row): Promise<void> {
  await accept(context, target.password, [target])
  await hash(context, target)
}

async function accept (context: HookContext, password: unknown, accounts: readonly Row[]): Promise<void> {
  const { [ACCEPTED]: accepted } = context.options as { [ACCEPTED]?: unknown }
  if (accepted !== undefined && accepted === password) return
  await acceptNewPassword(modelOf(context), password, 'password', { accounts, isFree: isFreed(context.options) })
}

async function hash (context: HookContext, target: Row): Promise<void> {
  if (typeof target.password !== 'string') return
  await validateAhead(context, 'password')
  target.password = await hashNewPassword(modelOf(context), target.password)
  settleValue(context, 'password', target.password)
  Object.assign(context.hookState, { [kHash]: target.password })
}

const kHash = Symbol('fastback.passwordHash')

/** Code in the process that writes back what it has read changes no password. */
const isNewPassword = (before: readonly Row[] | undefined, password: unknown, external: boolean): boolean =>
  password !== undefined && !(before?.length === 1 && before[0]?.password === password && !external)

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

/**
 * What proved an address says nothing of another one (security.md, S-152): it is not verified any more, and the link
 * that went to the old address verifies nothing. Code in the process may say otherwise in the same write.
 */
function forgetProof (context: HookContext, target: Row, before: readonly Row[]): void {
  const Model = modelOf(context) as UserModel
  const tokens = before.map(({ verificationToken }) => verificationToken ?? undefined)
  // A message may go out, and a link be opened, before this write is stored: what the rows were decides nothing then.
  const mayBeProven = tokens.some(token => token !== undefined) || canVerify(Model)
  const isSilent = isRemote(context.options) || (context.data !== undefined && target.emailVerified === undefined)
  if (Model.settings.emailVerificationRequired === true ||
    (isSilent && (mayBeProven || before.some(({ emailVerified }) => emailVerified === true)))) {
    target.emailVerified = false
  }
  const given = target.verificationToken ?? undefined
  const isNew = given !== undefined && !tokens.includes(given)
  if (!isNew && mayBeProven) target.verificationToken = null
}

/**
 * Whether it matters what the rows were. What is no password, no address and no lock matters where the token does not
 * let it be changed.
 */
function asksForRows ({ Model, instance, data, options }: HookContext): boolean {
  if (instance !== undefined || data?.password !== undefined || data?.email !== undefined) return true
  if (data !== undefined && isClosed(Model as ModelClass, data as Row)) return true
  return isDelegated(options.accessToken) && identityNames.some(name => data?.[name] !== undefined)
}

/** The rows that a change is about. */
function rowsBefore ({ instance, where, ...context }: HookContext): MaybePromise<readonly Row[]> {
  const model = (context.Model as ModelClass).compiled
  const idName = model.id?.name ?? 'id'
  if (instance !== undefined && instance[idName] === undefined) return []
  return findRows(model, { where: instance === undefined ? where : { [idName]: instance[idName] } },
    quietly(context.options))
}

/**
 * What will be stored is known now, whoever set it: a password that a hook of the application set is hashed here. A
 * ready-made hash is taken from code in the process only.
 */
async function persist (context: HookContext): Promise<void> {
  const { data } = context
  const change = changeOf(context)
  const changes = (data as Row | undefined) ?? {}
  const matters = changes.password !== undefined || changes.email !== undefined || isClosed(modelOf(context), changes)
  if (change !== undefined && change.before === undefined && matters) {
    change.before = await rowsBefore(context)
  }
  const external = isRemote(context.options)
  if (change !== undefined) change.passwordChanges = isNewPassword(change.before, data?.password, external)
  if (typeof data?.password !== 'string' || change?.passwordChanges === false) return
  if (isSettled(context, 'password', data.password) || (!external && isHash(data.password))) return
  await accept(context, data.password, [data as Row, ...change?.before ?? []])
  data.password = await hashNewPassword(modelOf(context), data.password)
  Object.assign(context.hookState, { [kHash]: data.password })
}

async function afterSave (context: HookContext): Promise<void> {
  const { instance, data, options } = context
  const hash = (context.hookState as { [kHash]?: string })[kHash]
  // The instance of a create still has what it was given.
  if (instance !== undefined && hash !== undefined) instance.password = hash
  const change = changeOf(context)
  if (change?.before === undefined || options.preserveAccessTokens === true) return
  const Model = modelOf(context)
  const { passwordChanges, before } = change
  const now = (instance ?? data ?? {}) as Row
  const locks = isClosed(Model, now) && before.some(row => !isClosed(Model, row))
  const concerned = before.filter(row =>
    passwordChanges || (now.email !== undefined && row.email !== now.email) || (locks && !isClosed(Model, row)))
  if (concerned.length === 0) return
  const { credentials, audit } = authService(Model.registry)
  const userIds = concerned.map(row => row[Model.getIdName() ?? 'id'])
  const reason = locks ? 'lock' : passwordChanges ? 'password' : 'email'
  // Of whoever is locked nothing goes on, the token of this request neither.
  const kept = locks ? undefined : options.accessToken
  await credentials.tellOfChange(context, { model: Model.modelName, userIds, reason }, kept)
  for (const userId of userIds) audit({ event: eventOf[reason], model: Model.modelName, userId })
}

const eventOf = { lock: 'account locked', password: 'password changed', email: 'e-mail changed' } as const

const kRemoved = Symbol('fastback.removedAccounts')

async function rememberRemoved (context: HookContext): Promise<void> {
  refuseDelegated(context.options.accessToken)
  const { compiled } = modelOf(context)
  const idName = compiled.id?.name ?? 'id'
  const rows = await findRows(compiled, { where: context.where, fields: [idName] }, quietly(context.options))
  Object.assign(context.hookState, { [kRemoved]: rows.map(row => row[idName]) })
}

async function tellOfRemoved (context: HookContext): Promise<void> {
  const userIds = (context.hookState as { [kRemoved]?: unknown[] })[kRemoved] ?? []
  const { modelName, registry } = modelOf(context)
  await authService(registry).credentials.tellOfChange(context, { model: modelName, userIds, reason: 'deletion' })
}
