/** Verification of e-mail addresses: a message with a link, and the link. */
import { randomBytes } from 'node:crypto'
import { stringify } from 'node:querystring'
import { isRemote, type OperationOptions } from '@fastback/core'
import { asApplication, updateRows, withoutEndSlashes } from '@fastback/core/remote'
import escapeHtml from 'escape-html'
import { resultOf } from '../builtin.js'
import {
  invalidRedirect,
  invalidVerificationToken,
  NoMailerError,
  userNotFound,
  verificationNotAvailable
} from '../errors.js'
import { ejsTemplate } from '../mail/template.js'
import { isSameText } from '../same-text.js'
import { authService, isMailable } from '../service.js'
import { withTransaction } from './own-options.js'
import { onInstance, statically, type User, type UserModel } from './user-model.js'

/** Options of `user.verify`; those of LoopBack. */
export interface VerifyOptions {
  to?: string
  from?: string
  subject?: string
  text?: string
  headers?: object
  redirect?: string
  protocol?: string
  host?: string
  port?: number | string
  restApiRoot?: string
  verifyHref?: string
  user?: User
  template?: string
  templateFn?: (options: VerifyOptions, ...more: any[]) => unknown
  generateVerificationToken?: (...args: any[]) => unknown
  mailer?: { send: (...args: any[]) => unknown }
  [key: string]: unknown
}

interface App { get? (name: string): unknown }

/** 64 random bytes, in hex. */
export const generateVerificationToken = statically(() => randomBytes(64).toString('hex'))

/** What `POST /:id/verify` uses: the setting `verifyOptions` over LoopBack's defaults. */
export function getVerifyOptions (this: UserModel): VerifyOptions {
  return { type: 'email', from: 'noreply@example.com', ...this.settings.verifyOptions }
}

/**
 * `user.verify(verifyOptions, [options], [callback])`: sends the message; gives `{ email, token, uid }`. A new message
 * voids the token of the one before.
 */
export const verify = onInstance(async (user, Model, [written, options]) => {
  const verifyOptions: VerifyOptions = { ...Model.getVerifyOptions(), ...(written as VerifyOptions | undefined) }
  // What cannot be sent voids no earlier message.
  const mailer = verifyOptions.mailer ?? mailerOf(Model)
  if (mailer === undefined) {
    throw isRemote((options ?? {}) as OperationOptions)
      ? verificationNotAvailable()
      : new NoMailerError(Model.modelName)
  }
  verifiedIn(Model).add(Model)
  const uid = user[Model.getIdName() ?? 'id']
  const templateFn = verifyOptions.templateFn ?? fromFile(Model, verifyOptions.template)
  const token = await newToken(Model, user, verifyOptions, options as OperationOptions | undefined)
  await keepToken(user, token, asApplication(options as OperationOptions | undefined))
  const given = templateFn === undefined ? verifyOptions : { ...verifyOptions, templateFn }
  const mail = await messageOf(Model, user, uid, token, given, options as OperationOptions | undefined)
  const email: unknown = isMailable(Model.registry, user.email)
    ? await withOptions(mailer.send, mailer, mail, options)
    : undefined
  authService(Model.registry).audit({ event: 'verification sent', model: Model.modelName, userId: uid })
  return { email, token, uid }
})

/** LoopBack fills the file in with all that the message consists of. A relative name is of the working directory. */
function fromFile (Model: UserModel, template: string | undefined): VerifyOptions['templateFn'] {
  return template === undefined ? undefined : ejsTemplate(template, Model.registry.baseDir)
}

async function newToken (
  Model: UserModel,
  user: User,
  { generateVerificationToken: own }: VerifyOptions,
  options: OperationOptions | undefined
): Promise<string> {
  const make = own ?? Model.generateVerificationToken
  const token = String(await withOptions(make, Model, user, options))
  const { verificationTokenTTL } = Model.settings
  return verificationTokenTTL === undefined
    ? token
    : `${token}.${(Date.now() + verificationTokenTTL * 1000).toString(36)}`
}

async function messageOf (
  Model: UserModel,
  user: User,
  uid: unknown,
  token: string,
  given: VerifyOptions,
  options: OperationOptions | undefined
): Promise<VerifyOptions> {
  const href =
    given.verifyHref ??
    `${confirmUrl(Model, given)}?${stringify({ uid: String(uid), redirect: given.redirect ?? '/' })}`
  const verifyHref = `${href}${href.includes('?') ? '&' : '?'}token=${token}`
  const text = (given.text ?? 'Please verify your email by opening this link in a web browser:\n\t{href}').replaceAll(
    '{href}',
    verifyHref
  )
  const mail: VerifyOptions = {
    subject: 'Thanks for Registering',
    to: user.email ?? '',
    ...given,
    user,
    verificationToken: token,
    verifyHref,
    text,
    headers: given.headers ?? {}
  }
  delete mail.mailer
  delete mail.generateVerificationToken
  const { templateFn } = given
  mail.html =
    templateFn === undefined
      ? htmlOf(verifyHref)
      : await withOptions(templateFn, undefined, mail, options) as string
  delete mail.templateFn
  return mail
}

/**
 * Calls a function of the application's own: with three parameters it gets the options of the operation before the
 * call-back.
 */
