/**
 * What `@fastback/boot` finds here: built-in models, the connector `mail`, and reading tokens once the application asks
 * for access control.
 */
import type { BootExtension, ConnectorFactory } from '@fastback/core'
import { mailConnector } from './mail/mail-connector.js'
import { authModels } from './models/index.js'
import { optionNames, type AuthOptions } from './options.js'
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

/**
 * The setting `auth` of a folder. Applications of LoopBack may have one of that name for purposes of their own: it is
 * taken for theirs where nothing in it is an option here, and one wrong name beside right ones is a mistake.
 */
function ownSetting (setting: unknown, log: { warn (message: string): void }): object {
  if (setting === undefined || setting === null) return {}
  const names = typeof setting === 'object' ? Object.keys(setting) : []
  if (names.length === 0 || names.some(name => optionNames.includes(name))) return setting as object
  log.warn('The setting "auth" has no option of @fastback/auth in it, and is taken for the application\'s own')
  return {}
}

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
    await fastify.register(auth, { ...options, ...ownSetting(app.get('auth'), fastify.log) } as AuthOptions)
  },

  accessToken (request, reply) {
    return request.server.hasDecorator('authentication')
      ? request.server.authentication.accessToken(request, reply)
      : undefined
  }
} satisfies BootExtension
