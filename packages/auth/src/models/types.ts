/** The built-in models of this package as types: what models that extend them, and `app.models`, have. */
import type { Definition, Instance, OperationCallback, OperationOptions } from '@fastback/core'
import type { VerifyOptions } from '../user/verify.js'
import type { accessTokenDefinition } from './access-token.js'
import type { applicationDefinition } from './application.js'
import type { emailDefinition } from './email.js'
import type { userDefinition } from './user.js'

/** What of a definition its types are made of. */
type Shape<D extends Definition> = Pick<D, keyof D & ('name' | 'base' | 'properties' | 'relations')>

/** Both forms of a function: a promise, or a trailing callback. */
interface Both<Args extends unknown[], T> {
  (...args: Args): Promise<T>
  (...args: [...Args, OperationCallback<T>]): void
}

type UserId = string | number
type Token = Instance<AccessTokenTypes>

/** What a login takes: a password, and the address or the name. */
export interface Credentials {
  email?: string
  username?: string
  password: string
  realm?: string
  /** Seconds that the token lives. */
  ttl?: number
  /** Six digits of an authenticator application, for users who have one. */
  otp?: string
  recoveryCode?: string
  /** Of a device that was remembered: in place of `otp`. */
  deviceToken?: string
  /** Whether this device is to be remembered: the token has a `deviceToken` then. */
  remember?: boolean
}

/** The second step of a login; one of `otp`, `recoveryCode` and `response`. */
export interface SecondFactorProof {
  challenge: string
  otp?: string
  recoveryCode?: string
  /** Of a passkey, in its JSON form. */
  response?: object
  remember?: boolean
}

/** What second factors a user has. */
export interface SecondFactorList {
  totp: boolean
  /** How many are left. */
  recoveryCodes: number
  passkeys: Array<{ id: string, name: string | null, created: Date, lastUsed: Date | null, backedUp: boolean }>
  devices: Array<{ id: string, name: string | null, created: Date, lastUsed: Date | null }>
}

/** A passkey as its user sees it. */
export interface ShownPasskey { id: string, name: string | null, created: Date, backedUp: boolean }

interface UserStatics {
  /** @throws RequestError 400 for credentials that are none, 401 LOGIN_FAILED, 401 LOGIN_FAILED_EMAIL_NOT_VERIFIED */
  login: Both<[credentials: Credentials], Token> & Both<[credentials: Credentials, include: 'user' | ['user']], Token>
  /** Ends the token with this text. */
  logout: Both<[token: string], void>
  /** Marks the address as verified. */
  confirm: Both<[uid: UserId, token: string], void> & Both<[uid: UserId, token: string, redirect: string], void>
  /** Makes a token, and tells the application by the event `resetPasswordRequest`. */
  resetPassword: Both<[options: { email: string, realm?: string }], void>
  changePassword: Both<[id: UserId, oldPassword: string, newPassword: string], void> &
    Both<[id: UserId, oldPassword: string, newPassword: string, options: OperationOptions], void>
  setPassword: Both<[id: UserId, newPassword: string], void> &
    Both<[id: UserId, newPassword: string, options: OperationOptions], void>
  /** At once; operations hash off the event loop. */
  hashPassword (plain: string): string
  /** @throws RequestError 422 for a password that cannot be */
  validatePassword (plain: unknown): true
  /** What a login looks for. */
  normalizeCredentials (credentials: Readonly<Record<string, unknown>>): Record<string, unknown>
  generateVerificationToken: Both<[], string>
  /** The second step of a login. As the functions below, where users have second factors. */
  secondFactor?: Both<[proof: SecondFactorProof], Token>
  enrolTotp?: Both<[id: UserId, given: { password: string }], { secret: string, uri: string }>
  confirmTotp?: Both<[id: UserId, given: { otp: string }], { recoveryCodes: string[] }>
  disableTotp?: Both<[id: UserId, given: { password: string, otp?: string, recoveryCode?: string }], void>
  renewRecoveryCodes?: Both<[id: UserId, given: { password: string, otp: string }], { recoveryCodes: string[] }>
  listSecondFactors?: Both<[id: UserId], SecondFactorList>
  /** Creation options for the browser. As the functions below, where users may have passkeys. */
  passkeyOptions?: Both<[id: UserId, given: { password: string, otp?: string, recoveryCode?: string }], object>
  addPasskey?: Both<[id: UserId, given: { name?: string, response: object }], ShownPasskey>
  renamePasskey?:
  Both<[id: UserId, passkey: string, given: { name: string, otp?: string, recoveryCode?: string }], ShownPasskey>
  removePasskey?: Both<[id: UserId, passkey: string, given: { password: string }], void>
  /** Request options for the browser: the same for everybody. */
  passkeyLoginOptions?: Both<[], object>
  /** @throws RequestError 401 LOGIN_FAILED */
  passkeyLogin?: Both<[given: { response: object, ttl?: number }], Token>
  forgetDevice?: Both<[id: UserId, device: string], void>
  /** For an administrator: all of a user's, and all tokens end. */
  removeSecondFactors?: Both<[id: UserId], void>
  getVerifyOptions (): VerifyOptions
}

