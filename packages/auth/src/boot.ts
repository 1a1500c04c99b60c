/**
 * What `@fastback/boot` finds here: built-in models, the connector `mail`, and reading tokens once the application asks
 * for access control.
 */
import type { BootExtension, ConnectorFactory } from '@fastback/core'
import { mailConnector } from './mail/mail-connector.js'
import { authModels } from './models/index.js'
import type { AuthOptions } from './options.js'
import { auth } from './plugin.js'

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
  async register (fastify, { auth: enabled, tokens, app }) {
    if (enabled === undefined && tokens.length === 0) return
    const params = Object.assign({}, ...tokens) as Record<string, unknown>
    const options = Object.fromEntries(
      middlewareOptions.flatMap(name => (params[name] === undefined ? [] : [[name, params[name]]]))
    )
    await fastify.register(auth, { ...options, ...(app.get('auth') as object | undefined) } as AuthOptions)
  },

  accessToken (request) {
    return request.server.hasDecorator('authentication')
      ? request.server.authentication.accessToken(request)
      : undefined
  }
} satisfies BootExtension
