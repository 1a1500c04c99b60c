/** Who is logged in: the token of this tab, and what to call its user. */
import type { Api } from './api.js'
import { credentialsOf, endToken, tokenIn, type ApiDescription, type Token } from './explorer/shared.js'
import type { AdminModel, Models, Row } from './models.js'

const key = `fastback.admin.user ${window.location.pathname}`

interface Kept { readonly token: string, readonly userId: unknown }

export class Session {
  constructor (
    private readonly token: Token, private readonly api: Api, private readonly models: Models,
    private readonly description: ApiDescription
  ) {}

  get isLoggedIn (): boolean { return this.token.value !== '' }

  /** @throws RefusedError; Error where the response has no token */
  async logIn (model: AdminModel, user: string, password: string): Promise<void> {
    if (model.login === undefined) return
    const { value } = await this.api.call(model.login, { body: credentialsOf(user, password) })
    const id = tokenIn(value)
    if (id === undefined) throw new Error('The response to the login has no token in it.')
    const { userId } = value as { userId?: unknown }
    const kept: Kept = { token: id, userId }
    window.sessionStorage.setItem(key, JSON.stringify(kept))
    this.token.set(id, model.name)
  }

  /** False where the server did not end the token. */
  async logOut (): Promise<boolean> {
    const ended = await endToken(this.token, this.description)
    window.sessionStorage.removeItem(key)
    this.token.set('')
    return ended
  }

  /** Calls the function whenever somebody logs in or out. */
  onChange (changed: () => void): void {
    this.token.addEventListener('change', changed)
  }

  /** What the user is called; undefined where that is not known, or not for the user to read. */
  async name (): Promise<string | undefined> {
    const model = this.models.get(this.token.tag ?? undefined)
    const kept = JSON.parse(window.sessionStorage.getItem(key) ?? 'null') as Kept | null
    if (model === undefined || kept === null || kept.token !== this.token.value) return undefined
    if (!this.api.may(model.findById, kept.userId)) return undefined
    const { value } = await this.api.call(model.findById, { id: kept.userId })
    return model.labelOf((value ?? {}) as Row)
  }
}
