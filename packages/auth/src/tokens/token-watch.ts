/**
 * Ends what goes on as long as a token does: open streams are closed when their token is gone, by whichever process
 * (security.md, S-43).
 */
import type { ModelInstance } from '@fastback/core'
import { forgetOnChange } from '@fastback/core/remote'
import { authService } from '../service.js'
import { isDelegated } from './delegated.js'
import type { TokenReader } from './token-reader.js'

interface Watched {
  readonly token: ModelInstance
  readonly controller: AbortController
}

export class TokenWatch {
  readonly #watched = new Set<Watched>()
  #timer: NodeJS.Timeout | undefined
  #soon: NodeJS.Immediate | undefined
  readonly #stopListening: () => void

  /**
   * @param interval milliseconds between two looks at all tokens together; removals are seen at once, those by other
   * processes as well where they tell of them (the setting `bus`)
   */
  constructor (readonly reader: TokenReader, readonly interval: number) {
    const look = (): void => { if (this.#watched.size > 0) this.#soon ??= setImmediate(() => { this.#look() }) }
    forgetOnChange(reader.TokenModel, ['after delete'], look)
    this.#stopListening = authService(reader.TokenModel.registry).credentials.listen(look, { elsewhere: true })
  }

  /** A signal that is aborted when the token ends. Call the function when nobody is interested any more. */
  watch (token: ModelInstance): { readonly signal: AbortSignal, readonly stop: () => void } {
    const watched = { token, controller: new AbortController() }
    this.#watched.add(watched)
    this.#timer ??= setInterval(() => { this.#look() }, this.interval).unref()
    return { signal: watched.controller.signal, stop: () => { this.#remove(watched) } }
  }

  close (): void {
    this.#stopListening()
    for (const watched of this.#watched) this.#remove(watched)
  }

  #look (): void {
    this.#soon = undefined
    for (const watched of this.#watched) this.#check(watched).catch(() => {})
  }

  async #check (watched: Watched): Promise<void> {
    try {
      const { token } = watched
      if (isDelegated(token) ? await token.stillHolds() : await this.reader.read([String(token.id)]) !== null) return
    } catch {
      // Expired, or a store that cannot be asked: a right that cannot be shown is none.
    }
    this.#remove(watched)
    watched.controller.abort()
  }

  #remove (watched: Watched): void {
    this.#watched.delete(watched)
    if (this.#watched.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}
