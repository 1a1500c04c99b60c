/** The endpoints of second factors (OI-212, OI-221 … OI-228), on the user models that have them. */
import type { ModelClass, RemoteMethodOptions } from '@fastback/core'
import { addRemoteHook, rulesToExtend } from '@fastback/core/remote'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { builtin } from '../builtin.js'
import { TooManyAttempts } from '../errors.js'
import { refuseDelegated } from '../tokens/delegated.js'
import { restrictResetOf } from '../user/remote-methods.js'
import type { UserModel } from '../user/user-model.js'
import { factorFunctions } from './functions.js'
import type { SecondFactors } from './second-factors.js'

/** The part of a remote call's context that is used here. */
interface Context {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly method: { readonly model: ModelClass }
  readonly error?: unknown
}

const noStore = ({ reply }: Context): void => { reply.header('cache-control', 'no-store') }
const byUsersOnly = ({ request }: Context): void => { refuseDelegated(request.accessToken) }

const id = { arg: 'id', type: 'any', required: true, http: { source: 'path' } } as const
const options = { arg: 'options', type: 'object', http: 'optionsFromRequest' } as const
const body = (description: string) => ({ arg: 'data', type: 'object', http: { source: 'body' }, description } as const)
const rest = { before: [byUsersOnly, noStore] }
const refused = {
  401: 'The password or the second factor is wrong',
  403: 'The token is another user\'s, or was given to another program',
  429: 'Too many attempts on this account'
}
const root = (description: string) => ({ arg: 'data', type: 'object', root: true, description } as const)

const own: Readonly<Record<string, RemoteMethodOptions>> = {
  enrolTotp: {
    description: 'Begin to set up an authenticator application.',
    accepts: [id, body('`password`'), options],
    returns: root('`secret` (base32) and `uri` (for a QR code). Shown once.'),
    http: { verb: 'post', path: '/:id/totp' },
    responses: { ...refused, 409: 'One is set up already' },
    rest
  },
  confirmTotp: {
    description: 'Set up an authenticator application by its first code. Other logins end.',
    accepts: [id, body('`otp`'), options],
    returns: root('`recoveryCodes`: ten texts. Shown once.'),
    http: { verb: 'post', path: '/:id/totp/confirm' },
    responses: refused,
    rest
  },
  disableTotp: {
    description: 'Remove the authenticator application. Other logins end.',
    accepts: [id, body('`password`, and `otp` or `recoveryCode`'), options],
    http: { verb: 'post', path: '/:id/totp/disable' },
    responses: refused,
    rest
  },
  renewRecoveryCodes: {
    description: 'Make ten new recovery codes; the old ones end.',
    accepts: [id, body('`password` and `otp`'), options],
    returns: root('`recoveryCodes`: ten texts. Shown once.'),
    http: { verb: 'post', path: '/:id/recovery-codes' },
    responses: refused,
    rest
  },
  listSecondFactors: {
    description: 'What second factors the user has. No secrets.',
    accepts: [id],
    returns: root('`totp`, `recoveryCodes` (how many are left), `passkeys`, `devices`.'),
    http: { verb: 'get', path: '/:id/second-factors' },
    accessType: 'READ',
    rest
  },
  forgetDevice: {
    description: 'Forget a device that was remembered.',
    accepts: [id, { arg: 'fk', type: 'string', required: true, http: { source: 'path' } }],
    http: { verb: 'delete', path: '/:id/devices/:fk' },
    responses: { 404: 'The user has no such device' },
    rest
  }
}

const ofTotp: ReadonlySet<string> = new Set(['enrolTotp', 'confirmTotp', 'disableTotp', 'renewRecoveryCodes'])

const secondFactor: RemoteMethodOptions = {
  description: 'The second step of a login.',
  accepts: [body('`challenge`, and `otp`, `recoveryCode` or `response`; `remember`: true for a `deviceToken`')],
  returns: root('The token, as of a login.'),
  http: { verb: 'post', path: '/second-factor' },
  responses: { 401: 'The challenge or the second factor is wrong', 429: 'Too many attempts on this account' },
  rest: { before: noStore }
}

/** Names of methods that a user who must enrol may call (OI-219). */
export const enrolmentMethods: ReadonlySet<string> = new Set([
  ...Object.keys(own), 'secondFactor', 'logout', 'passkeyOptions', 'addPasskey'
])

/** Puts functions, endpoints and their rules on a user model. */
export function declareFactorMethods (Model: UserModel, factors: SecondFactors): void {
  for (const [name, value] of Object.entries(factorFunctions(Model, factors))) {
    Object.defineProperty(Model, name, { value: builtin(value as never), configurable: true, writable: true })
  }
  const methods = Object.fromEntries(Object.entries(own).filter(([name]) =>
    factors.options.totp !== false || !ofTotp.has(name)))
  const rules = rulesToExtend(Model, `model "${Model.modelName}"`)
  const allow = (principalId: string, property: string): void => {
    rules.push({ principalType: 'ROLE', principalId, permission: 'ALLOW', property })
  }
  for (const [name, method] of Object.entries(methods)) {
    Model.remoteMethod(name, method)
    allow('$owner', name)
  }
  Model.remoteMethod('secondFactor', secondFactor)
  allow('$everyone', 'secondFactor')
  // What a reset gives is no login: it changes the password, and removes no factor (OI-217).
  restrictResetOf(Model)
  // A challenge is kept by nobody, and who tried too often is told how long to wait.
  for (const pattern of ['login', ...Object.keys(methods), 'secondFactor']) {
    addRemoteHook(Model, {
      moment: 'afterError', pattern,
      listener: ({ reply, error }: Context) => {
        reply.header('cache-control', 'no-store')
        if (error instanceof TooManyAttempts) reply.header('retry-after', error.retryAfter)
      }
    })
  }
}
