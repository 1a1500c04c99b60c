/** The form to log in with, at the top of the page: for the user models that give a token for a password. */
import type { Action, ApiDescription } from './description.js'
import { byId, element } from './dom.js'
import { canBeToken, type Token } from './token.js'

/**
 * What a login takes: an e-mail address has an `@` in it, a user name has none.
 *
 * ```js
 * credentialsOf('ann@example.com', 'a long secret') // { email: 'ann@example.com', password: 'a long secret' }
 * ```
 */
export const credentialsOf = (user: string, password: string): Readonly<Record<string, string>> =>
  user.includes('@') ? { email: user, password } : { username: user, password }

/**
 * The token that a login answers with; undefined where the response has none that can be sent.
 *
 * ```js
 * tokenIn({ id: 'abc', userId: 1 }) // 'abc'
 * ```
 */
export function tokenIn (answer: unknown): string | undefined {
  const { id } = (answer ?? {}) as { id?: unknown }
  return typeof id === 'string' && canBeToken(id) ? id : undefined
}

/** Why a login failed, in the server's words where it has some that say more than that. */
export function loginFailure (status: number, answer: unknown): string {
  const { error = answer } = (answer ?? {}) as { error?: unknown }
  const { code, message, detail } = (error ?? {}) as { code?: unknown, message?: unknown, detail?: unknown }
  if (code === 'LOGIN_FAILED') return 'The login failed: user name or password are wrong'
  const said = [message, detail].find(text => typeof text === 'string')
  return `The login failed: ${said as string | undefined ?? `the server answered ${status}`}`
}

/** A login that waits for a second factor. */
interface Waiting {
  readonly challenge: string
  readonly hasCodes: boolean
}

/**
 * What a login asks for that needs a second factor; undefined for every other response.
 *
 * ```js
 * waitingIn({ error: { code: 'SECOND_FACTOR_REQUIRED', details: { challenge: 'abc', factors: ['totp'] } } })?.hasCodes
 * ```
 */
export function waitingIn (answer: unknown): Waiting | undefined {
  const { error = answer } = (answer ?? {}) as { error?: unknown }
  const { code, details } = (error ?? {}) as { code?: unknown, details?: unknown }
  const { challenge, factors } = (details ?? {}) as { challenge?: unknown, factors?: unknown }
  if (code !== 'SECOND_FACTOR_REQUIRED' || typeof challenge !== 'string' || !Array.isArray(factors)) return undefined
  return { challenge, hasCodes: factors.some(factor => factor !== 'webauthn') }
}

/** Six digits are of an authenticator application; everything else is taken for a recovery code. */
export const proofOf = (code: string): Readonly<Record<string, string>> =>
  /^[\d\s]+$/.test(code) ? { otp: code } : { recoveryCode: code }

const codeIn = (answer: unknown): unknown => (answer as { error?: { code?: unknown } } | undefined)?.error?.code

/** Asks for the second factor of a login that began elsewhere. False: this page cannot. */
export type AskForFactor = (model: string, answer: unknown) => boolean

/** Says how a login goes on, in the element `token-state`. */
export function sayOfLogin (text: string, isFailure = true): void {
  const state = byId('token-state')
  state.textContent = text
  state.className = isFailure && text !== '' ? 'error' : ''
}

/**
 * Shows the form `sign-in` of the page while there is no token; where no operation gives one, there is no form. It asks
 * for a password, and for the second factor of users who have one.
 *
 * ```js
 * setUpLogins(token, description, setUpSignIn(token, description))
 * ```
 * @returns what asks for the second factor of a login that began elsewhere
 */
export function setUpSignIn (token: Token, description: ApiDescription): AskForFactor {
  const { signIns } = description
  if (signIns.length === 0) return () => false
  const form = byId<HTMLFormElement>('sign-in')
  const model = byId<HTMLSelectElement>('sign-in-model')
  const user = byId<HTMLInputElement>('sign-in-user')
  const password = byId<HTMLInputElement>('sign-in-password')
  const code = byId<HTMLInputElement>('sign-in-code')
  const submit = byId<HTMLButtonElement>('sign-in-submit')
  model.replaceChildren(...signIns.map(({ operationId, tags }) => element('option', { value: operationId }, tags[0])))
  byId('sign-in-as').hidden = signIns.length < 2

  let waiting: Waiting | undefined
  const ask = (next: Waiting | undefined): void => {
    waiting = next
    byId('sign-in-first').hidden = next !== undefined
    byId('sign-in-second').hidden = next === undefined
    for (const input of [user, password]) input.required = next === undefined
    code.required = next !== undefined
    code.value = ''
  }

  const askForCode = (next: Waiting): void => {
    ask(next)
    sayOfLogin('Enter the code of your authenticator application, or a recovery code', false)
    code.focus()
  }

  const logIn = async (action: Action): Promise<void> => {
    const isSecond = waiting !== undefined
    const path = isSecond ? action.path.replace(/login$/, 'second-factor') : action.path
    const answer = await fetch(description.base + path, {
      method: action.verb,
      cache: 'no-store',
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      body: JSON.stringify(waiting === undefined
        ? credentialsOf(user.value.trim(), password.value)
        : { challenge: waiting.challenge, ...proofOf(code.value.trim()) })
    })
    const value: unknown = await answer.json().catch(() => undefined)
    const given = answer.ok ? tokenIn(value) : undefined
    const next = answer.ok ? undefined : waitingIn(value)
    if (next?.hasCodes === true) askForCode(next)
    else if (given === undefined) {
      // A challenge that is over, or was answered wrongly too often, leads back to the password.
      if (isSecond && codeIn(value) !== 'SECOND_FACTOR_FAILED') ask(undefined)
      if (next !== undefined) sayOfLogin('The login needs a passkey, which this page cannot ask for')
      else sayOfLogin(answer.ok ? 'The login failed: the response has no token in it' : loginFailure(answer.status, value))
      if (waiting === undefined) password.focus()
      else code.focus()
    } else {
      ask(undefined)
      token.set(given, action.tags[0], (value as { userId?: unknown }).userId)
    }
  }
  form.addEventListener('submit', event => {
    event.preventDefault()
    const action = signIns.find(({ operationId }) => operationId === model.value)
    if (action === undefined) return
    submit.disabled = true
    sayOfLogin('')
    logIn(action).catch(() => { sayOfLogin('The login failed: the server did not answer') }).finally(() => {
      // It is in nobody's way any longer than it is needed.
      password.value = ''
      code.value = ''
      submit.disabled = false
    })
  })
  const show = (): void => { form.hidden = token.value !== '' }
  token.addEventListener('change', show)
  show()
  return (name, answer) => {
    const action = signIns.find(({ tags }) => tags[0] === name)
    const next = waitingIn(answer)
    if (action === undefined || next?.hasCodes !== true) return false
    model.value = action.operationId
    askForCode(next)
    return true
  }
}
