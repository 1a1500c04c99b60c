/* eslint camelcase: "off" -- parameters of the protocol are written as it has them */
/** A server with an OAuth provider, and somebody at a browser. */
import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto'
import Fastify, { type FastifyInstance, type LightMyRequestResponse } from 'fastify'
import { auth } from '@fastback/auth'
import { acl } from '@fastback/acl'
import { memoryConnector } from '@fastback/connector-memory'
import { core, type ConnectorFactory, type ModelClass } from '@fastback/core'
import { oauth2, type OAuth2Options, type Provider } from '@fastback/oauth2'
import { rest } from '@fastback/rest'
import { SignJWT } from 'jose'
import type { Test } from 'tap'
import { hashCheaply } from '../../../test-fixtures/test/security/cheap-hasher.js'

export const origin = 'http://op.test'
export const callback = 'https://client.test/cb'
export const keys = generateKeyPairSync('rsa', { modulusLength: 2048 })
export const publicPem = keys.publicKey.export({ type: 'spki', format: 'pem' }) as string
export const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

export interface Server {
  readonly app: FastifyInstance
  readonly provider: Provider
  readonly logs: string[]
  model (name: string): any
}

export interface ServerParts {
  readonly options?: OAuth2Options & Record<string, unknown>
  readonly connector?: ConnectorFactory
  readonly settings?: Record<string, unknown>
  readonly userSettings?: Record<string, unknown>
  readonly prepare?: (app: FastifyInstance) => void | Promise<void>
  readonly seed?: boolean
  /** Hashes that other processes understand. */
  readonly realHashes?: boolean
  /** Of `@fastback/rest`. */
  readonly restOptions?: object
}

/**
 * Clients `web` (confidential), `spa` (public), `robot` (key), `guest` (confidential, few rights); users `ada` and
 * `bob`.
 */
export async function makeServer (
  t: Test,
  {
    options = {}, connector = memoryConnector, settings = {}, userSettings, prepare, seed = true, realHashes = false,
    restOptions = {}
  }: ServerParts = {}
): Promise<Server> {
  if (!realHashes) hashCheaply(t)
  const logs: string[] = []
  const app = Fastify({
    logger: {
      level: 'info',
      stream: {
        write: (line: string) => {
          logs.push(line)
        }
      }
    },
    routerOptions: { caseSensitive: false, ignoreTrailingSlash: true }
  })
  t.teardown(() => app.close())
  await app.register(core, {
    connectors: { store: connector },
    dataSources: { db: { connector: 'store', ...settings } }
  })
  const { registry } = app
  const provider = await (async () => {
    await app.register(oauth2, { dataSource: 'db', authenticate: [{ paths: ['/api/Notes'], options: {} }], ...options })
    return app.oauth2
  })()
  await app.register(auth)
  registry.attach('User', 'db', { public: true, ...(userSettings === undefined ? {} : { settings: userSettings }) })
  registry.attach('AccessToken', 'db')
  await app.register(acl)
  for (const name of ['ACL', 'Role', 'RoleMapping']) registry.attach(name, 'db')
  const Note = registry.defineModel({
    name: 'Note',
    acls: [
      {
        principalType: 'ROLE',
        principalId: '$everyone',
        permission: 'DENY',
        property: ['forWeb', 'forWriters', 'forAuthenticated']
      },
      { principalType: 'APP', principalId: 'web', permission: 'ALLOW', property: 'forWeb' },
      { principalType: 'SCOPE', principalId: 'write', permission: 'ALLOW', property: 'forWriters' },
      { principalType: 'ROLE', principalId: '$authenticated', permission: 'ALLOW', property: 'forAuthenticated' }
    ],
    properties: { title: 'string' }
  }) as ModelClass
  registry.attach(Note, 'db', { public: true })
  Note.who = async (given: any) => ({
    user: given.accessToken?.userId ?? null,
    client: given.accessToken?.appId ?? null,
    scopes: given.accessToken?.scopes ?? null
  })
  Note.remoteMethod('who', {
    accepts: { arg: 'options', type: 'object', http: 'optionsFromRequest' } as never,
    returns: { arg: 'data', type: 'object', root: true },
    http: { verb: 'get', path: '/who' }
  })
  for (const name of ['forWeb', 'forWriters', 'forAuthenticated', 'scoped', 'post']) {
    Note[name] = async () => ({ done: name })
    Note.remoteMethod(name, {
      returns: { arg: 'data', type: 'object', root: true },
      http: {
        verb: name === 'post' ? 'post' : 'get',
        path: `/${name}`
      },
      ...(name === 'scoped' ? { accessScopes: ['write'] } : {})
    })
  }
  await prepare?.(app)
  await app.register(rest, { prefix: '/api', remoting: { errorHandler: { log: false } }, ...restOptions })
  await app.ready()
  const server: Server = { app, provider, logs, model: name => registry.getModel(name) }
  if (seed) await seedAll(server)
  return server
}

