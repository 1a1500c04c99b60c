/** Logging in by a password, and by the second factor of users who have one: a code, or a passkey. */
import type { Action, ApiDescription } from '../api/description.js'
import { canBeToken, type Token } from '../api/token.js'

/** What a login waits for. */
export interface Waiting {
  readonly action: Action
  readonly challenge: string
  /** Whether codes are taken: of an authenticator application, or recovery codes. */
  readonly hasCodes: boolean
  /** What the browser has to be given for a passkey; undefined where the user has none, or the browser takes none. */
  readonly passkey: object | undefined
}

export type Outcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'waiting', readonly waiting: Waiting }
  /** @param isOver whether the second factor cannot be tried again */
  | { readonly kind: 'failed', readonly message: string, readonly isOver: boolean }

/**
 * What a login takes: an e-mail address has an `@` in it, a user name has none.
 *
 * ```js
 * credentialsOf('ann@example.com', 'a long secret') // { email: 'ann@example.com', password: 'a long secret' }
 * ```
 */
export const credentialsOf = (user: string, password: string): Readonly<Record<string, string>> =>
  user.includes('@') ? { email: user, password } : { username: user, password }

/** Six digits are of an authenticator application; everything else is taken for a recovery code. */
const proofOf = (code: string): Readonly<Record<string, string>> =>
  /^[\d\s]+$/.test(code) ? { otp: code } : { recoveryCode: code }

interface LoginResponse {
  readonly id?: unknown
  readonly userId?: unknown
  readonly code?: unknown
  readonly message?: unknown
  readonly detail?: unknown
  readonly details?: unknown
}

/** Logs in and sets the token. */
export class SignIn {
  constructor (private readonly token: Token, private readonly description: ApiDescription) {}

  /** The operations that give a token for a password, each of another user model. */
  get actions (): readonly Action[] {
    return this.description.signIns
  }

  async withPassword (action: Action, user: string, password: string): Promise<Outcome> {
    return await this.#send(action, action.path, credentialsOf(user.trim(), password))
  }

  async withCode ({ action, challenge }: Waiting, code: string): Promise<Outcome> {
    return await this.#send(action, secondOf(action), { challenge, ...proofOf(code.trim()) })
  }

  async withPasskey ({ action, challenge, passkey }: Waiting): Promise<Outcome> {
    try {
      const options = passkey as PublicKeyCredentialRequestOptionsJSON
      const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
      const credential = await navigator.credentials.get({ publicKey }) as PublicKeyCredential | null
      if (credential === null) return failed('No passkey was chosen')
      return await this.#send(action, secondOf(action), { challenge, response: credential.toJSON() })
    } catch (error) {
      return failed(`The passkey was not taken: ${error instanceof Error ? error.message : String(error)}`)
    }
  }

  /**
   * What a response to a login that began elsewhere comes to: it may ask for a second factor, too.
   * @param model whose login it is
   */
  outcomeOf (model: string, body: unknown): Outcome {
    const action = this.actions.find(({ tags }) => tags[0] === model)
    const waiting = action === undefined ? undefined : waitingIn(action, body)
    return waiting === undefined ? failed('The login failed') : { kind: 'waiting', waiting }
  }

  async #send (action: Action, path: string, body: object): Promise<Outcome> {
    const isSecond = path !== action.path
    const response = await fetch(this.description.base + path, {
      method: action.verb,
      cache: 'no-store',
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      body: JSON.stringify(body)
    }).catch(() => undefined)
    if (response === undefined) return failed('The login failed: the server does not respond')
    const value = await response.json().catch(() => undefined) as LoginResponse | undefined
    if (!response.ok) {
      const waiting = isSecond ? undefined : waitingIn(action, value)
      return waiting === undefined ? refused(response.status, value, isSecond) : { kind: 'waiting', waiting }
    }
    const { id, userId } = value ?? {}
    if (typeof id !== 'string' || !canBeToken(id)) return failed('The login failed: the response has no token in it')
    this.token.set(id, { model: action.tags[0] ?? '', userId })
    return { kind: 'done' }
  }
}

const secondOf = ({ path }: Action): string => path.replace(/login$/, 'second-factor')

const failed = (message: string, isOver = false): Outcome => ({ kind: 'failed', message, isOver })

const errorIn = (body: unknown): LoginResponse => {
  const { error = body } = (body ?? {}) as { readonly error?: unknown }
  return (error ?? {}) as LoginResponse
}

function waitingIn (action: Action, body: unknown): Waiting | undefined {
  const { code, details } = errorIn(body)
  const { challenge, factors, webauthn } = (details ?? {}) as
    { readonly challenge?: unknown, readonly factors?: unknown, readonly webauthn?: object }
  if (code !== 'SECOND_FACTOR_REQUIRED' || typeof challenge !== 'string' || !Array.isArray(factors)) return undefined
  const takesPasskeys = typeof PublicKeyCredential === 'function' &&
    typeof PublicKeyCredential.parseRequestOptionsFromJSON === 'function'
  return {
    action,
    challenge,
    hasCodes: factors.some(factor => factor !== 'webauthn'),
    passkey: takesPasskeys ? webauthn : undefined
  }
}

/** In the server's words, where it has some that say more than that it failed. */
function refused (status: number, body: unknown, isSecond: boolean): Outcome {
  const { code, message, detail } = errorIn(body)
  if (code === 'LOGIN_FAILED') return failed('The login failed: user name or password are wrong', isSecond)
  const text = [message, detail].find(each => typeof each === 'string')
  // A challenge that has ended, or was tried too often, leads back to the password.
  return failed(`The login failed: ${text as string | undefined ?? `the server responded with ${status}`}`,
    isSecond && code !== 'SECOND_FACTOR_FAILED')
}
