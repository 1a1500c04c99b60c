import Fastify, { type FastifyInstance } from 'fastify'
import { core, type ModelClass, type ModelDefinitionInput } from '@fastback/core'
import { memoryConnector } from '@fastback/connector-memory'
import { rest, type RestOptions } from '@fastback/rest'
import type { Test } from 'tap'

export interface AppParts {
  definitions: ModelDefinitionInput[]
  /** Called with the models before the routes are made. */
  prepare?: (models: Record<string, ModelClass>, app: FastifyInstance) => void | Promise<void>
  options?: RestOptions
  /** Of the application: what models read. */
  settings?: Record<string, unknown>
}

/** A server with models in memory, all of them published under `/api`; closed with the test. */
export async function makeApp (
  t: Test,
  { definitions, prepare, options = {}, settings = {} }: AppParts
): Promise<FastifyInstance> {
  const app = Fastify({
    logger: false,
    routerOptions: { caseSensitive: false, ignoreTrailingSlash: true, maxParamLength: 1000 }
  })
  t.teardown(() => app.close())
  await app.register(core, {
    connectors: { memory: memoryConnector },
    dataSources: { db: { connector: 'memory' } },
    definitions,
    settings,
    models: Object.fromEntries(
      definitions.map(({ name, base }) => [name, { dataSource: base === 'Model' ? null : 'db', public: true }])
    )
  })
  await app.registry.start()
  await prepare?.(app.models, app)
  await app.register(rest, {
    prefix: '/api',
    ...options,
    remoting: { errorHandler: { log: false }, ...options.remoting }
  })
  await app.ready()
  return app
}

export const note: ModelDefinitionInput = {
  name: 'Note',
  hidden: ['secret'],
  properties: {
    title: { type: 'string', required: true },
    size: 'number',
    done: { type: 'boolean', default: false },
    at: 'date',
    tags: ['string'],
    secret: 'string'
  }
}

/** Sends JSON and gives status and parsed body. */
export async function call (
  app: FastifyInstance,
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  url: string,
  payload?: unknown,
  headers: Record<string, string> = {}
): Promise<{ status: number; body: any; headers: Record<string, unknown> }> {
  const json =
    payload === undefined || typeof payload === 'string' || Buffer.isBuffer(payload)
      ? {}
      : { 'content-type': 'application/json' }
  const response = await app.inject({
    method,
    url: `/api${url}`,
    headers: { ...json, ...headers },
    ...(payload === undefined ? {} : { payload: payload as object })
  })
  let body: unknown
  try {
    body = response.json()
  } catch {
    body = response.body
  }
  return { status: response.statusCode, body, headers: response.headers }
}