export async function seedAll ({ model }: Pick<Server, 'model'>): Promise<void> {
  await model('User').create([{
    username: 'ada',
    email: 'ada@op.test',
    password: 'correct horse'
  }, { username: 'bob', email: 'bob@op.test', password: 'battery staple' }])
  const Client = model('OAuthClientApplication')
  await Client.create({
    id: 'web',
    name: 'Web <b>shop</b>',
    clientType: 'confidential',
    clientSecret: 'w3b secret:&+',
    redirectURIs: [callback, 'https://client.test/other?kept=1'],
    grantTypes: ['authorization_code', 'refresh_token', 'client_credentials', 'password', 'implicit', jwtBearer],
    responseTypes: ['code', 'token'],
    scopes: ['read', 'write', 'admin'],
    publicKey: publicPem
  })
  await Client.create({
    id: 'spa',
    name: 'Page',
    clientType: 'public',
    tokenEndpointAuthMethod: 'none',
    redirectURIs: ['https://spa.test/cb'],
    grantTypes: ['authorization_code', 'refresh_token'],
    scopes: ['read']
  })
  await Client.create({
    id: 'cli',
    name: 'Tool',
    clientType: 'public',
    tokenEndpointAuthMethod: 'none',
    redirectURIs: ['http://127.0.0.1/cb'],
    grantTypes: ['authorization_code'],
    scopes: ['read']
  })
  await Client.create({
    id: 'robot',
    name: 'Robot',
    clientType: 'confidential',
    tokenEndpointAuthMethod: 'private_key_jwt',
    publicKey: publicPem,
    grantTypes: ['client_credentials', jwtBearer],
    scopes: ['read', 'write']
  })
  await Client.create({
    id: 'guest',
    name: 'Guest',
    clientType: 'confidential',
    clientSecret: 'guest secret',
    redirectURIs: ['https://guest.test/cb'],
    grantTypes: ['authorization_code'],
    responseTypes: ['code'],
    scopes: ['read']
  })
}

const encode = (text: string): string => new URLSearchParams({ text }).toString().slice(5)
export const basic = (id: string, secret: string): { authorization: string } =>
  ({ authorization: `Basic ${Buffer.from(`${encode(id)}:${encode(secret)}`).toString('base64')}` })
export const asWeb = basic('web', 'w3b secret:&+')
export const bearer = (token: string): { authorization: string } => ({ authorization: `Bearer ${token}` })
export const verifier = (): string => randomBytes(33).toString('base64url')
export const challengeOf = (text: string): string => createHash('sha256').update(text).digest('base64url')

export type Fields = Record<string, string | undefined> | string

export const formText = (fields: Fields): string =>
  typeof fields === 'string'
    ? fields
    : new URLSearchParams(
      Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined)
    ).toString()

