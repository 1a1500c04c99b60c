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

/** Why a login failed, in the server's words where it has some. */
export function loginFailure (status: number, answer: unknown): string {
  const { error = answer } = (answer ?? {}) as { error?: unknown }
  const { message, detail } = (error ?? {}) as { message?: unknown, detail?: unknown }
  const said = [message, detail].find(text => typeof text === 'string')
  return `The login failed: ${said as string | undefined ?? `the server answered ${status}`}`
}

/** Shows the form while there is no token; where no operation gives one, there is no form. */
export function setUpSignIn (token: Token, description: ApiDescription): void {
  const { signIns } = description
  if (signIns.length === 0) return
  const form = byId<HTMLFormElement>('sign-in')
  const model = byId<HTMLSelectElement>('sign-in-model')
  const user = byId<HTMLInputElement>('sign-in-user')
  const password = byId<HTMLInputElement>('sign-in-password')
  const submit = byId<HTMLButtonElement>('sign-in-submit')
  const say = (text: string): void => { byId('token-state').textContent = text }
  model.replaceChildren(...signIns.map(({ operationId, tags }) => element('option', { value: operationId }, tags[0])))
  byId('sign-in-as').hidden = signIns.length < 2

  const logIn = async (action: Action): Promise<void> => {
    const answer = await fetch(description.base + action.path, {
      method: action.verb,
      cache: 'no-store',
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      body: JSON.stringify(credentialsOf(user.value.trim(), password.value))
    })
    const value: unknown = await answer.json().catch(() => undefined)
    const given = answer.ok ? tokenIn(value) : undefined
    if (given === undefined) {
      say(answer.ok ? 'The login failed: the response has no token in it' : loginFailure(answer.status, value))
      password.focus()
    } else token.set(given, action.tags[0])
  }
  form.addEventListener('submit', event => {
    event.preventDefault()
    const action = signIns.find(({ operationId }) => operationId === model.value)
    if (action === undefined) return
    submit.disabled = true
    logIn(action).catch(() => { say('The login failed: the server did not answer') }).finally(() => {
      // It is in nobody's way any longer than it is needed.
      password.value = ''
      submit.disabled = false
    })
  })
  const show = (): void => { form.hidden = token.value !== '' }
  token.addEventListener('change', show)
  show()
}
