/** Login by user name or address and password (LG-57, LG-58). */
import { accountId, accountName, attemptsOf, authService, isPasswordOf, normalEmail } from '@fastback/auth/service'
import type { ModelClass, ModelInstance } from '@fastback/core'
import type { Entry } from '../entry.js'
import { LoginFailure } from '../errors.js'
import { proveSecondFactor } from '../second-factor.js'
import type { Visit } from '../visit.js'

interface Users extends ModelClass {
  findOne (filter: object): Promise<ModelInstance | null>
  login (credentials: object): Promise<ModelInstance>
}

/** Who logged in, and the token where the entry asks for one (LG-31). */
export interface LocalLogin {
  readonly user: ModelInstance
  readonly token: ModelInstance | undefined
  /** How the login was proven (RFC 8176). */
  readonly amr: readonly string[]
}

export const fieldsOf = ({ options }: Entry): { username: string, password: string } => ({
  username: typeof options.usernameField === 'string' ? options.usernameField : 'username',
  password: typeof options.passwordField === 'string' ? options.passwordField : 'password'
})

/**
 * @throws LoginFailure LOGIN_FAILED whatever was wrong; TooManyAttempts 429
 */
export async function localLogin (entry: Entry, User: ModelClass, visit: Visit): Promise<LocalLogin> {
  const form = await visit.form()
  const fields = fieldsOf(entry)
  const [name, password] = [form[fields.username], form[fields.password]]
  if (typeof name !== 'string' || name === '' || typeof password !== 'string' || password === '') {
    throw new LoginFailure('LOGIN_FAILED', 'no name or no password')
  }
  const service = authService(User.registry)
  const idName = User.getIdName() ?? 'id'
  const user = await userNamed(User as Users, name, form.realm)
  const reservation = await attemptsOf(User.registry).users?.reserve({
    what: 'login',
    address: visit.ip,
    name: accountName(User.modelName, { name }),
    id: user === null ? undefined : accountId(User.modelName, user[idName])
  })
  // Nobody takes as long as a wrong password.
  const isRight = user === null
    ? await service.hasher.verify(password, undefined)
    : await isPasswordOf(user, password)
  if (user === null || !isRight || user.emailVerified !== true) {
    service.audit({ event: 'login failed', model: User.modelName, userId: user?.[idName], account: name })
    throw new LoginFailure('LOGIN_FAILED', 'wrong name or password, or the address is not verified')
  }
  await reservation?.succeeded()
  if (entry.options.setAccessToken !== true) {
    const amr = await proveSecondFactor(User, user, { form, by: 'pwd', isKnown: false })
    return { user, token: undefined, amr: amr ?? ['pwd'] }
  }
  const credentials = typeof user.username === 'string' && user.username !== ''
    ? { username: user.username }
    : { email: user.email }
  const { otp, recoveryCode } = form
  try {
    const token = await (User as Users).login({ ...credentials, realm: user.realm, password, otp, recoveryCode })
    return { user, token, amr: Array.isArray(token.amr) ? token.amr as string[] : ['pwd'] }
  } catch (error) {
    const { code } = error as { code?: unknown }
    if (code !== 'SECOND_FACTOR_REQUIRED' && code !== 'SECOND_FACTOR_FAILED') throw error
    throw new LoginFailure('SECOND_FACTOR_REQUIRED', 'the user has a second factor, and it was not proven')
  }
}

/**
 * What looks like an address is looked for as one first: nobody comes into another's account by taking that one's
 * address as a user name.
 */
async function userNamed (User: Users, name: string, realm: unknown): Promise<ModelInstance | null> {
  const { realmRequired } = User.settings
  if (realmRequired === true && (typeof realm !== 'string' || realm === '')) return null
  const email = { email: normalEmail(User.settings, name) }
  const conditions = name.includes('@') ? [email, { username: name }] : [{ username: name }, email]
  for (const where of conditions) {
    const found = await User.findOne({ where: { ...where, ...(realmRequired === true ? { realm } : {}) } })
    if (found !== null) return found
  }
  return null
}