export const post = async (
  { app }: Pick<Server, 'app'>,
  url: string,
  fields: Fields,
  headers: Record<string, string> = {}
): Promise<LightMyRequestResponse> =>
  await app.inject({
    method: 'POST',
    url,
    headers: { host: 'op.test', 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload: formText(fields)
  })

export const token = async (
  server: Pick<Server, 'app'>,
  fields: Fields,
  headers: Record<string, string> = asWeb
): Promise<LightMyRequestResponse> => await post(server, '/oauth/token', fields, headers)

export const get = async (
  { app }: Pick<Server, 'app'>,
  url: string,
  headers: Record<string, string> = {}
): Promise<LightMyRequestResponse> => await app.inject({ method: 'GET', url, headers: { host: 'op.test', ...headers } })

/** `hidden`: what is sent without anybody doing anything, ticked boxes among them. */
export interface Form { readonly action: string, readonly hidden: Record<string, string>, readonly names: string[] }

/** The form of a page, as a browser would send it. */
export function formOf ({ body }: LightMyRequestResponse): Form {
  const plain = (text: string): string =>
    text
      .replaceAll('&quot;', '"')
      .replaceAll('&#39;', "'")
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&')
  const fields = [...body.matchAll(/<(?:input|button)\b[^>]*>/g)].map(([tag]) =>
    Object.fromEntries(
      [...tag.replace(/ checked>$/, ' checked="">').matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name, value]) => [name as string, plain(value as string)])
    )
  )
  return {
    action: plain(/<form[^>]* action="([^"]*)"/.exec(body)?.[1] ?? ''),
    hidden: Object.fromEntries(
      fields.filter(({ type, checked }) => type === 'hidden' || checked !== undefined).map(({ name, value }) => [name as string, value ?? ''])
    ),
    names: fields.flatMap(({ name }) => (name === undefined ? [] : [name]))
  }
}

/** Somebody with cookies. */
export class Browser {
  readonly cookies = new Map<string, string>()

  constructor (
    readonly server: Pick<Server, 'app'>,
    cookies: Iterable<readonly [string, string]> = []
  ) {
    this.cookies = new Map(cookies)
  }

