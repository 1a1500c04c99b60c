/** The endpoints of user models (specification, Built-in user model operations). */
import type { ModelClass, ModelInstance, ModelRegistry, RemoteMethodOptions } from '@fastback/core'
import { argumentsOf, ownRemoteMethod, setRemoteMethod } from '@fastback/core/remote'
import { accessDenied } from '../errors.js'
import { refuseDelegated } from '../tokens/delegated.js'
import { resetScope } from './passwords.js'
import { isUserModel, type UserSettings } from './user-model.js'
import { userModelsOf } from './user-models.js'
import { verifyLater } from './verify-later.js'
import { redirectAddress } from './verify.js'

/** The part of a remote call's context that is used here. */
interface Context {
  readonly request: { readonly accessToken?: ModelInstance | null }
  readonly reply: { header (name: string, value: string): unknown, redirect (url: string, code?: number): unknown }
  readonly method: { readonly model: ModelClass }
  readonly args: Record<string, unknown>
}

const options = { arg: 'options', type: 'object', http: 'optionsFromRequest' } as const
/**
 * Not `required`: the methods say what is missing as LoopBack does, with 400 (a missing member of a body would be 422).
 */
const field = (arg: string) => ({ arg, type: 'string', http: { source: 'form' } } as const)

/**
 * The caller's id, for methods about the caller. A token of another user model is none of this one's (security.md,
 * S-44).
 */
const callerId = {
  arg: 'id',
  type: 'any',
  documented: false,
  http: ({ request, method }: Context): unknown => {
    const { accessToken } = request
    if (accessToken === null || accessToken === undefined) return undefined
    const { userId } = accessToken
    if (
      userId !== undefined &&
      userId !== null &&
      userModelsOf(method.model.registry).ofToken(accessToken) !== method.model
    ) { throw accessDenied() }
    return userId
  }
}

/** Before the arguments are looked at: what is wrong with them tells of the account. */
const byUsersOnly = ({ request }: Context): void => { refuseDelegated(request.accessToken) }

const tooMany = 'Too many attempts from this address, or on this account'
const passwordResponses = {
  401: 'There is no valid token',
  403: 'The token is one of another user model, or was given to another program',
  422: 'The new password breaks a rule'
}

const setPassword: RemoteMethodOptions = {
  description: 'Reset user\'s password via a password-reset token.',
  accepts: [callerId, field('newPassword'), options],
  http: { verb: 'post', path: '/reset-password' },
  responses: passwordResponses,
  rest: { before: byUsersOnly }
}

const methods: Readonly<Record<string, RemoteMethodOptions>> = {
  login: {
    description: 'Login a user with username/email and password.',
    accepts: [
      { arg: 'credentials', type: 'object', http: { source: 'body' } },
      {
        arg: 'include',
        type: ['string'],
        http: { source: 'query' },
        description: 'Related objects to include in the response. See the description of return value for more details.'
      }
    ],
    returns: {
      arg: 'accessToken',
      type: 'object',
      root: true,
      description: 'The token: `id` is what to send with further requests. With `include=user`, the user is in it.'
    },
    http: { verb: 'post' },
    responses: {
      401: 'The credentials are wrong, or the e-mail address is not verified',
      429: tooMany,
      503: 'Too many logins at once'
    },
    // A response with a token is kept by nobody (security.md, S-52).
    rest: {
      after: (context: Context, next) => {
        context.reply.header('cache-control', 'no-store')
        next()
      }
    }
  },
  logout: {
    description: 'Logout a user with access token.',
    accepts: [
      {
        arg: 'access_token',
        type: 'string',
        documented: false,
        http: ({ request }: Context) => request.accessToken?.id
      }
    ],
    http: { verb: 'post' },
    responses: { 401: 'There is no such token', 403: 'The token was given to another program' },
    rest: { before: byUsersOnly }
  },
  'prototype.verify': {
    description: "Trigger user's identity verification with configured verifyOptions",
    accepts: [
      {
        arg: 'verifyOptions',
        type: 'object',
        documented: false,
        http: ({ method }: Context) => (method.model.getVerifyOptions as () => object)()
      },
      options
    ],
    http: { verb: 'post', path: '/verify' },
    rest: { before: [byUsersOnly, verifyLater] },
    responses: { 404: 'Nobody sends mail; or there is no such user, where "allowUserEnumeration" is set', 429: tooMany }
  },
  confirm: {
    description: 'Confirm a user registration with identity verification token.',
    accepts: [
      { arg: 'uid', type: 'string', required: true },
      { arg: 'token', type: 'string', required: true },
      { arg: 'redirect', type: 'string' }
    ],
    http: { verb: 'get', path: '/confirm' },
    responses: { 302: 'Done; on to `redirect`', 404: 'There is no such user', 429: tooMany },
    rest: {
      after: (context: Context, next) => {
        const { redirect } = context.args
        if (typeof redirect === 'string' && redirect !== '') context.reply.redirect(redirectAddress(redirect), 302)
        next()
      }
    }
  },
  resetPassword: {
    description: 'Reset password for a user with email.',
    accepts: [{ arg: 'options', type: 'object', http: { source: 'body' } }],
    http: { verb: 'post', path: '/reset' },
    responses: {
      401: 'The e-mail address is not verified, where "allowUserEnumeration" is set',
      404: 'There is no such e-mail address, where "allowUserEnumeration" is set',
      429: tooMany
    }
  },
  changePassword: {
    description: "Change a user's password.",
    accepts: [callerId, field('oldPassword'), field('newPassword'), options],
    http: { verb: 'post', path: '/change-password' },
    responses: { ...passwordResponses, 429: tooMany },
    rest: { before: byUsersOnly }
  },
  setPassword
}

export function declareUserMethods (User: ModelClass): void {
  for (const [name, method] of Object.entries(methods)) User.remoteMethod(name, method)
}

/** Says in bodies and in the description what the policy asks of new passwords. */
export function declarePasswordLimits (Model: ModelClass, limits: Readonly<Record<string, unknown>>): void {
  for (const name of ['changePassword', 'setPassword'] as const) {
    const declared = ownRemoteMethod(Model, name)
    if (declared === undefined) continue
    setRemoteMethod(Model, name, {
      ...declared,
      accepts: argumentsOf(declared.accepts, { model: Model.modelName, method: name }).map(argument =>
        argument.arg === 'newPassword' ? { ...argument, jsonSchema: { ...argument.jsonSchema, ...limits } } : argument)
    })
  }
}

/**
 * Where only reset tokens may set a password, the method asks for their scope. Known when a model's settings are: when
 * it is attached.
 */
export function restrictReset (registry: ModelRegistry): void {
  registry.on('modelAttached', (Model: ModelClass) => {
    if (isUserModel(Model) && (Model.settings as UserSettings).restrictResetPasswordTokenScope === true) {
      restrictResetOf(Model)
    }
  })
}

/** The same for one model, whatever its settings are. */
export function restrictResetOf (Model: ModelClass): void {
  // That of User itself, one of the application's own, or the one that is inherited.
  const declared = ownRemoteMethod(Model, 'setPassword') ?? setPassword
  if (declared.accessScopes === undefined) {
    setRemoteMethod(Model, 'setPassword', { ...declared, accessScopes: [resetScope] })
  }
}
