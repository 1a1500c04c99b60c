/** Who is logged in: the token of this tab, and what to call its user. */
import type { Api } from './api.js'
import { endToken, type ApiDescription, type Token } from './explorer/shared.js'
import type { Models, Row } from './models.js'

export class Session {
  constructor (
    private readonly token: Token, private readonly api: Api, private readonly models: Models,
    private readonly description: ApiDescription
  ) {}

  get isLoggedIn (): boolean { return this.token.value !== '' }

  /** False where the server did not end the token. */
  async logOut (): Promise<boolean> {
    const ended = await endToken(this.token, this.description)
    this.token.set('')
    return ended
  }

  /** Calls the function whenever somebody logs in or out. */
  onChange (changed: () => void): void {
    this.token.addEventListener('change', changed)
  }

  /** What the user is called; undefined where that is not known, or not for the user to read. */
  async name (): Promise<string | undefined> {
    const { userId, tag } = this.token
    const model = this.models.get(tag ?? undefined)
    if (model === undefined || userId === undefined || !this.api.may(model.findById, userId)) return undefined
    const { value } = await this.api.call(model.findById, { id: userId })
    return model.labelOf((value ?? {}) as Row)
  }
}
