/** The field for the access token, at the top of the page. */
import type { ApiDescription } from './description.js'
import { byId } from './dom.js'
import { canBeToken, endToken, type Token } from './token.js'

export function setUpTokenForm (token: Token, description: ApiDescription): void {
  const form = byId<HTMLFormElement>('token-form')
  const field = byId<HTMLInputElement>('input_accessToken')
  const logOut = byId<HTMLButtonElement>('log-out')
  const state = byId<HTMLOutputElement>('token-state')

  const show = (): void => {
    const isSet = token.value !== ''
    field.value = token.value
    logOut.hidden = !isSet
    state.textContent = isSet ? 'Token Set' : 'Token Not Set'
    state.className = isSet ? 'set' : ''
  }

  form.addEventListener('submit', event => {
    event.preventDefault()
    const value = field.value.trim()
    if (value === '' || canBeToken(value)) token.set(value)
    else state.textContent = 'This is no token: it has blanks or characters that a header cannot hold'
  })
  logOut.addEventListener('click', () => {
    logOut.disabled = true
    endToken(token, description).then(ended => {
      token.set('')
      if (!ended) state.textContent = 'Token Not Set: forgotten here, but the server did not end it'
      field.focus()
    }).finally(() => { logOut.disabled = false })
  })
  token.addEventListener('change', show)
  show()
}
