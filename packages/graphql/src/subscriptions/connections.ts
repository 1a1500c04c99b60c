/** Connections over WebSocket, on which clients subscribe: the protocol is that of `graphql-ws`. */
import type { EventEmitter } from 'node:events'
import websocket from '@fastify/websocket'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { getOperationAST, GraphQLError, specifiedRules, validate, type ExecutionArgs, type ValidationRule } from 'graphql'
import { CloseCode, handleProtocols, makeServer, type Context, type Server } from 'graphql-ws'
import type { CallContext } from '../execution/call.js'
import type { Settings } from '../options.js'
import type { Endpoint } from '../request/endpoint.js'
import { invalidRequest, otherOrigin, tooManySubscriptions } from '../request/errors.js'
import { requestOf } from './request-of.js'
import { onTokenEnd } from './token-end.js'

interface Connecting extends Endpoint {
  readonly rules: readonly ValidationRule[]
}

/** A connection, as far as it is used here. */
interface Socket extends EventEmitter {
  readonly protocol: string
  readonly readyState: number
  readonly OPEN: number
  send (text: string, done: (error?: Error | null) => void): void
  close (code?: number, reason?: string): void
  terminate (): void
  ping (): void
}

/** What is known of a connection. */
interface Opened {
  readonly request: FastifyRequest
  /** Lets the connection outlive the token that it was opened with. */
  readonly forgetToken: () => void
}

/** Milliseconds that a client has to say who it is, and between signs of life. */
const initialWait = 10_000
const interval = 15_000

/** What the route of GraphQL needs to take connections: options of its GET. */
export async function acceptConnections (
  app: FastifyInstance, settings: Settings, connecting: Connecting
): Promise<object> {
  if (app.websocketServer === undefined) {
    await app.register(websocket, { options: { maxPayload: settings.limits.body, handleProtocols } })
  }
  const server = protocolServer(app, settings, connecting)
  return {
    preValidation: async (request: FastifyRequest) => {
      if (request.ws) mustBeOwnOrigin(request, settings.origins)
    },
    wsHandler: (socket: Socket, request: FastifyRequest) => { serve(server, socket, request) }
  }
}

/** Browsers let every page open connections, with the cookies of their user: this server's pages alone may. */
function mustBeOwnOrigin ({ headers, host }: FastifyRequest, allowed: readonly string[]): void {
  const { origin } = headers
  if (origin === undefined || allowed.includes(origin)) return
  if (!URL.canParse(origin) || new URL(origin).host !== host) throw otherOrigin(origin)
}

function protocolServer (
  app: FastifyInstance, { limits }: Settings, { calls, operations, errors, rules }: Connecting
): Server<Opened> {
  const shown = (found: readonly GraphQLError[], { extra: { request } }: Context<any, Opened>) =>
    errors.shown(found, request.log)

  /** @throws RequestError 400 */
  function argsOf (
    { extra, connectionParams, subscriptions }: Context<any, Opened>, payload: object
  ): ExecutionArgs | readonly GraphQLError[] {
    if (Object.keys(subscriptions).length > limits.subscriptions) throw tooManySubscriptions(limits.subscriptions)
    const { document: text, variables, operationName } = operations.of(payload)
    const document = operations.parsed(text)
    const operation = getOperationAST(document, operationName)
    if (operation?.operation !== 'subscription') {
      throw invalidRequest('A connection takes subscriptions: send queries and mutations with POST.')
    }
    const { schema } = app.graphql
    const faults = validate(schema, document, [...specifiedRules, ...rules])
    if (faults.length > 0) return faults
    const request = requestOf(extra.request, connectionParams)
    // What each change costs is counted by itself.
    const contextValue: Pick<CallContext, 'calls' | 'request'> = { get calls () { return calls.of(request) }, request }
    return {
      schema, document, contextValue, operationName, ...(variables === undefined ? {} : { variableValues: variables })
    }
  }

  return makeServer<any, Opened>({
    connectionInitWaitTimeout: initialWait,
    onConnect: ({ extra: { request, forgetToken }, connectionParams }) => {
      // A token of its own is read with each call.
      if (requestOf(request, connectionParams) !== request) forgetToken()
    },
    onSubscribe: (context, _id, payload) => {
      try {
        return argsOf(context, payload)
      } catch (error) {
        return [new GraphQLError((error as Error).message, { originalError: error as Error })]
      }
    },
    onError: (context, _id, _payload, found) => shown(found, context),
    onNext: (context, _id, _payload, _args, { errors: found, ...others }) =>
      found === undefined ? undefined : { ...others, errors: shown(found, context) }
  })
}

/** One connection, from its start to its end. */
function serve (server: Server<Opened>, socket: Socket, request: FastifyRequest): void {
  let isAlive = true
  const timer = setInterval(() => {
    if (!isAlive) socket.terminate()
    isAlive = false
    socket.ping()
  }, interval).unref()
  const forgetToken = onTokenEnd(request, () => { socket.close(CloseCode.Forbidden, 'Forbidden') })
  socket.on('pong', () => { isAlive = true })
  socket.on('error', (error: unknown) => { request.log.info({ err: error }, 'a connection of GraphQL failed') })
  const closed = server.opened({
    protocol: socket.protocol,
    send: async text => {
      if (socket.readyState !== socket.OPEN) return
      await new Promise<void>((resolve, reject) => {
        socket.send(text, error => { if (error === undefined || error === null) resolve(); else reject(error) })
      })
    },
    close: (code, reason) => { socket.close(code, reason) },
    onMessage: take => {
      socket.on('message', (data: unknown) => {
        take(String(data)).catch((error: unknown) => {
          request.log.error({ err: error }, 'a message to GraphQL failed')
          socket.close(1011, 'Internal server error')
        })
      })
    }
  }, { request, forgetToken })
  socket.once('close', (code: number, reason: unknown) => {
    clearInterval(timer)
    forgetToken()
    Promise.resolve(closed(code, String(reason))).catch((error: unknown) => {
      request.log.error({ err: error }, 'a connection of GraphQL did not end')
    })
  })
}
