/**
 * Logging in by an account elsewhere. The page leaves for the provider, and comes back with a code that it alone can
 * exchange for the token: its other half never left this tab.
 */
import type { LoginWay, LoginWays } from '@fastback/core/remote'
import { canBeToken, type Token } from '../api/token.js'
import type { Outcome, SignIn } from './sign-in.js'

/** What stays here while the browser is away. */
interface Begun { readonly verifier: string, readonly hash: string }

export class ProviderLogin {
  readonly #key = `fastback.login ${window.location.pathname}`

  constructor (private readonly ways: LoginWays, private readonly token: Token, private readonly signIn: SignIn) {}

  /** Empty where the browser cannot compute digests: it does on secure origins only, this machine among them. */
  get providers (): readonly LoginWay[] {
    return window.isSecureContext ? this.ways.providers : []
  }

  async begin ({ path }: LoginWay): Promise<void> {
    const verifier = base64Url(crypto.getRandomValues(new Uint8Array(32)))
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
    const begun: Begun = { verifier, hash: window.location.hash }
    window.sessionStorage.setItem(this.#key, JSON.stringify(begun))
    const page = new URL('.', window.location.href).pathname
    const query = new URLSearchParams({ login_challenge: base64Url(new Uint8Array(digest)), login_page: page })
    window.location.assign(`${path}?${query.toString()}`)
  }

  /**
   * The end of a login that this tab began; undefined where none ends here. A code that anybody else sent it here with
   * is dropped.
   */
  async finish (): Promise<Outcome | undefined> {
    const query = new URLSearchParams(window.location.search)
    const [code, error, kept] = [query.get('login_code'), query.get('error'), window.sessionStorage.getItem(this.#key)]
    if (code === null && error === null) return undefined
    window.sessionStorage.removeItem(this.#key)
    const begun = kept === null ? undefined : JSON.parse(kept) as Begun
    window.history.replaceState(null, '', window.location.pathname + (begun?.hash ?? ''))
    if (begun === undefined) return undefined
    if (code === null) return { kind: 'failed', message: `The login failed: ${error ?? ''}`, isOver: true }
    const { exchange, model } = this.ways
    const response = await fetch(exchange, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code, verifier: begun.verifier })
    })
    const value = await response.json().catch(() => undefined) as
      { readonly access_token?: unknown, readonly userId?: unknown } | undefined
    const given = response.ok ? value?.access_token : undefined
    if (typeof given !== 'string' || !canBeToken(given)) return this.signIn.outcomeOf(model, value)
    this.token.set(given, { model, userId: value?.userId })
    return { kind: 'done' }
  }
}

const base64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