interface UserMethods {
  /** Sends the message that verifies the address. */
  verify: Both<[], Verification> & Both<[verifyOptions: VerifyOptions], Verification> &
    Both<[verifyOptions: VerifyOptions, options: OperationOptions], Verification>
  createAccessToken: Both<[], Token> & Both<[ttl: number | TokenData], Token> &
    Both<[ttl: number | TokenData, options: OperationOptions], Token>
  hasPassword: Both<[plain: string], boolean>
  changePassword: Both<[oldPassword: string, newPassword: string], void> &
    Both<[oldPassword: string, newPassword: string, options: OperationOptions], void>
  setPassword: Both<[newPassword: string], void> & Both<[newPassword: string, options: OperationOptions], void>
}

interface Verification { email: unknown, token: string, uid: UserId }
interface TokenData { ttl?: number, scopes?: string[], [property: string]: unknown }

interface UserCalls {
  login: { args: { credentials: Credentials, include?: string[] }, result: Token }
  logout: { args: { access_token?: string }, result: void }
  confirm: { args: { uid: string, token: string, redirect?: string }, result: void }
  resetPassword: { args: { options: { email: string, realm?: string } }, result: void }
  changePassword: {
    args: { id?: UserId, oldPassword?: string, newPassword?: string, options?: OperationOptions }
    result: void
  }
  setPassword: { args: { id?: UserId, newPassword?: string, options?: OperationOptions }, result: void }
  'prototype.verify': { args: { verifyOptions: VerifyOptions, options?: OperationOptions }, result: void }
}

/** The model `User`; what a model with `base: 'User'` has beside its own. */
export interface UserTypes extends Shape<typeof userDefinition> {
  readonly statics: UserStatics
  readonly instanceMethods: UserMethods
  readonly calls: UserCalls
  readonly [setting: string]: unknown
}

/** A request as Express code has it. */
interface Carrying { readonly headers: object, readonly query?: unknown }

export interface AccessTokenTypes extends Shape<typeof accessTokenDefinition> {
  readonly statics: {
    readonly DEFAULT: string
    readonly ANONYMOUS: { readonly id: string }
    createAccessTokenId: Both<[], string>
    getIdForRequest (request: Carrying, options?: object): string | undefined
    /** The token with this text, or null. */
    resolve: Both<[id: string], Token | null>
    findForRequest: Both<[request: Carrying], Token | null> & Both<[request: Carrying, options: object], Token | null>
  }
  readonly instanceMethods: {
    /** Whether it has not ended. */
    validate: Both<[], boolean>
    /** The user model that made it, where there are several. */
    readonly principalType?: string | null
  }
  readonly [setting: string]: unknown
}

type App = Instance<ApplicationTypes>

export interface ApplicationTypes extends Shape<typeof applicationDefinition> {
  readonly statics: {
    register: Both<[owner: string, name: string], App> & Both<[owner: string, name: string, options: object], App>
    /** New keys for an application; null where there is none. */
    resetKeys: Both<[id: string], App | null>
    authenticate: Both<[id: string, key: string], { application: App, keyType: string } | null>
  }
  readonly instanceMethods: { resetKeys: Both<[], App> }
  readonly [setting: string]: unknown
}

export interface EmailTypes extends Shape<typeof emailDefinition> {
  readonly statics: {
    send: Both<[mail: Mail], unknown> & Both<[mail: Mail, options: { transaction?: unknown }], unknown>
  }
  readonly instanceMethods: { send: Both<[], unknown> }
  readonly [setting: string]: unknown
}
interface Mail {
  to: string
  from: string
  subject: string
  text?: string
  html?: string
  /** Whether a job sends it, with retries (`@fastback/events`). Default: what the option `deliver` there says. */
  queue?: boolean
  [field: string]: unknown
}

declare module '@fastback/core' {
  interface BuiltinModelTypes {
    User: UserTypes
    AccessToken: AccessTokenTypes
    Application: ApplicationTypes
    Email: EmailTypes
  }
}
