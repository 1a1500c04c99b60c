/**
 * The access token of this tab. It lives as long as the tab, and goes over the wire as a header: it is never part of an
 * address.
 */
import { batch, signal, type Signal } from '@preact/signals'

/** Whose token it is, as far as the page saw that. */
export interface TokenOwner {
  /** The model whose login gave the token. */
  readonly model: string
  readonly userId: unknown
}

/**
 * The token, for all who send requests. The pages of one API share it within a tab.
 *
 * ```js
 * const token = new Token('https://api.example.com/api')
 * await fetch('/api/Notes', { headers: token.headers })
 * ```
 */
export class Token {
  readonly #key: string
  readonly #value: Signal<string>
  readonly #owner: Signal<TokenOwner | undefined>

  /** @param base where the API is that the token is of */
  constructor (base: string) {
    this.#key = `fastback.accessToken ${base}`
    this.#value = signal(window.sessionStorage.getItem(this.#key) ?? '')
    const kept = window.sessionStorage.getItem(`${this.#key} of`)
    this.#owner = signal(kept === null ? undefined : JSON.parse(kept) as TokenOwner)
  }

  /** Empty without one. Reads the signal: components that use it are drawn again. */
  get value (): string {
    return this.#value.value
  }

  get owner (): TokenOwner | undefined {
    return this.#owner.value
  }

  set (value: string, owner?: TokenOwner): void {
    const of = `${this.#key} of`
    if (value === '') window.sessionStorage.removeItem(this.#key)
    else window.sessionStorage.setItem(this.#key, value)
    if (value === '' || owner === undefined) window.sessionStorage.removeItem(of)
    else window.sessionStorage.setItem(of, JSON.stringify(owner))
    batch(() => {
      this.#owner.value = value === '' ? undefined : owner
      this.#value.value = value
    })
  }

  /** Calls the function whenever somebody logs in or out. */
  onChange (changed: () => void): void {
    let isFirst = true
    this.#value.subscribe(() => {
      if (!isFirst) changed()
      isFirst = false
    })
  }

  get headers (): Record<string, string> {
    return this.value === '' ? {} : { 'X-Access-Token': this.value }
  }
}

/**
 * Whether a text can be sent as a header.
 *
 * ```js
 * canBeToken('two words') // false
 * ```
 */
export const canBeToken = (text: string): boolean => /^[\x21-\x7e]+$/.test(text)
