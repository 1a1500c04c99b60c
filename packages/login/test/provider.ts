/* eslint camelcase: "off" -- parameters of the protocol are written as it has them */
/** A provider on a real socket that does what the test says: honest unless it is told otherwise. */
import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, SignJWT, type JWTPayload } from 'jose'
import type { Test } from 'tap'

interface Asked { readonly nonce?: string, readonly challenge?: string, readonly redirectUri: string }

/** What a dishonest one does otherwise. */
export interface Lies {
  /** Changes the claims of the id_token. */
  claims?: (claims: JWTPayload) => JWTPayload
  /** Makes the id_token itself. */
  idToken?: (claims: JWTPayload) => Promise<string | undefined> | string | undefined
  userInfo?: (claims: Record<string, unknown>) => unknown
  discovery?: (document: Record<string, unknown>) => unknown
  /** Changes the parameters of the response to the browser. */
  answer?: (parameters: URLSearchParams) => void
  token?: (answer: Record<string, unknown>) => unknown
  tokenStatus?: number
}

export interface ScriptedProvider {
  readonly issuer: string
  lies: Lies
  /** Who logs in. */
  person: Record<string, unknown>
  readonly tokenRequests: URLSearchParams[]
  readonly authorizations: URLSearchParams[]
  sign (claims: JWTPayload, alg?: string): Promise<string>
}

const body = async (req: IncomingMessage): Promise<URLSearchParams> => {
  let text = ''
  for await (const part of req) text += String(part)
  return new URLSearchParams(text)
}

export async function scriptedProvider (t: Test): Promise<ScriptedProvider> {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const jwk = { ...await exportJWK(publicKey), kid: 'one', alg: 'RS256', use: 'sig' }
  const codes = new Map<string, Asked>()
  let refreshes = 1
  const server = createServer((req, res) => {
    answer(req, res).catch(error => { res.writeHead(500).end(String(error)) })
  })
  await new Promise<void>(resolve => { server.listen(0, '127.0.0.1', resolve) })
  t.teardown(() => { server.closeAllConnections(); server.close() })
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider: ScriptedProvider = {
    issuer,
    lies: {},
    person: { sub: 'ada', name: 'Ada L', email: 'ada@example.com', email_verified: true },
    tokenRequests: [],
    authorizations: [],
    sign: async claims => await new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'one' }).sign(privateKey)
  }
  const send = (res: ServerResponse, value: unknown, status = 200): void => {
    res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
  }

  async function answer (req: IncomingMessage, res: ServerResponse): Promise<void> {
    const url = new URL(req.url as string, issuer)
    const { lies } = provider
    if (url.pathname === '/.well-known/openid-configuration') {
      const document = {
        issuer, authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token`,
        userinfo_endpoint: `${issuer}/userinfo`, jwks_uri: `${issuer}/jwks`, response_types_supported: ['code'],
        subject_types_supported: ['public'], end_session_endpoint: `${issuer}/end`
      }
      send(res, lies.discovery?.(document) ?? document)
      return
    }
    if (url.pathname === '/jwks') { send(res, { keys: [jwk] }); return }
    if (url.pathname === '/authorize') {
      provider.authorizations.push(url.searchParams)
      const code = randomBytes(8).toString('hex')
      const asked = url.searchParams
      codes.set(code, {
        redirectUri: asked.get('redirect_uri') as string,
        ...(asked.get('nonce') === null ? {} : { nonce: asked.get('nonce') as string }),
        ...(asked.get('code_challenge') === null ? {} : { challenge: asked.get('code_challenge') as string })
      })
      const parameters = new URLSearchParams({ code, state: asked.get('state') ?? '' })
      lies.answer?.(parameters)
      res.writeHead(302, { location: `${asked.get('redirect_uri') as string}?${parameters.toString()}` }).end()
      return
    }
    if (url.pathname === '/token') { await token(await body(req), res); return }
    if (url.pathname === '/userinfo' || url.pathname === '/user') {
      if (req.headers.authorization !== 'Bearer at-1') { send(res, {}, 401); return }
      send(res, lies.userInfo?.(provider.person) ?? provider.person)
      return
    }
    if (url.pathname === '/emails') { send(res, provider.person.emails); return }
    send(res, {}, 404)
  }

  async function token (form: URLSearchParams, res: ServerResponse): Promise<void> {
    provider.tokenRequests.push(form)
    if (form.get('grant_type') === 'refresh_token') { await refreshed(form, res); return }
    const asked = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    const verifier = form.get('code_verifier')
    const isProven = asked?.challenge === undefined ||
      (verifier !== null && createHash('sha256').update(verifier).digest('base64url') === asked.challenge)
    if (asked === undefined || asked.redirectUri !== form.get('redirect_uri') || !isProven) {
      send(res, { error: 'invalid_grant', error_description: 'SECRET-WORDS' }, 400)
      return
    }
    const now = Math.floor(Date.now() / 1000)
    const { lies } = provider
    const claims: JWTPayload = {
      ...provider.person, iss: issuer, aud: 'client', iat: now, exp: now + 300,
      ...(asked.nonce === undefined ? {} : { nonce: asked.nonce })
    }
    const changed = lies.claims?.(claims) ?? claims
    const idToken = lies.idToken === undefined ? await provider.sign(changed) : await lies.idToken(changed)
    const given: Record<string, unknown> = {
      access_token: 'at-1', token_type: 'Bearer', expires_in: 300, refresh_token: 'rt-1',
      ...(idToken === undefined ? {} : { id_token: idToken })
    }
    send(res, lies.token?.(given) ?? given, lies.tokenStatus ?? 200)
  }

  /** Each refresh token counts once. */
  async function refreshed (form: URLSearchParams, res: ServerResponse): Promise<void> {
    const number = /^rt-(\d+)$/.exec(form.get('refresh_token') ?? '')?.[1]
    if (number !== String(refreshes)) { send(res, { error: 'invalid_grant', error_description: 'SECRET-WORDS' }, 400); return }
    refreshes++
    const now = Math.floor(Date.now() / 1000)
    const claims = { sub: provider.person.sub as string, iss: issuer, aud: 'client', iat: now, exp: now + 300 }
    const given = {
      access_token: `at-${refreshes}`, token_type: 'Bearer', expires_in: 300, refresh_token: `rt-${refreshes}`,
      id_token: await provider.sign(provider.lies.claims?.(claims) ?? claims)
    }
    send(res, provider.lies.token?.(given) ?? given)
  }
  return provider
}