  async request (
    method: 'GET' | 'POST',
    url: string,
    fields?: Fields,
    headers: Record<string, string> = {}
  ): Promise<LightMyRequestResponse> {
    const response = await this.server.app.inject({
      method,
      url: url.replace(origin, ''),
      headers: {
        host: 'op.test',
        accept: 'text/html',
        ...(this.cookies.size === 0
          ? {}
          : { cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ') }),
        ...(fields === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
        ...headers
      },
      ...(fields === undefined ? {} : { payload: formText(fields) })
    })
    for (const { name, value } of response.cookies) {
      if (value === '') this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    return response
  }

  authorize (fields: Fields): Promise<LightMyRequestResponse> {
    return this.request('GET', `/oauth/authorize?${formText(fields)}`)
  }

  /** Follows redirects within the server. */
  async follow (response: LightMyRequestResponse): Promise<LightMyRequestResponse> {
    let last = response
    while (
      typeof last.headers.location === 'string' &&
      (last.headers.location.startsWith('/') || last.headers.location.startsWith(origin))
    ) { last = await this.request('GET', last.headers.location) }
    return last
  }

  async logIn (
    username = 'ada',
    password = 'correct horse',
    headers: Record<string, string> = {}
  ): Promise<LightMyRequestResponse> {
    const form = formOf(await this.request('GET', '/login'))
    return await this.request('POST', form.action, { ...form.hidden, username, password }, headers)
  }

  /** Login and consent as they come; the answer at the client. */
  async walk (
    fields: Fields,
    {
      username = 'ada',
      password = 'correct horse',
      more = {}
    }: { username?: string; password?: string; more?: Record<string, string> } = {}
  ): Promise<Answer> {
    let response = await this.follow(await this.authorize(fields))
    if (formOf(response).names.includes('password')) response = await this.follow(await this.logIn(username, password))
    const form = formOf(response)
    const asked = form.names.includes('transaction_id')
    if (asked) response = await this.request('POST', form.action, { ...form.hidden, ...more })
    return answerOf(response, asked)
  }
}

export interface Answer {
  readonly response: LightMyRequestResponse
  readonly asked: boolean
  readonly url: URL | undefined
  readonly query: URLSearchParams
  readonly fragment: URLSearchParams
}

export function answerOf (response: LightMyRequestResponse, asked = false): Answer {
  const { location } = response.headers
  const url = typeof location === 'string' ? new URL(location, origin) : undefined
  return {
    response,
    asked,
    url,
    query: url?.searchParams ?? new URLSearchParams(),
    fragment: new URLSearchParams(url?.hash.slice(1))
  }
}

/** An authorization request of `web`. */
export const request = (
  more: Record<string, string | undefined> = {},
  secret = verifier()
): Record<string, string | undefined> => ({
  response_type: 'code',
  client_id: 'web',
  redirect_uri: callback,
  scope: 'read',
  state: 'S',
  code_challenge: challengeOf(secret),
  code_challenge_method: 'S256',
  ...more
})

export interface Code { readonly code: string, readonly secret: string }

export async function codeOf (
  server: Pick<Server, 'app'>,
  more: Record<string, string | undefined> = {},
  who: object = {}
): Promise<Code> {
  const secret = verifier()
  const { query } = await new Browser(server).walk(request(more, secret), who)
  return { code: query.get('code') as string, secret }
}

export const redeem = async (
  server: Pick<Server, 'app'>,
  { code, secret }: Code,
  more: Record<string, string | undefined> = {},
  headers = asWeb as Record<string, string>
): Promise<LightMyRequestResponse> =>
  await token(
    server,
    { grant_type: 'authorization_code', code, code_verifier: secret, redirect_uri: callback, ...more },
    headers
  )

export const pairOf = async (
  server: Pick<Server, 'app'>,
  more: Record<string, string | undefined> = {}
): Promise<{ access_token: string; refresh_token: string; scope: string }> =>
  (await redeem(server, await codeOf(server, more))).json()

export const refresh = async (
  server: Pick<Server, 'app'>,
  text: string,
  more: Record<string, string | undefined> = {},
  headers = asWeb as Record<string, string>
): Promise<LightMyRequestResponse> =>
  await token(server, { grant_type: 'refresh_token', refresh_token: text, ...more }, headers)

export const machineToken = async (server: Pick<Server, 'app'>, scope = 'read'): Promise<string> =>
  (await token(server, { grant_type: 'client_credentials', scope })).json().access_token

export const who = async (server: Pick<Server, 'app'>, text: string): Promise<LightMyRequestResponse> =>
  await get(server, '/api/Notes/who', bearer(text))

const now = (): number => Math.floor(Date.now() / 1000)

/** An assertion of `robot`, for the token endpoint. */
export async function assertion (
  claims: Record<string, unknown> = {},
  { alg = 'RS256', key = keys.privateKey as Parameters<SignJWT['sign']>[0], header = {} } = {}
): Promise<string> {
  const all = {
    iss: 'robot',
    sub: 'ada',
    aud: `${origin}/oauth/token`,
    exp: now() + 60,
    iat: now(),
    jti: verifier(),
    scope: 'read',
    ...claims
  }
  const given = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
  return await new SignJWT(given).setProtectedHeader({ alg, ...header }).sign(key)
}

/** Checks an error of a JSON endpoint, and its form (O-096). */
export function fails (t: Test, response: LightMyRequestResponse, status: number, error: string, what = ''): void {
  t.equal(response.statusCode, status, `${what} ${response.body}`)
  const body = response.json()
  t.equal(body.error, error, what)
  t.match(body.error_description, /^[\x20\x21\x23-\x5b\x5d-\x7e]+$/, 'O-096')
}
