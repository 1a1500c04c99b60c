/* eslint camelcase: "off" -- parameters of the protocol are written as it has them */
/** A server with extensions, and what devices and clients send to it. */
import type { LightMyRequestResponse } from 'fastify'
import type { Test } from 'tap'
import { Browser, formOf, makeServer, post, token, type Server, type ServerParts } from '../server.js'

export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'

export interface ExtensionParts extends Omit<ServerParts, 'options'> { readonly options?: Record<string, unknown> }

/** As `makeServer`; client `tv` (public) and `box` (confidential) have a screen and no keyboard. */
export async function makeExtended (t: Test, { options = {}, ...parts }: ExtensionParts): Promise<Server> {
  const server = await makeServer(t, { ...parts, options: options as never })
  if (parts.seed === false) return server
  const Client = server.model('OAuthClientApplication')
  await Client.create({
    id: 'tv', name: 'Television <i>', clientType: 'public', tokenEndpointAuthMethod: 'none',
    grantTypes: [deviceGrant, 'refresh_token'], scopes: ['read', 'write', 'openid', 'email', 'offline_access']
  })
  await Client.create({
    id: 'box', name: 'Box', clientType: 'confidential', clientSecret: 'box secret',
    grantTypes: [deviceGrant], scopes: ['read']
  })
  return server
}

export interface Codes {
  readonly device_code: string
  readonly user_code: string
  readonly verification_uri: string
  readonly verification_uri_complete: string
  readonly expires_in: number
  readonly interval: number
}

type Fields = Record<string, string | undefined>

export const begin = async (server: Pick<Server, 'app'>, more: Fields = {},
  headers: Record<string, string> = {}): Promise<LightMyRequestResponse> =>
  await post(server, '/oauth/device_authorization', { client_id: 'tv', scope: 'read', ...more }, headers)

export const codesOf = async (server: Pick<Server, 'app'>, more: Fields = {}): Promise<Codes> =>
  (await begin(server, more)).json()

export const poll = async (server: Pick<Server, 'app'>, device_code: string | undefined, more: Fields = {},
  headers: Record<string, string> = {}): Promise<LightMyRequestResponse> =>
  await token(server, { grant_type: deviceGrant, client_id: 'tv', device_code, ...more }, headers)

/** Somebody logged in, at the page for codes. */
export async function atPage (server: Pick<Server, 'app'>, username = 'ada', password = 'correct horse'): Promise<Browser> {
  const browser = new Browser(server)
  await browser.logIn(username, password)
  return browser
}

/** What the page says to a code. */
export async function enter (browser: Browser, user_code: string, more: Fields = {}): Promise<LightMyRequestResponse> {
  const { action, hidden } = formOf(await browser.request('GET', '/oauth/device'))
  return await browser.request('POST', action, { ...hidden, user_code, ...more })
}

/** Enters a code and decides. */
export async function decide (browser: Browser, user_code: string, decision = 'allow'): Promise<LightMyRequestResponse> {
  const { action, hidden } = formOf(await enter(browser, user_code))
  return await browser.request('POST', action, { ...hidden, decision })
}

/** Moves the clock of this process. */
export function later (t: Test, seconds: number): void {
  const { now } = Date
  const at = now
  Date.now = () => at() + seconds * 1000
  t.teardown(() => { Date.now = now })
}
