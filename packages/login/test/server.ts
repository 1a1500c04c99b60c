/** An application with logins, and browsers that visit it. */
import Fastify, { type FastifyInstance, type LightMyRequestResponse } from 'fastify'
import { acl } from '@fastback/acl'
import { auth } from '@fastback/auth'
import { memoryConnector } from '@fastback/connector-memory'
import { core, type ConnectorFactory } from '@fastback/core'
import { login, type LoginOptions } from '@fastback/login'
import { rest } from '@fastback/rest'
import type { Test } from 'tap'
import { hashCheaply } from '../../../test-fixtures/test/security/cheap-hasher.js'

export const origin = 'http://app.test'

export interface App {
  readonly app: FastifyInstance
  readonly logs: string[]
  readonly events: Array<Record<string, unknown>>
  model (name: string): any
}

export interface Parts {
  readonly connector?: ConnectorFactory
  readonly settings?: Record<string, unknown>
  /** Models that REST shows beside identities. */
  readonly published?: readonly string[]
  /** Options of `@fastback/auth`. */
  readonly auth?: object
  readonly before?: (app: FastifyInstance) => Promise<void> | void
}

export async function application (t: Test, options: LoginOptions, parts: Parts = {}): Promise<App> {
  hashCheaply(t)
  const logs: string[] = []
  const app = Fastify({ logger: { level: 'info', stream: { write: (line: string) => { logs.push(line) } } } })
  t.teardown(() => app.close())
  await app.register(core, {
    dataSources: { db: { connector: parts.connector ?? memoryConnector, ...parts.settings } }
  })
  const events: Array<Record<string, unknown>> = []
  app.registry.on('audit', (event: Record<string, unknown>) => { events.push(event) })
  await parts.before?.(app)
  await app.register(login, { origin, secret: 'a secret of sixteen and more', rateLimit: false, ...options })
  await app.register(auth, { dataSource: 'db', rateLimit: false, ...parts.auth } as never)
  await app.register(acl, { dataSource: 'db' } as never)
  for (const name of ['UserIdentity', ...parts.published ?? []]) app.registry.attach(name, 'db', { public: true })
  await app.register(rest, { prefix: '/api' })
  app.get('/whoami', async request => {
    const user = (request as { user?: { id?: unknown, profiles?: unknown[] } }).user
    return { id: user?.id ?? null, profiles: user?.profiles?.length ?? 0, token: request.accessToken?.userId ?? null }
  })
  await app.ready()
  return { app, logs, events, model: name => app.registry.getModel(name) }
}

export interface Answer {
  readonly status: number
  readonly location: string
  readonly headers: LightMyRequestResponse['headers']
  readonly text: string
  json (): any
}

/** Keeps cookies as a browser does, as far as names and ends go. */
export class Browser {
  readonly cookies = new Map<string, string>()

  constructor (readonly app: FastifyInstance) {}

  copy (): Browser {
    const other = new Browser(this.app)
    for (const [name, value] of this.cookies) other.cookies.set(name, value)
    return other
  }

  async get (path: string, headers: Record<string, string> = {}): Promise<Answer> {
    return await this.#send('GET', path, headers)
  }

  async post (path: string, form: Record<string, string>, headers: Record<string, string> = {}): Promise<Answer> {
    return await this.#send('POST', path, { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      new URLSearchParams(form).toString())
  }

  async #send (method: 'GET' | 'POST', path: string, headers: Record<string, string>, payload?: string): Promise<Answer> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await this.app.inject({
      method, url: path.replace(origin, ''),
      headers: { host: 'app.test', ...(cookie === '' ? {} : { cookie }), ...headers },
      ...(payload === undefined ? {} : { payload })
    })
    for (const each of [answer.headers['set-cookie'] ?? []].flat()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(each) as unknown as [string, string, string]
      if (/Max-Age=0/.test(each)) this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    return {
      status: answer.statusCode, location: String(answer.headers.location ?? ''), headers: answer.headers,
      text: answer.body, json: () => answer.json() as unknown
    }
  }

  /** To the provider and back: the address of the callback. */
  async toProvider (path: string): Promise<string> {
    const begun = await this.get(path)
    if (!begun.location.startsWith('http')) throw new Error(`not to a provider: ${begun.status} ${begun.location}`)
    const answer = await fetch(begun.location, { redirect: 'manual' })
    return answer.headers.get('location') as string
  }

  /** The whole way. */
  async logIn (path: string): Promise<Answer> {
    return await this.get(await this.toProvider(path))
  }
}
