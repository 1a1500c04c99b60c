import { ValidationError, type ModelClass, type ModelRegistry, type Row } from '@fastback/core'
import { sentenceOf } from '@fastback/core/remote'
import { passwordErrors, passwordTooLong } from '../errors.js'
import { authService } from '../service.js'

/** In bytes. bcrypt ignores what is beyond; migrated hashes were made with that limit, so it stays. */
export const bcryptLength = 72

/** The limits that hold in a registry, or undefined where it has no policy. */
export function passwordLimits (registry: ModelRegistry): { minLength: number, maxLength: number } | undefined {
  const policy = authService(registry).passwordPolicy
  return policy === undefined
    ? undefined
    : { minLength: policy.minLength ?? 1, maxLength: policy.maxLength ?? bcryptLength }
}

/** Codes of the error for a password that is nothing but too short or too long, as clients know them. */
export const lengthCodes = { minLength: passwordErrors.tooShort.code, maxLength: passwordErrors.tooLong.code } as const

/** Passwords are compared in one form of Unicode, whatever keyboard they came from (OI-265). */
const normalPassword = (password: string): string => password.normalize('NFC')

/**
 * Refuses passwords that cannot be. Text only: everything else is left to the validation of the property.
 * @param property whose value it is, for the error
 * @throws ValidationError 422 for an empty one, or PASSWORD_TOO_SHORT or PASSWORD_TOO_LONG for one that the policy
 * refuses; without a policy RequestError 422 PASSWORD_TOO_LONG
 */
export function checkPassword (Model: ModelClass, given: unknown, property = 'password'): void {
  if (typeof given !== 'string') return
  if (given === '') throw emptyPassword(Model.modelName)
  const password = normalPassword(given)
  const length = Buffer.byteLength(password)
  const limits = passwordLimits(Model.registry)
  if (limits === undefined) {
    if (length > bcryptLength) throw passwordTooLong(bcryptLength, length)
    return
  }
  const { minLength, maxLength } = limits
  if (length > maxLength) throw tooLong(Model, property, maxLength)
  if ([...password].length < minLength) {
    throw refused(Model, property, 'minLength', { limit: minLength }, lengthCodes.minLength)
  }
}

/**
 * Refuses what is no secret: the account's own names, and the policy's words (OI-263).
 * @param accounts the rows that the password is for
 * @throws ValidationError 422 PASSWORD_TOO_COMMON
 */
function refuseCommon (
  Model: ModelClass, given: unknown, property: string, accounts: ReadonlyArray<Readonly<Row>>
): void {
  const policy = authService(Model.registry).passwordPolicy
  if (policy === undefined || typeof given !== 'string') return
  const folded = (text: string): string => normalPassword(text).toLowerCase()
  const password = folded(given)
  const names = accounts.flatMap(({ username, email }) =>
    [username, email, typeof email === 'string' ? email.slice(0, Math.max(0, email.lastIndexOf('@'))) : undefined])
  const isCommon = [...names, ...policy.words ?? []].some(name =>
    typeof name === 'string' && name !== '' && folded(name) === password)
  if (isCommon) throw refused(Model, property, 'common', {}, passwordErrors.common.code, passwordErrors.common.message)
}

/** Whom a password is for, and what frees it from the policy. */
export interface PasswordContext {
  readonly accounts?: ReadonlyArray<Readonly<Row>>
  /** `skipPasswordPolicy` of code in the process: the password must not be empty, and no longer than can be hashed. */
  readonly isFree?: boolean
}

/**
 * The same with everything else that the policy says.
 * @throws as `checkPassword`, ValidationError 422 PASSWORD_TOO_COMMON, PASSWORD_BREACHED, and what the check throws
 */
export async function acceptPassword (
  Model: ModelClass, password: unknown, property = 'password', { accounts = [], isFree = false }: PasswordContext = {}
): Promise<void> {
  if (isFree) {
    checkFree(Model, password, property)
    return
  }
  checkPassword(Model, password, property)
  refuseCommon(Model, password, property, accounts)
  const { isBreached, passwordPolicy: { check } = {} } = authService(Model.registry)
  if (typeof password !== 'string') return
  if (await isBreached?.(normalPassword(password), Model.modelName) === true) {
    throw refused(Model, property, 'breached', {}, passwordErrors.breached.code, passwordErrors.breached.message)
  }
  const answer = check === undefined ? undefined : await check(password, { model: Model.modelName })
  if (typeof answer === 'string') throw refused(Model, 'password', 'policy', {}, undefined, answer)
  if (answer === false) throw refused(Model, 'password', 'policy', {})
}

function checkFree (Model: ModelClass, password: unknown, property: string): void {
  if (typeof password !== 'string') return
  if (password === '') throw emptyPassword(Model.modelName)
  const max = passwordLimits(Model.registry)?.maxLength ?? bcryptLength
  if (Buffer.byteLength(normalPassword(password)) > max) throw tooLong(Model, property, max)
}

const tooLong = (Model: ModelClass, property: string, limit: number): ValidationError =>
  refused(Model, property, 'maxLength', { limit }, lengthCodes.maxLength)

/**
 * Whether a password that somebody logs in with is one that the policy would take today, as far as that is known
 * without asking others (OI-264).
 */
export function meetsPolicy (Model: ModelClass, password: string, account: Readonly<Row>): boolean {
  try {
    checkPassword(Model, password)
    refuseCommon(Model, password, 'password', [account])
    return true
  } catch {
    return false
  }
}

function refused (
  Model: ModelClass,
  property: string,
  code: string,
  info: Record<string, unknown>,
  errorCode?: string,
  message = sentenceOf(code, info) ?? 'must not be this one'
): ValidationError {
  const error = new ValidationError(Model.modelName, [{ path: `.${property}`, code, message, info }])
  if (errorCode !== undefined) error.code = errorCode
  return error
}

function emptyPassword (modelName: string): ValidationError {
  const error = new ValidationError(modelName, [
    { path: '.password', code: 'presence', message: "can't be blank", info: {} }
  ])
  error.code = 'INVALID_PASSWORD'
  error.message = 'Invalid password.'
  return error
}
