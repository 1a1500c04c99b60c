/**
 * Errors of accounts and tokens: the statuses and codes that clients of LoopBack know. Start-up errors are
 * `FBK_AUTH_…`.
 */
import { RequestError } from '@fastback/core'
import { startUpErrors } from '@fastback/core/remote'

const startup = startUpErrors('AUTH')

/** An option is not valid; the message names it. */
export const InvalidOptionsError = startup('INVALID_OPTIONS', '@fastback/auth: %s')
export const UnknownTokenModelError = startup(
  'UNKNOWN_TOKEN_MODEL',
  'The token middleware names the model "%s", which is not defined.'
)
export const MailerMissingError = startup(
  'MAILER_MISSING',
  'Data source "%s" sends mail through nodemailer, which is not installed. Run "npm install nodemailer".'
)
/** A model has no mailer to send its mail with. */
export const NoMailerError = startup(
  'NO_MAILER',
  'Model "%s" has nobody to send its mail. Attach the model "Email" to a data source with the connector "mail", or hand over "mailer".'
)
/** A message with `queue: true` that no job can send. */
export const MailQueueError = startup(
  'MAIL_QUEUE',
  'Model "%s" cannot send a message with "queue": register @fastback/events, and put no stream into the message.'
)
export const MailTemplateError = startup(
  'MAIL_TEMPLATE',
  '"%s" is a template for EJS, which is not installed. Run "npm install ejs", or hand over a "templateFn".'
)
export const NotAStoreError = startup(
  'NOT_A_STORE',
  'Data source "%s" sends mail; it stores nothing, so "%s" is not possible.'
)
/** Between users and tokens the discriminator must be `principalType`. */
export const DiscriminatorError = startup('DISCRIMINATOR',
  'Model "%s", relation "%s": the discriminator is "%s". Between users and tokens it must be "principalType".')
/** The table of the token model lacks the column that names the user model: run `fastback migrate`. */
export const TokenColumnError = startup(
  'TOKEN_COLUMN',
  'The table of the token model "%s" has no column for "%s", which says whose a token is where there are several user ' +
    'models. Bring it up to date ("fastback migrate"), or detach the user models that are not used ("dataSource": null).'
)

/** A tool of this process wants to ask as a user that there is not, or does not say of which model. */
export const UnknownUserError = startup('UNKNOWN_USER', '%s')
/** `hashPassword` of the model returned no text. It returns the hash, promises it, or calls back with it. */
export const HashNotTextError = startup('HASH_NOT_TEXT',
  'hashPassword of the model "%s" gave no text. It must return the hash, promise it, or call back with it.')
/** `createAccessTokenId` of the model returned no text that can be a token. */
export const TokenIdError = startup('TOKEN_ID',
  'createAccessTokenId of the model "%s" gave no text that can be a token: it must be one of 1 to 1,024 characters, ' +
    'and must not look like a stored id ("sha256-…").')

/** Code used the option `setPassword` to change more of an account than the password. */
export const SetPasswordOptionError = startup('SET_PASSWORD_OPTION',
  'Invalid use of options.setPassword with the model "%s": it is for changes of the password and of nothing else.')

/** In production the secrets of second factors must be sealed with a secret of the application's own. */
export const FactorSecretError = startup('FACTOR_SECRET', '%s')

const coded = (status: number, code: string, message: string) => (): RequestError =>
  new RequestError(status, message, { code })

export const loginFailed = coded(401, 'LOGIN_FAILED', 'login failed')
export const authorizationRequired = coded(401, 'AUTHORIZATION_REQUIRED', 'Authorization Required')
export const accessDenied = coded(403, 'ACCESS_DENIED', 'Access Denied')
export const invalidAccessToken = coded(401, 'INVALID_TOKEN', 'Invalid Access Token')
export const nameRequired = coded(400, 'USERNAME_EMAIL_REQUIRED', 'username or email is required')
export const invalidEmail = coded(400, 'INVALID_EMAIL', 'Invalid email')
export const invalidUsername = coded(400, 'INVALID_USERNAME', 'Invalid username')
export const realmRequired = coded(400, 'REALM_REQUIRED', 'realm is required')
export const invalidRealm = coded(400, 'INVALID_REALM', 'Invalid realm')
export const invalidTtl = coded(400, 'INVALID_TTL', 'ttl must be a number of seconds')
export const emailRequired = coded(400, 'EMAIL_REQUIRED', 'Email is required')
export const emailNotFound = coded(404, 'EMAIL_NOT_FOUND', 'Email not found')
export const resetNotVerified = coded(401, 'RESET_FAILED_EMAIL_NOT_VERIFIED', 'Email has not been verified')
export const invalidCurrentPassword = coded(400, 'INVALID_PASSWORD', 'Invalid current password')
/** Of a token that a user gave to another program, where only the user decides. */
export const insufficientScope = coded(403, 'INSUFFICIENT_SCOPE',
  'Only the users themselves decide this, not a program that they gave a token to')
export const tokenScopesNotAllowed = coded(403, 'TOKEN_SCOPES_NOT_ALLOWED',
  'A token has no other scopes than the one that it is made with: a method of the application makes one that has')
