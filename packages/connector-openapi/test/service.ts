/** A service that says what it was asked, and data sources over a description of it. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ModelRegistry } from '@fastback/core'
import { openapiConnector } from '@fastback/connector-openapi'

interface Test { teardown (work: () => unknown): void }

export interface Asked {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}
export type Answer = (asked: Asked, response: ServerResponse) => unknown

/** Answers what it was asked, as JSON. */
export const echo: Answer = (asked, response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(asked))
}

export async function serve (t: Test, answer: Answer = echo): Promise<string> {
  const server = createServer(async (req, res) => {
    let body = ''
    req.setEncoding('latin1')
    for await (const chunk of req) body += chunk
    await answer({ method: req.method ?? '', url: req.url ?? '', headers: req.headers, body }, res)
  })
  await new Promise<void>(resolve => { server.listen(0, '127.0.0.1', resolve) })
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`
}

type Loose = any

export interface Used {
  readonly Model: Loose
  readonly source: Loose
  readonly connector: Loose
  readonly warnings: string[]
}

/** A model of a data source that was started. */
export async function use (t: Test, settings: Record<string, unknown>): Promise<Used> {
  const warnings: string[] = []
  const registry = new ModelRegistry()
  const warn = (_details: object, message: string): void => { warnings.push(message) }
  const source: Loose = registry.defineDataSource('pets', {
    connector: (given, context) => openapiConnector(given, { ...context, log: { ...context.log, warn } }), ...settings
  })
  const Model = registry.defineModel({ name: 'Pet', base: 'Model' })
  registry.attach(Model, 'pets')
  t.teardown(() => registry.stop())
  await registry.start()
  return { Model, source, connector: source.connector, warnings }
}

const text = { type: 'string' }
const ok = (schema: object = {}) => ({ 200: { description: 'Done', content: { 'application/json': { schema } } } })

/** A description of the version 3.1. */
export const description = (more: object = {}): object => ({
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1' },
  servers: [{ url: '/v1/' }],
  paths: {
    '/pets': {
      get: {
        operationId: 'list-pets',
        tags: ['Pet store'],
        summary: 'Lists pets',
        parameters: [
          { name: 'tags', in: 'query', schema: { type: 'array', items: text } },
          { name: 'limit', in: 'query', schema: { type: 'integer', maximum: 100 } },
          { name: 'X-Tenant', in: 'header', schema: text },
          { name: 'session', in: 'cookie', schema: text }
        ],
        responses: ok()
      },
      post: {
        operationId: 'createPet',
        requestBody: { required: true, content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } } },
        responses: ok()
      }
    },
    '/pets/{id}': {
      parameters: [{ $ref: '#/components/parameters/Id' }],
      get: { operationId: 'getPet', responses: ok({ $ref: '#/components/schemas/Pet' }) },
      put: {
        operationId: 'putForm',
        parameters: [{ name: 'id', in: 'query', schema: text }],
        requestBody: { content: { 'application/x-www-form-urlencoded': { schema: { type: 'object' } } } },
        responses: ok()
      },
      delete: { responses: { 204: { description: 'Gone' } } }
    },
    '/photo': {
      get: { operationId: 'photo', responses: { 200: { description: 'A picture', content: { 'image/png': {} } } } },
      post: { operationId: 'upload', requestBody: { content: { 'multipart/form-data': { schema: {} } } }, responses: ok() },
      put: { operationId: 'raw', requestBody: { content: { 'application/pdf': {} } }, responses: ok() }
    }
  },
  components: {
    parameters: { Id: { name: 'id', in: 'path', required: true, schema: text } },
    schemas: {
      Pet: {
        type: 'object',
        required: ['name'],
        properties: { name: text, parent: { $ref: '#/components/schemas/Pet' } }
      }
    },
    securitySchemes: {
      key: { type: 'apiKey', in: 'query', name: 'api_key' },
      basic: { type: 'http', scheme: 'basic' },
      token: { type: 'http', scheme: 'bearer' }
    }
  },
  ...more
})
