/** The endpoints of passkeys (OI-240 … OI-246), on the user models that have them. */
import type { RemoteMethodOptions } from '@fastback/core'
import { addRemoteHook } from '@fastback/core/remote'
import { attemptsOf } from '../attempts/service.js'
import type { Reservation } from '../attempts/attempts.js'
import {
  body, declareMethods, fk, id, noStore, ofUsers, options, refused, root, type Context
} from '../factors/declare-methods.js'
import type { UserModel } from '../user/user-model.js'
import { passkeyFunctions } from './functions.js'
import type { Passkeys } from './passkeys.js'

const kReservation = Symbol('fastback.passkeyAttempt')

interface Counted extends Context { [kReservation]?: Reservation | undefined }

const unknown = { 404: 'The user has no such passkey' }

const own: Readonly<Record<string, RemoteMethodOptions>> = {
  passkeyOptions: {
    description: 'Begin to add a passkey.',
    accepts: [id, body('`password`; with a second factor `otp` or `recoveryCode` as well'), options],
    returns: root('For `PublicKeyCredential.parseCreationOptionsFromJSON` in the browser.'),
    http: { verb: 'post', path: '/:id/passkeys/options' },
    responses: { ...refused, 409: 'The user has as many passkeys as may be' },
    rest: ofUsers
  },
  addPasskey: {
    description: 'Add a passkey that the browser made. Other logins end.',
    accepts: [id, body('`name`, and `response`: the credential as JSON'), options],
    returns: root('`id`, `name`, `created`, `backedUp`.'),
    http: { verb: 'post', path: '/:id/passkeys' },
    responses: { 400: 'The passkey is refused', 403: refused[403], 409: 'The user has as many passkeys as may be' },
    rest: ofUsers
  },
  renamePasskey: {
    description: 'Rename a passkey.',
    accepts: [id, fk, body('`name`; of one that is refused as a copy `otp` or `recoveryCode` as well')],
    returns: root('`id`, `name`, `created`, `backedUp`.'),
    http: { verb: 'patch', path: '/:id/passkeys/:fk' },
    responses: { ...refused, ...unknown, 400: 'The name is none' },
    rest: ofUsers
  },
  removePasskey: {
    description: 'Remove a passkey. Other logins end.',
    accepts: [id, fk, body('`password`, unless the login is younger than five minutes'), options],
    http: { verb: 'delete', path: '/:id/passkeys/:fk' },
    responses: { ...refused, ...unknown },
    rest: ofUsers
  }
}

const open: Readonly<Record<string, RemoteMethodOptions>> = {
  passkeyLoginOptions: {
    description: 'Begin a login with a passkey.',
    accepts: [body('`email` may be given; it makes no difference')],
    returns: root('For `PublicKeyCredential.parseRequestOptionsFromJSON` in the browser.'),
    http: { verb: 'post', path: '/passkey/options' },
    responses: { 429: 'Too many attempts from this address' },
    rest: { before: noStore }
  },
  passkeyLogin: {
    description: 'Login a user with a passkey.',
    accepts: [body('`response`: the credential as JSON; `ttl` in seconds')],
    returns: root('The token, as of a login.'),
    http: { verb: 'post', path: '/passkey/login' },
    responses: { 401: 'The passkey is wrong or unknown', 429: 'Too many attempts' },
    rest: { before: noStore }
  }
}

/** Puts functions, endpoints, limits and rules on a user model. */
export function declarePasskeyMethods (Model: UserModel, passkeys: Passkeys): void {
  declareMethods(Model, passkeyFunctions(Model, passkeys), { own, open })
  for (const name of Object.keys(open)) limit(Model, name)
}

/** Who asks without an account is counted by address: challenges are rows. A login that was right is given back. */
function limit (Model: UserModel, name: string): void {
  const hook = (moment: 'before' | 'after', listener: (context: Counted) => Promise<void> | undefined): void => {
    addRemoteHook(Model, { moment, pattern: name, listener })
  }
  hook('before', async context => {
    const { request: { ip: address } } = context
    context[kReservation] = await attemptsOf(Model.registry).users?.reserve({ what: 'passkey', address })
  })
  if (name === 'passkeyLogin') hook('after', context => context[kReservation]?.succeeded())
}
