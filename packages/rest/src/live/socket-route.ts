/** The route that WebSockets with live queries come to. */
import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify'
import { foldPath } from '@fastback/core/remote'
import { foreignOrigin, noLiveQueries, tooManyConnections } from '../errors/live-errors.js'
import { LivePathTakenError } from '../errors/startup-errors.js'
import type { ModelPlan } from '../routes/plan.js'
import { LiveConnection } from './connection.js'
import type { ClientMessage } from './messages.js'
import type { LiveSocketLimits } from './settings.js'
import type { LiveResponse } from './subscription.js'

/**
 * Headers of the upgrade that say something of the connection, and nothing of the caller. All others, those with tokens
 * among them, are those of each query.
 */
const ofConnection: ReadonlySet<string> = new Set([
  'accept', 'accept-encoding', 'cache-control', 'connection', 'content-length', 'content-type', 'last-event-id', 'origin',
  'pragma', 'transfer-encoding', 'upgrade'
])

/**
 * Adds the route. Each live query of a connection is a request of its own, without a socket: it takes the way of every
 * request, with authentication, access rules, hooks and limits.
 * @param heartbeat milliseconds between signs of life
 * @throws FBK_REST_LIVE_PATH_TAKEN where a model has the path
 */
export async function addLiveSocket (
  scope: FastifyInstance, plans: readonly ModelPlan[], limits: LiveSocketLimits, heartbeat: number
): Promise<void> {
  const { path, maxMessage } = limits
  const taken = plans.find(plan => plan.routes.some(({ url }) => foldPath(url) === foldPath(path)))
  if (taken !== undefined) throw new LivePathTakenError(taken.Model.modelName, path)
  const { default: websocket } = await import('@fastify/websocket')
  const connections = new Set<LiveConnection>()
  const timer = setInterval(() => { for (const each of connections) each.check() }, heartbeat).unref()
  scope.addHook('onClose', async () => { clearInterval(timer) })
  const requests = new QueryRequests(scope, plans)
  await scope.register(async inner => {
    if (!inner.hasDecorator('websocketServer')) await inner.register(websocket, { options: { maxPayload: maxMessage } })
    inner.get(path, { websocket: true, onRequest: mayConnect(limits, connections) }, (socket, request) => {
      const connection = new LiveConnection(
        socket, limits, async message => await requests.send(request, message),
        err => { request.log.error({ err }, 'a live query failed') })
      connections.add(connection)
      socket.on('close', () => { connections.delete(connection) })
    })
  })
}

/** Browsers send cookies along, whatever page asks, and say which page it is. */
const mayConnect = (
  { origins, maxConnections }: LiveSocketLimits, connections: ReadonlySet<unknown>
): onRequestHookHandler => (request, _reply, done) => {
  const { origin, host } = request.headers
  if (origin !== undefined && !origins.includes(origin) && hostOf(origin) !== host) done(foreignOrigin())
  else if (connections.size >= maxConnections) done(tooManyConnections(maxConnections))
  else done()
}

const hostOf = (origin: string): string | undefined => URL.canParse(origin) ? new URL(origin).host : undefined

class QueryRequests {
  readonly #scope: FastifyInstance
  /** Paths of models that have live queries. */
  readonly #paths: ReadonlySet<string>

  constructor (scope: FastifyInstance, plans: readonly ModelPlan[]) {
    this.#scope = scope
    this.#paths = new Set(plans.flatMap(({ routes }) =>
      routes.filter(({ method }) => method.builtin === 'live').map(({ url }) => foldPath(url))))
  }

  /** @throws RequestError 404 for the path of no model with live queries */
  async send (
    outer: FastifyRequest, { path, filter, after }: ClientMessage & { readonly type: 'subscribe' }
  ): Promise<LiveResponse> {
    const url = `${path}/live`
    if (!this.#paths.has(foldPath(url))) throw noLiveQueries(path)
    const response = await this.#scope.inject({
      method: 'GET',
      url: `${this.#scope.prefix}${url}?${queryOf(outer, filter)}`,
      remoteAddress: outer.raw.socket.remoteAddress ?? '127.0.0.1',
      headers: {
        ...callerHeaders(outer), accept: 'text/event-stream', ...after === undefined ? {} : { 'last-event-id': after }
      },
      payloadAsStream: true
    })
    const { statusCode, raw } = response
    return { statusCode, stream: () => response.stream(), end: () => { raw.res.destroy() } }
  }
}

/** That of the upgrade, which may have the token. */
function queryOf ({ raw }: FastifyRequest, filter: object | undefined): string {
  const query = new URLSearchParams(raw.url?.split('?')[1] ?? '')
  query.delete('_format')
  query.delete('filter')
  if (filter !== undefined) query.set('filter', JSON.stringify(filter))
  return query.toString()
}

const callerHeaders = ({ headers }: FastifyRequest): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).flatMap(([name, value]) =>
    value === undefined || ofConnection.has(name) || name.startsWith('sec-websocket-')
      ? []
      : [[name, Array.isArray(value) ? value.join(', ') : value]]))
