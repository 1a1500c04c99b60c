/* eslint camelcase: "off" -- parameters of the protocol are written as it has them */
/** A server with OpenID Connect, and a relying party. */
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { sqlConnector } from '@fastback/connector-sql'
import { decodeJwt, decodeProtectedHeader, type JWTPayload } from 'jose'
import type { LightMyRequestResponse } from 'fastify'
import type { Test } from 'tap'
import {
  asWeb, bearer, Browser, callback, get, makeServer, post, redeem, request, token, verifier, type Answer, type Server,
  type ServerParts
} from '../server.js'

export interface OpenIdParts extends Omit<ServerParts, 'options'> {
  readonly openid?: object | boolean
  readonly options?: Record<string, unknown>
}

/**
 * As `makeServer`, with `openid` on. Client `rp` (confidential, no list of scopes), `rp2` (the same, of another host);
 * user `ada` with names and an address.
 */
export async function makeProvider (t: Test,
  { openid = true, options = {}, ...parts }: OpenIdParts = {}): Promise<Server> {
  const server = await makeServer(t, { ...parts, options: { ...options, openid } as never })
  if (parts.seed === false) return server
  for (const id of ['rp', 'rp2']) {
    await server.model('OAuthClientApplication').create({
      id, name: `Party ${id}`, clientType: 'confidential', clientSecret: 'w3b secret:&+',
      redirectURIs: [id === 'rp' ? callback : 'https://other.test/cb'],
      grantTypes: ['authorization_code', 'refresh_token', 'client_credentials', 'password', 'implicit'],
      responseTypes: ['code', 'token']
    })
  }
  return server
}

export const secretOf = (id: string): { authorization: string } =>
  ({ authorization: `Basic ${Buffer.from(`${id}:w3b+secret%3A%26%2B`).toString('base64')}` })

type Fields = Record<string, string | undefined>

/** An openid request of `rp`. */
export const openIdRequest = (more: Fields = {}, secret?: string): Fields =>
  request({ client_id: 'rp', scope: 'openid', ...more }, secret)

export interface Redeemed {
  readonly status: number
  readonly body: any
  readonly header: any
  readonly claims: JWTPayload & Record<string, any>
}

export function readTokens (response: LightMyRequestResponse): Redeemed {
  const body = response.json()
  return {
    status: response.statusCode,
    body,
    header: body.id_token === undefined ? undefined : decodeProtectedHeader(body.id_token),
    claims: body.id_token === undefined ? {} : decodeJwt(body.id_token)
  }
}

export interface Visit {
  readonly more?: Fields
  readonly browser?: Browser
  readonly who?: object
  readonly client?: string
}

/** Login, consent and code. */
export async function visit (server: Pick<Server, 'app'>, { more, browser = new Browser(server), who }: Visit = {}): Promise<{
  readonly answer: Answer, readonly code: string, readonly secret: string
}> {
  const secret = verifier()
  const answer = await browser.walk(openIdRequest(more, secret), who)
  return { answer, code: answer.query.get('code') as string, secret }
}

/** The tokens of a login. */
export async function logIn (server: Pick<Server, 'app'>, { client = 'rp', ...given }: Visit = {}): Promise<Redeemed> {
  const { code, secret } = await visit(server, { ...given, more: { client_id: client, ...given.more } })
  return readTokens(await redeem(server, { code, secret }, given.more?.redirect_uri === undefined
    ? {}
    : { redirect_uri: given.more.redirect_uri }, secretOf(client)))
}

export const renew = async (server: Pick<Server, 'app'>, text: string, more: Fields = {}): Promise<Redeemed> =>
  readTokens(await token(server, { grant_type: 'refresh_token', refresh_token: text, ...more }, secretOf('rp')))

export const userinfo = async (server: Pick<Server, 'app'>, text: string): Promise<LightMyRequestResponse> =>
  await get(server, '/oauth/userinfo', bearer(text))

/** One SQLite file for several servers. */
export const sharedStore = (t: Test): Pick<ServerParts, 'connector' | 'settings'> =>
  ({ connector: sqlConnector, settings: { url: `sqlite:${path.join(t.testdir(), 'db.sqlite')}`, migrate: 'update' } })

export const addressOf = ({ app }: Pick<Server, 'app'>): URL =>
  new URL(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}`)

export { asWeb, bearer, Browser, callback, get, post, redeem, request, token, verifier }
