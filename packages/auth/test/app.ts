/** A server over memory with users, tokens and REST, for tests. */
import type { Test } from 'tap'
import Fastify, { type FastifyInstance } from 'fastify'
import core, { ModelRegistry, type ModelClass } from '@fastback/core'
import { memoryConnector } from '@fastback/connector-memory'
import rest from '@fastback/rest'
import auth, { installAuthModels, type AuthOptions } from '@fastback/auth'

export interface Options {
  user?: Record<string, unknown>
  auth?: AuthOptions
  settings?: Record<string, unknown>
  registry?: Record<string, unknown>
  prepare?: (models: Record<string, ModelClass>, app: FastifyInstance) => void
}

export async function makeApp (
  t: Test,
  { user = {}, auth: options = {}, prepare, registry: settings = {} }: Options = {}
): Promise<FastifyInstance & { models: Record<string, any> }> {
  const registry = new ModelRegistry({ settings })
  registry.connectors.register('memory', memoryConnector)
  registry.defineDataSource('db', { connector: 'memory' })
  registry.defineDataSource('mail', { connector: 'memory' })
  installAuthModels(registry)
  registry.attach('User', 'db', { public: true, settings: user })
  registry.attach('AccessToken', 'db', { public: true })
  registry.attach('Application', 'db', { public: true })
  const app = Fastify()
  await app.register(core, { registry })
  await app.register(auth, { rateLimit: false, ...options })
  prepare?.(registry.models, app)
  await app.register(rest, { prefix: '/api', accessControl: false })
  t.teardown(() => app.close())
  await app.ready()
  return app as never
}

export interface Answer { status: number, body: any, headers: Record<string, unknown> }

export async function call (
  app: FastifyInstance,
  method: string,
  url: string,
  body?: unknown,
  token?: string,
  headers: Record<string, string> = {}
): Promise<Answer> {
  const response = await app.inject({
    method: method as 'GET',
    url: `/api${url}`,
    ...(body === undefined ? {} : { payload: body as object }),
    headers: { ...(token === undefined ? {} : { authorization: token }), ...headers }
  })
  return {
    status: response.statusCode,
    headers: response.headers,
    body:
      response.payload === '' || !String(response.headers['content-type']).includes('json')
        ? response.payload
        : response.json()
  }
}

export const person = (name: string, extra: object = {}): object => ({
  email: `${name}@x.test`,
  username: name,
  password: `${name}-secret`,
  ...extra
})

export async function login (app: FastifyInstance, name: string, extra: object = {}): Promise<string> {
  return (await call(app, 'POST', '/Users/login', { username: name, password: `${name}-secret`, ...extra })).body.id
}
