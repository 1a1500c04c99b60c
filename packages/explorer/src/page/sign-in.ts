/** The form at the top of the page that gets a token for a name and a password. */
import type { ApiDescription } from './description.js'
import { byId, element } from './dom.js'
import { canBeToken, type Token } from './token.js'

/** Shows the form as long as nobody is signed in, where a model of users has a login. */
export function setUpSignIn (token: Token, description: ApiDescription): void {
  const { signIns } = description
  if (signIns.length === 0) return
  const form = byId<HTMLFormElement>('sign-in')
  const models = byId<HTMLSelectElement>('sign-in-model')
  const name = byId<HTMLInputElement>('sign-in-name')
  const password = byId<HTMLInputElement>('sign-in-password')
  const state = byId('sign-in-state')
  models.replaceChildren(...signIns.map(({ tags: [tag = ''] }, index) => element('option', { value: index }, tag)))
  models.hidden = signIns.length === 1
  const show = (): void => { form.hidden = token.value !== '' }
  form.addEventListener('submit', event => {
    event.preventDefault()
    signIn().catch((error: unknown) => { state.textContent = String(error) })
  })
  token.addEventListener('change', show)
  show()

  async function signIn (): Promise<void> {
    state.textContent = ''
    const action = signIns[Number(models.value)] ?? signIns[0]
    if (action === undefined) return
    const user = name.value.trim()
    const answer = await fetch(description.base + action.path, {
      method: action.verb,
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      body: JSON.stringify({ [user.includes('@') ? 'email' : 'username']: user, password: password.value })
    })
    password.value = ''
    const { id, error } = await answer.json().catch(() => ({})) as { id?: unknown, error?: { message?: unknown } }
    if (answer.ok && typeof id === 'string' && canBeToken(id)) token.set(id, action.tags[0])
    else state.textContent = `The sign-in failed: ${String(error?.message ?? `the server answered ${answer.status}`)}`
  }
}
