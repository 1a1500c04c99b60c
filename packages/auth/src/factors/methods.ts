/** The endpoints of second factors (OI-212, OI-221 … OI-228), on the user models that have them. */
import type { RemoteMethodOptions } from '@fastback/core'
import { restrictResetOf } from '../user/remote-methods.js'
import type { UserModel } from '../user/user-model.js'
import { body, declareMethods, fk, id, noStore, ofUsers, options, refused, root, tellOfLimits } from './declare-methods.js'
import { factorFunctions } from './functions.js'
import type { SecondFactors } from './second-factors.js'

const own: Readonly<Record<string, RemoteMethodOptions>> = {
  enrolTotp: {
    description: 'Begin to set up an authenticator application.',
    accepts: [id, body('`password`; with a passkey `recoveryCode` as well, unless the login with it is young'), options],
    returns: root('`secret` (base32) and `uri` (for a QR code). Shown once.'),
    http: { verb: 'post', path: '/:id/totp' },
    responses: { ...refused, 409: 'One is set up already' },
    rest: ofUsers
  },
  confirmTotp: {
    description: 'Set up an authenticator application by its first code. Other logins end.',
    accepts: [id, body('`otp`'), options],
    returns: root('`recoveryCodes`: ten texts. Shown once.'),
    http: { verb: 'post', path: '/:id/totp/confirm' },
    responses: refused,
    rest: ofUsers
  },
  disableTotp: {
    description: 'Remove the authenticator application. Other logins end.',
    accepts: [id, body('`password`, and `otp` or `recoveryCode`'), options],
    http: { verb: 'post', path: '/:id/totp/disable' },
    responses: refused,
    rest: ofUsers
  },
  renewRecoveryCodes: {
    description: 'Make ten new recovery codes; the old ones end.',
    accepts: [id, body('`password` and `otp`'), options],
    returns: root('`recoveryCodes`: ten texts. Shown once.'),
    http: { verb: 'post', path: '/:id/recovery-codes' },
    responses: refused,
    rest: ofUsers
  },
  listSecondFactors: {
    description: 'What second factors the user has. No secrets.',
    accepts: [id],
    returns: root('`totp`, `recoveryCodes` (how many are left), `passkeys`, `devices`.'),
    http: { verb: 'get', path: '/:id/second-factors' },
    accessType: 'READ',
    rest: ofUsers
  },
  forgetDevice: {
    description: 'Forget a device that was remembered.',
    accepts: [id, fk],
    http: { verb: 'delete', path: '/:id/devices/:fk' },
    responses: { 404: 'The user has no such device' },
    rest: ofUsers
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
  const methods = Object.fromEntries(Object.entries(own).filter(([name]) =>
    factors.options.totp !== false || !ofTotp.has(name)))
  declareMethods(Model, factorFunctions(Model, factors), { own: methods, open: { secondFactor } })
  tellOfLimits(Model, 'login')
  // What a reset gives is no login: it changes the password, and removes no factor (OI-217).
  restrictResetOf(Model)
}