const withOptions = (
  own: (...args: any[]) => unknown, self: unknown, subject: unknown, options: unknown
): Promise<unknown> => resultOf(own, self, subject, ...(own.length > 2 ? [options ?? {}] : []))

/** An account that was not stored yet is stored with it. */
async function keepToken (user: User, token: string, options: OperationOptions | undefined): Promise<void> {
  if (!user.isNewRecord()) {
    await user.patchAttributes({ verificationToken: token }, options)
    return
  }
  user.verificationToken = token
  await user.save(options)
}

const htmlOf = (href: string): string =>
  `<p>Please confirm your e-mail address:</p>\n<p><a href="${escapeHtml(href)}">${escapeHtml(href)}</a></p>\n`

/** Where `GET /confirm` of the model is. */
function confirmUrl (Model: UserModel, { protocol = 'http', host, port, restApiRoot }: VerifyOptions): string {
  const { get } = (Model.app ?? {}) as App
  const setting = (name: string): unknown => get?.call(Model.app, name)
  const realPort = port ?? setting('port') ?? 3000
  const shownPort =
    (protocol === 'http' && String(realPort) === '80') || (protocol === 'https' && String(realPort) === '443')
      ? ''
      : `:${String(realPort)}`
  const path = (Model.settings.http as { path?: string } | undefined)?.path ?? Model.pluralModelName
  const parts = [restApiRoot ?? setting('restApiRoot') ?? '/api', path, 'confirm']
    .map(part => withoutEndSlashes(String(part).replace(/^\/+/, '')))
    .filter(part => part !== '')
  return `${protocol}://${String(host ?? setting('host') ?? 'localhost')}${shownPort}/${parts.join('/')}`
}

/**
 * Who sends the mail of a user model: its own `email`, or the model Email where it is attached; undefined for nobody.
 */
export function mailerOf (Model: UserModel): VerifyOptions['mailer'] {
  const { email: named, registry } = Model
  // `User.email` is the built-in model until the application says otherwise: its own kind of Email comes first.
  if (named !== undefined && named !== null && named !== registry.findModel('Email')) {
    return named as VerifyOptions['mailer']
  }
  const Email = registry.findModel('Email') === undefined ? undefined : registry.getModelByType('Email')
  return Email?.dataSource === null ? undefined : Email as unknown as VerifyOptions['mailer']
}

/** Whether a client can have a message sent that verifies an address. */
export const hasMailer = (Model: UserModel): boolean =>
  (Model.getVerifyOptions().mailer ?? mailerOf(Model)) !== undefined

const kVerified = Symbol('fastback.verifiedModels')

/** Models of whose users code of the application had addresses verified, by whatever mailer. */
const verifiedIn = ({ registry }: UserModel): Set<UserModel> =>
  registry.slot(kVerified, () => new Set<UserModel>())

/** Whether addresses of the model's users are verified at all, as far as is known. */
export const canVerify = (Model: UserModel): boolean => verifiedIn(Model).has(Model) || hasMailer(Model)

/**
 * `User.confirm(uid, token, [redirect], [callback])`: marks the address as verified. A token works once.
 * @throws RequestError 404 USER_NOT_FOUND, 400 INVALID_TOKEN, 400 INVALID_REDIRECT
 */
export const confirm = statically(async (Model, [uid, token, redirect]) => {
  const user = await Model.findById(uid)
  if (user === null) throw userNotFound(uid)
  const { verificationToken: expected } = user
  if (typeof expected !== 'string' || !isSameText(expected, String(token)) || isOver(Model, expected)) {
    throw invalidVerificationToken(String(token))
  }
  // Before the token is used up (security.md, S-45).
  if (typeof redirect === 'string' && redirect !== '' && !isAllowedRedirect(Model, redirect)) throw invalidRedirect()
  const where = {
    and: [{ [Model.getIdName() ?? 'id']: user[Model.getIdName() ?? 'id'] }, { verificationToken: expected }]
  }
  const { count } = await updateRows(
    Model.compiled,
    where,
    { emailVerified: true, verificationToken: null },
    withTransaction(undefined)
  )
  if (count !== 1) throw invalidVerificationToken(String(token))
  authService(Model.registry).audit({ event: 'e-mail verified', model: Model.modelName, userId: uid })
})

function isOver (Model: UserModel, token: string): boolean {
  return (
    Model.settings.verificationTokenTTL !== undefined &&
    Number.parseInt(token.slice(token.lastIndexOf('.') + 1), 36) < Date.now()
  )
}

/** The target as a header can hold it. */
export const redirectAddress = (target: string): string =>
  target.replace(/[^\x21-\x7e]+/g, part => encodeURIComponent(Buffer.from(part).toString()))

/** A path of this origin, or an address on the model's or the application's `redirectWhitelist` (security.md, S-45). */
export function isAllowedRedirect (Model: UserModel, target: string): boolean {
  // eslint-disable-next-line no-control-regex -- these are the characters that must not come through
  if (/^\/(?![/\\])[^\\\x00-\x20\x7f-\x9f]*$/.test(target)) return true
  const listed = [Model.settings.redirectWhitelist, Model.registry.settings.redirectWhitelist].flat()
  return listed.includes(target)
}
