/**
 * Buttons for the ways to log in by an account elsewhere. The page leaves for the provider, and comes back with a code
 * that it alone can exchange for the token: its other half never left this tab.
 */
import type { LoginWay, LoginWays } from '@fastback/core/remote'
import type { ApiDescription } from './description.js'
import { byId, element } from './dom.js'
import { sayOfLogin, type AskForFactor } from './sign-in.js'
import { canBeToken, type Token } from './token.js'

const key = `fastback.login ${window.location.pathname}`

/** What stays here while the browser is away. */
interface Begun { readonly verifier: string, readonly hash: string }

/**
 * Fills the element `logins` with a button for each way, and ends a login that this tab began.
 *
 * ```js
 * setUpLogins(new Token(), await loadDescription(), setUpSignIn(token, description))
 * ```
 * @param ask for the second factor of users who have one
 */
export function setUpLogins (token: Token, description: ApiDescription, ask: AskForFactor): void {
  const { logins } = description
  // Browsers compute digests on secure origins only, this machine among them.
  if (logins === undefined || !window.isSecureContext) return
  const place = byId('logins')
  const buttons = logins.providers.map(way => {
    const button = element('button', { type: 'button' }, `Log in with ${way.title}`)
    button.addEventListener('click', () => {
      button.disabled = true
      begin(way).catch(() => { button.disabled = false; sayOfLogin('The login could not begin') })
    })
    return button
  })
  place.replaceChildren(...buttons)
  const show = (): void => { place.hidden = token.value !== '' }
  token.addEventListener('change', show)
  show()
  // A browser that goes back shows the page as it was left.
  window.addEventListener('pageshow', () => { for (const button of buttons) button.disabled = false })
  finish(token, logins, ask).catch(() => { sayOfLogin('The login failed: the server did not answer') })
}

async function begin ({ path }: LoginWay): Promise<void> {
  const verifier = base64Url(crypto.getRandomValues(new Uint8Array(32)))
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  const begun: Begun = { verifier, hash: window.location.hash }
  window.sessionStorage.setItem(key, JSON.stringify(begun))
  const page = new URL('.', window.location.href).pathname
  const query = new URLSearchParams({ login_challenge: base64Url(new Uint8Array(digest)), login_page: page })
  window.location.assign(`${path}?${query.toString()}`)
}

/** The end of a login that this tab began; a code that anybody else sent it here with is dropped. */
async function finish (token: Token, { exchange, model }: LoginWays, ask: AskForFactor): Promise<void> {
  const query = new URLSearchParams(window.location.search)
  const code = query.get('login_code')
  const error = query.get('error')
  const kept = window.sessionStorage.getItem(key)
  if (code === null && error === null) return
  window.sessionStorage.removeItem(key)
  const begun = kept === null ? undefined : JSON.parse(kept) as Begun
  window.history.replaceState(null, '', window.location.pathname + (begun?.hash ?? ''))
  if (begun === undefined) return
  if (code === null) { sayOfLogin(`The login failed: ${error ?? ''}`); return }
  const answer = await fetch(exchange, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code, verifier: begun.verifier })
  })
  const value = await answer.json().catch(() => undefined) as
    { access_token?: unknown, userId?: unknown } | undefined
  const given = answer.ok ? value?.access_token : undefined
  if (typeof given === 'string' && canBeToken(given)) token.set(given, model, value?.userId)
  else if (!ask(model, value)) sayOfLogin(`The login failed: ${answer.status}`)
}

const base64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
