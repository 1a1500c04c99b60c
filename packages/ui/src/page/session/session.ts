/** Who is logged in: the token of this tab, and what to call its user. */
import { signal, type ReadonlySignal } from '@preact/signals'
import type { Api } from '../api/client.js'
import type { ApiDescription } from '../api/description.js'
import { canBeToken, type Token, type TokenOwner } from '../api/token.js'
import { ProviderLogin } from './provider-login.js'
import { SignIn, type Outcome } from './sign-in.js'

/** Properties that a user may be called by, the likeliest first. */
const names = ['name', 'username', 'email'] as const

export class Session {
  readonly signIn: SignIn
  /** Undefined where nobody can log in by an account elsewhere. */
  readonly providers: ProviderLogin | undefined
  readonly #user = signal<string | undefined>(undefined)
  /** Whether the window to log in is open. */
  readonly isAsking = signal(false)
  #returned: Outcome | undefined

  constructor (private readonly token: Token, private readonly api: Api, private readonly description: ApiDescription) {
    this.signIn = new SignIn(token, description)
    this.providers = description.logins === undefined
      ? undefined
      : new ProviderLogin(description.logins, token, this.signIn)
    token.onChange(() => { this.#ask() })
    this.#ask()
    this.providers?.finish().then(outcome => { this.#return(outcome) }, () => {
      this.#return({ kind: 'failed', message: 'The login failed: the server does not respond', isOver: true })
    })
  }

  get isLoggedIn (): boolean { return this.token.value !== '' }

  /** Whether there is a way to log in here. */
  get isUseful (): boolean {
    return this.signIn.actions.length > 0 || (this.providers?.providers.length ?? 0) > 0
  }

  /** What the user is called; undefined where that is not known, or not for the user to read. */
  get user (): ReadonlySignal<string | undefined> { return this.#user }

  /**
   * A token that was not given by the log-in form. False: no header can have it.
   * @param owner whose it is, where that is known
   */
  useToken (text: string, owner?: TokenOwner): boolean {
    if (text !== '' && !canBeToken(text)) return false
    this.token.set(text, owner)
    return true
  }

  /** False where the server did not end the token; an API without logout has nothing to end. */
  async logOut (): Promise<boolean> {
    const logout = this.description.logout(this.token.owner?.model ?? null)
    const ended = logout === undefined || await fetch(this.description.base + logout.path, {
      method: logout.verb, headers: this.token.headers
    }).then(({ ok }) => ok, () => false)
    this.token.set('')
    return ended
  }

  /** How a login elsewhere ended that the browser came back from, once: what is left to ask, or why it failed. */
  takeReturned (): Outcome | undefined {
    const returned = this.#returned
    this.#returned = undefined
    return returned
  }

  #return (outcome: Outcome | undefined): void {
    if (outcome === undefined || outcome.kind === 'done') return
    this.#returned = outcome
    this.isAsking.value = true
  }

  #ask (): void {
    const { owner } = this.token
    this.#user.value = undefined
    if (owner === undefined) return
    const action = this.description.of(owner.model).find(({ operationId }) => operationId === `${owner.model}.findById`)
    if (action === undefined) return
    this.api.call(action, { id: owner.userId }).then(({ value }) => {
      if (this.token.owner !== owner || value === null || typeof value !== 'object') return
      const user = value as Readonly<Record<string, unknown>>
      this.#user.value = names.map(name => user[name]).find((text): text is string => typeof text === 'string' && text !== '')
    }, () => {})
  }
}
