/**
 * The authorization code flow with PKCE (RFC 7636), run by the page as a public client: every step with what was sent
 * and what came back. What has to last while the browser is at the provider is in this tab alone.
 */

export interface Metadata {
  readonly issuer: string
  readonly authorization_endpoint: string
  readonly token_endpoint: string
  readonly userinfo_endpoint?: string
  readonly scopes_supported?: readonly string[]
}

/** What a flow began with. */
export interface Begun {
  readonly metadata: Metadata
  readonly clientId: string
  readonly scope: string
  readonly verifier: string
  readonly challenge: string
  readonly state: string
  readonly redirectUri: string
  /** The address that the browser was sent to. */
  readonly authorizationUrl: string
}

/** How the provider sent the browser back. */
export interface CameBack {
  readonly begun: Begun
  readonly code: string | undefined
  readonly error: string | undefined
}

const key = 'fastback.oauth'

const documents = ['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server'] as const

/** The metadata of the server's own provider; undefined where it has none. */
export async function discover (): Promise<Metadata | undefined> {
  for (const path of documents) {
    const response = await fetch(path, { headers: { accept: 'application/json' } }).catch(() => undefined)
    if (response?.ok === true && response.headers.get('content-type')?.includes('json') === true) {
      return await response.json() as Metadata
    }
  }
  return undefined
}

/** Makes the secrets of a flow, and the address that begins it. */
export async function prepare (metadata: Metadata, clientId: string, scope: string): Promise<Begun> {
  const verifier = base64Url(crypto.getRandomValues(new Uint8Array(32)))
  const state = base64Url(crypto.getRandomValues(new Uint8Array(16)))
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  const challenge = base64Url(new Uint8Array(digest))
  const redirectUri = redirectUriOf()
  const url = new URL(metadata.authorization_endpoint)
  for (const [name, value] of Object.entries({
    response_type: 'code', client_id: clientId, redirect_uri: redirectUri, scope, state,
    code_challenge: challenge, code_challenge_method: 'S256'
  })) if (value !== '') url.searchParams.set(name, value)
  return { metadata, clientId, scope, verifier, challenge, state, redirectUri, authorizationUrl: url.href }
}

/** The address of this page, which a client has to have among its own. */
export const redirectUriOf = (): string => new URL('.', window.location.href).href

/** Leaves for the provider. */
export function leave (begun: Begun): void {
  window.sessionStorage.setItem(key, JSON.stringify(begun))
  window.location.assign(begun.authorizationUrl)
}

/** The end of a flow that this tab began: takes its code out of the address. Undefined where none came back. */
export function takeBack (): CameBack | undefined {
  const query = new URLSearchParams(window.location.search)
  const kept = window.sessionStorage.getItem(key)
  const begun = kept === null ? undefined : JSON.parse(kept) as Begun
  // A code that anybody else sent it here with has another state.
  if (begun === undefined || query.get('state') !== begun.state) return undefined
  window.sessionStorage.removeItem(key)
  window.history.replaceState(null, '', `${window.location.pathname}#/api/~oauth`)
  return {
    begun,
    code: query.get('code') ?? undefined,
    error: [query.get('error'), query.get('error_description')].filter(text => text !== null).join(': ') || undefined
  }
}

/** What the token endpoint said. */
export interface Exchange {
  /** What was sent, without the secrets in it being left out: they are of use once. */
  readonly sent: Readonly<Record<string, string>>
  readonly status: number
  readonly value: unknown
}

export async function exchange ({ metadata, clientId, verifier, redirectUri }: Begun, code: string): Promise<Exchange> {
  return await post(metadata.token_endpoint, {
    grant_type: 'authorization_code', code, redirect_uri: redirectUri, client_id: clientId, code_verifier: verifier
  })
}

export async function refresh ({ metadata, clientId }: Begun, token: string): Promise<Exchange> {
  return await post(metadata.token_endpoint, { grant_type: 'refresh_token', refresh_token: token, client_id: clientId })
}

async function post (url: string, sent: Readonly<Record<string, string>>): Promise<Exchange> {
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams(sent), headers: { accept: 'application/json' } })
  return { sent, status: response.status, value: await response.json().catch(() => undefined) as unknown }
}

/** The claims in a JSON Web Token, unverified: for reading. Undefined for other tokens. */
export function claimsIn (token: unknown): unknown {
  const [, payload] = typeof token === 'string' ? token.split('.') : []
  if (payload === undefined) return undefined
  try {
    const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), letter => letter.charCodeAt(0))
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return undefined
  }
}

const base64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