export const passwordChangeNotAllowed = coded(401, 'PASSWORD_CHANGE_NOT_ALLOWED',
  'Changing user password via patch/replace API is not allowed. Use changePassword() or setPassword() instead.')
export const invalidRedirect = coded(
  400,
  'INVALID_REDIRECT',
  'redirect must be a path of this site, or an address on its list'
)
export const attemptsNotCounted = coded(503, 'SERVICE_UNAVAILABLE', 'Attempts cannot be counted now, try again later')
export const hashingOverloaded = coded(503, 'SERVICE_BUSY', 'Too many logins at once, try again later')

export const secondFactorFailed = coded(401, 'SECOND_FACTOR_FAILED', 'The second factor is wrong, or was used already')
export const challengeInvalid = coded(401, 'CHALLENGE_INVALID', 'The challenge is unknown, used or over: log in again')
export const totpExists = coded(409, 'TOTP_EXISTS',
  'An authenticator application is set up already; disable it before another one is set up')
export const passkeyRefused = coded(400, 'PASSKEY_REFUSED',
  'The passkey is refused: ask for new options, and make it for them on a page of this application')
export const passkeyLimit = coded(409, 'PASSKEY_LIMIT', 'There are as many passkeys as may be; remove one first')
export const passkeyNotFound = coded(404, 'PASSKEY_NOT_FOUND', 'There is no such passkey')
export const passkeyNameInvalid = (longest: number): RequestError =>
  new RequestError(400, `"name" is a text of 1 to ${String(longest)} characters`, { code: 'PASSKEY_NAME_INVALID' })
export const deviceNotFound = coded(404, 'DEVICE_NOT_FOUND', 'There is no such remembered device')
/**
 * The 403 of a user who must have a second factor, and has none yet.
 *
 * ```js
 * throw enrolmentRequired()
 * ```
 */
export const enrolmentRequired = coded(403, 'SECOND_FACTOR_ENROLMENT_REQUIRED',
  'A second factor must be set up before anything else is done')

/**
 * The 401 of a login that needs a second step (OI-210).
 *
 * ```js
 * throw secondFactorRequired(await factors.ask(user, ['totp'], { ttl: 3600 }))
 * ```
 * @param details `challenge`, `factors`, `expiresIn` in seconds, and what factors need
 */
export const secondFactorRequired = (details: Readonly<Record<string, unknown>>): RequestError =>
  new RequestError(401, 'A second factor is required', { code: 'SECOND_FACTOR_REQUIRED', details })

/** Too many attempts on an account, or from an address. */
export class TooManyAttempts extends RequestError {
  /** @param retryAfter seconds until the next one may be made */
  constructor (readonly retryAfter: number) {
    super(429, 'Too many attempts, try again later', { code: 'TOO_MANY_REQUESTS' })
    // For the header; the body has the code.
    Object.defineProperty(this, 'retryAfter', { enumerable: false })
  }
}

export const emailNotVerified = (userId: unknown): RequestError =>
  new RequestError(401, 'login failed as the email has not been verified', {
    code: 'LOGIN_FAILED_EMAIL_NOT_VERIFIED',
    details: { userId }
  })
export const invalidVerificationToken = (token: string): RequestError =>
  new RequestError(400, `Invalid token: ${token}`, { code: 'INVALID_TOKEN' })
/** @param status 404 for a user who is asked for, 401 for one who asks */
export const userNotFound = (id: unknown, status = 404): RequestError =>
  new RequestError(status, `User not found: ${String(id)}`, { code: 'USER_NOT_FOUND' })
export const passwordTooLong = (max: number, entered: number): RequestError =>
  new RequestError(422, `The password entered was too long. Max length is ${max} (entered ${entered})`, {
    code: 'PASSWORD_TOO_LONG'
  })
/** What a policy refuses, as errors of the validation of the password; the messages are those of their entries. */
export const passwordErrors = {
  tooShort: { status: 422, code: 'PASSWORD_TOO_SHORT', message: 'must have at least … characters' },
  tooLong: { status: 422, code: 'PASSWORD_TOO_LONG', message: 'must have at most … bytes' },
  common: { status: 422, code: 'PASSWORD_TOO_COMMON', message: 'must not be a name of the account or a common word' },
  breached: { status: 422, code: 'PASSWORD_BREACHED', message: 'is on a list of passwords that were made public' }
} as const

/** 404 as of a route that is not there: nobody sends mail for this model. Said at the start, too. */
export const verificationNotAvailable = coded(
  404,
  'VERIFICATION_NOT_AVAILABLE',
  'This server verifies no e-mail addresses: it sends no mail'
)
/** Logout without a token has no code. */
export const tokenRequiredToLogout = (): RequestError => new RequestError(401, 'accessToken is required to logout')
export const tokenNotFound = (): RequestError => new RequestError(401, 'could not find accessToken')
export const missingArgument = (name: string): RequestError =>
  new RequestError(400, `${name} is a required argument`, {
    name: 'BadRequestError',
    code: 'MISSING_REQUIRED_PARAMETER'
  })
