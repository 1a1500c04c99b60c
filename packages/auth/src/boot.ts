/**
 * What `@fastback/boot` finds here: built-in models, the connector `mail`, and reading tokens once the application asks
 * for access control.
 */
import type { ConnectorFactory, MaybePromise } from '@fastback/core'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { mailConnector } from './mail/mail-connector.js'
import { authModels } from './models/index.js'
import type { AuthOptions } from './options.js'
import { auth } from './plugin.js'

interface Context {
  /** Options of `app.enableAuth`; undefined when it was not called. */
  readonly auth: object | undefined
  /** Parameters of each token middleware. */
  readonly tokens: ReadonlyArray<Readonly<Record<string, unknown>>>
  readonly app: { get (name: string): unknown }
}

const middlewareOptions = [
  'model',
  'currentUserLiteral',
  'headers',
  'params',
  'cookies',
  'searchDefaultTokenKeys',
  'bearerTokenBase64Encoded'
] as const

export const boot = {
  models: authModels,
  attachedByEnableAuth: { User: true, AccessToken: false },
  connectors: { mail: mailConnector as ConnectorFactory },

  /** Without access control and token middleware tokens are not looked at, as in LoopBack. */
  async register (fastify: FastifyInstance, { auth: enabled, tokens, app }: Context): Promise<void> {
    if (enabled === undefined && tokens.length === 0) return
    const params = Object.assign({}, ...tokens) as Record<string, unknown>
    const options = Object.fromEntries(
      middlewareOptions.flatMap(name => (params[name] === undefined ? [] : [[name, params[name]]]))
    )
    await fastify.register(auth, { ...options, ...(app.get('auth') as object | undefined) } as AuthOptions)
  },

  accessToken (request: FastifyRequest): MaybePromise<unknown> {
    return request.server.hasDecorator('authentication')
      ? request.server.authentication.accessToken(request)
      : undefined
  }
}
