/** Where to log in: by a password, or by an account elsewhere. */
import { byId, setUpLogins, setUpSignIn, type ApiDescription, type Token } from './explorer/shared.js'
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
  session: Session, token: Token, description: ApiDescription, skipped: () => void
): LoginForm {
  byId('login-not').addEventListener('click', skipped)
  setUpLogins(token, description, setUpSignIn(token, description))
  const turn = (isShown: boolean): void => {
    byId('login').hidden = !isShown
    byId('sides').hidden = isShown
    byId('log-in').hidden = isShown || session.isLoggedIn
  }
  return {
    isUseful: description.signIns.length > 0 || description.logins !== undefined,
    show: () => {
      turn(true)
      // One of them is hidden, which nothing leads to.
      byId('sign-in-user').focus()
      byId('sign-in-code').focus()
    },
    hide: () => { turn(false) }
  }
}
