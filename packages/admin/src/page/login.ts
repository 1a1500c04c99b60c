/** The form to log in with, for each of the API's user models. */
import { byId, element, setUpLogins, type ApiDescription, type Token } from './explorer/shared.js'
import type { Models } from './models.js'
import type { Session } from './session.js'

export interface LoginForm {
  /** Shows the form, and leads to it. */
  show (): void
  hide (): void
  /** Whether there is anybody to log in as. */
  readonly isUseful: boolean
}

/** @param skipped is called when somebody goes on without a login */
export function setUpLogin (
  session: Session, models: Models, token: Token, description: ApiDescription, skipped: () => void
): LoginForm {
  const place = byId('login')
  const chooser = byId<HTMLSelectElement>('login-model')
  const user = byId<HTMLInputElement>('login-user')
  const password = byId<HTMLInputElement>('login-password')
  const error = byId('login-error')
  const { users } = models
  chooser.append(...users.map(({ name }) => element('option', { value: name }, name)))
  byId('login-as').hidden = users.length < 2
  byId('login-form').hidden = users.length === 0

  const say = (text: string): void => {
    error.textContent = text
    error.hidden = text === ''
  }
  const logIn = async (): Promise<void> => {
    const model = models.get(chooser.value)
    if (model === undefined) return
    if (user.value === '' || password.value === '') {
      say('Both are needed.')
      ;(user.value === '' ? user : password).focus()
      return
    }
    say('')
    try {
      await session.logIn(model, user.value.trim(), password.value)
    } catch (failed) {
      const { status, message } = failed as { status?: number, message: string }
      say(status === 401 ? 'The login failed: user name or password are wrong.' : message)
      password.focus()
    }
    password.value = ''
  }
  byId('login-form').addEventListener('submit', event => {
    event.preventDefault()
    logIn().catch((failed: unknown) => { say(String(failed)) })
  })
  byId('login-not').addEventListener('click', skipped)
  setUpLogins(token, description)
  const turn = (isShown: boolean): void => {
    place.hidden = !isShown
    byId('sides').hidden = isShown
    byId('log-in').hidden = isShown || session.isLoggedIn
  }
  return {
    isUseful: users.length > 0 || description.logins !== undefined,
    show: () => {
      turn(true)
      user.focus()
    },
    hide: () => { turn(false) }
  }
}
