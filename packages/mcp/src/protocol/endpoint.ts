/** The route: Streamable HTTP without sessions, each message a request of its own. */
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { statusOf } from '@fastback/rest'
import { parseJson } from '@fastback/rest/calls'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { invalidRequest, notJson, onlyPost } from '../access/request-errors.js'
import type { Settings } from '../options.js'
import { paramsFault } from './check-message.js'
import { serverOf, type Served } from './server.js'

/** Headers of a request that the protocol reads. */
const ofProtocol = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-session-id'] as const

/** @param served what there is, once the application is ready */
export function addEndpoint (app: FastifyInstance, { path, limits }: Settings, served: () => Served): void {
  addJsonBodies(app, limits.json)
  app.setErrorHandler((error: Error & { code?: unknown }, request, reply) => {
    const status = statusOf(error)
    if (status >= 500) request.log.error({ err: error }, 'a request of an agent failed')
    const message = status >= 500 ? 'Internal server error' : error.message
    const { name } = error
    return send(reply.code(status), refusal(status, status >= 500 ? { name: 'Error', message } : { name, message, code: error.code }))
  })
  app.post(path, { bodyLimit: limits.body }, async (request, reply) => {
    const message = messageOf(request)
    const fault = paramsFault(message)
    if (fault !== undefined) return await send(reply, fault)
    const server = serverOf(served(), request, reply)
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
    await server.connect(transport)
    try {
      const response = await transport.handleRequest(asWebRequest(request), { parsedBody: message })
      reply.code(response.status)
      const type = response.headers.get('content-type')
      if (type !== null) reply.type(type)
      const text = await response.text()
      return await reply.header('cache-control', 'no-store').send(text === '' ? undefined : text)
    } finally {
      await server.close()
    }
  })
  app.route({
    method: ['GET', 'DELETE'],
    url: path,
    exposeHeadRoute: false,
    handler: async (_request, reply) => {
      reply.header('allow', 'POST')
      throw onlyPost()
    }
  })
}

/** @throws RequestError 400 for several messages at once, which the protocol has no more */
function messageOf ({ body }: FastifyRequest): object {
  if (body === null || typeof body !== 'object' || Array.isArray(body)) {
    throw invalidRequest('The body is one message of the protocol: a JSON object.')
  }
  return body
}

function asWebRequest ({ headers }: FastifyRequest): Request {
  const own = new Headers()
  for (const name of ofProtocol) {
    const value = headers[name]
    if (value !== undefined) own.set(name, String(value))
  }
  // The address is read for nothing.
  return new Request('http://localhost/', { method: 'POST', headers: own })
}

/** An error before the protocol, in its form; `data` is what REST says of it. */
const refusal = (statusCode: number, error: { name: string, message: string, code?: unknown }): object => ({
  jsonrpc: '2.0',
  id: null,
  error: {
    code: statusCode === 400 ? -32600 : -32000,
    message: error.message,
    data: { error: { statusCode, ...error } }
  }
})

const send = (reply: FastifyReply, body: object): FastifyReply =>
  reply.header('cache-control', 'no-store').type('application/json; charset=utf-8').send(JSON.stringify(body))

/** JSON as bodies of REST have it: strict, and at most so deep. */
function addJsonBodies (app: FastifyInstance, depth: number): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, text, done) => {
    try {
      done(null, parseJson(String(text), depth))
    } catch (error) {
      done(Object.assign(error as Error, { statusCode: 400, code: 'MALFORMED_JSON' }))
    }
  })
  app.addContentTypeParser('*', (request, _payload, done) => { done(notJson(request.headers['content-type'])) })
}
