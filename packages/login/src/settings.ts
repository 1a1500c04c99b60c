/** Options of the application's logins, checked and completed. */
import { Type, type Static } from '@sinclair/typebox'
import { checkOptions } from '@fastback/core/remote'
import type { ModelFacts } from '@fastback/core'
import { InvalidOptionsError } from './errors.js'
import type { ProviderEntry } from './provider-entry.js'

const Secret = Type.String({ minLength: 16 })
const Path = Type.String({ pattern: '^/' })
const Model = Type.Unsafe<string | ModelFacts>(Type.Unknown())

const LoginSchema = Type.Object({
  /** Entries by name, or the file that has them. */
  providers: Type.Optional(Type.Union([
    Type.String(), Type.Unsafe<Record<string, ProviderEntry>>(Type.Record(Type.String(), Type.Unknown()))
  ])),
  userModel: Type.Optional(Model),
  userIdentityModel: Type.Optional(Model),
  userCredentialModel: Type.Optional(Model),
  applicationCredentialModel: Type.Optional(Model),
  /** Where models are kept that the application does not attach itself. Default: `db`, or the only one. */
  dataSource: Type.Optional(Type.String()),
  /** Encrypts the tokens of providers; of a list the first encrypts, and all decrypt. */
  secret: Type.Optional(Type.Union([Secret, Type.Array(Secret, { minItems: 1 })])),
  /** Signs the cookies `access_token` and `userId`. Default: derived from `secret`. */
  cookieSecret: Type.Optional(Type.String({ minLength: 1 })),
  /** `https://shop.example`: what relative callback addresses are resolved against. */
  origin: Type.Optional(Type.String({ pattern: '^https?://[^/?#]+/?$' })),
  /** Origins of other pages that may log in by a form, log out and exchange codes here. Default: none. */
  pages: Type.Optional(Type.Array(Type.String({ pattern: '^https?://[^/?#]+$' }))),
  cookies: Type.Optional(Type.Object({
    httpOnly: Type.Optional(Type.Boolean()),
    domain: Type.Optional(Type.String())
  })),
  session: Type.Optional(Type.Object({
    cookieName: Type.Optional(Type.String({ pattern: '^[\\w.-]+$' })),
    /** Seconds. */
    maxAge: Type.Optional(Type.Integer({ minimum: 1 }))
  })),
  rateLimit: Type.Optional(Type.Union([Type.Literal(false), Type.Object({
    max: Type.Optional(Type.Integer({ minimum: 1 })),
    timeWindow: Type.Optional(Type.Integer({ minimum: 1 }))
  })])),
  storeTokens: Type.Optional(Type.Boolean()),
  generatedEmailDomain: Type.Optional(Type.String({ pattern: '^[\\w.<>-]+$' })),
  linkForLogin: Type.Optional(Type.Boolean()),
  linkByEmail: Type.Optional(Type.Boolean()),
  /** Seconds since the login here within which an account may be linked. */
  linkMaxAge: Type.Optional(Type.Integer({ minimum: 1 })),
  tokenInRedirect: Type.Optional(Type.Union([
    Type.Literal('query'), Type.Literal('fragment'), Type.Literal('code'), Type.Literal(false)
  ])),
  /** Where a page exchanges its one-time code for the token. */
  exchangePath: Type.Optional(Path),
  logoutPath: Type.Optional(Path),
  /** Below it: what a logged-in user sees of sessions and identities. */
  accountPath: Type.Optional(Path),
  /** A page with that, and forms that end sessions and links. Default: none. */
  accountPage: Type.Optional(Path)
})

/** What the plugin, the component and the setting `login` of config.json take. */
export type LoginOptions = Static<typeof LoginSchema>

export interface LoginSettings extends Omit<LoginOptions, 'secret' | 'session' | 'rateLimit' | 'origin'> {
  readonly secrets: readonly string[]
  readonly origin: string | undefined
  /** Seconds. */
  readonly session: { readonly cookieName: string, readonly maxAge: number }
  readonly rateLimit: { readonly max: number, readonly timeWindow: number } | undefined
  readonly isProduction: boolean
}

const twoWeeks = 1_209_600

/**
 * Checks options, and fills in what was left out.
 * @throws FBK_LOGIN_INVALID_OPTIONS
 */
export function settingsOf (given: unknown): LoginSettings {
  const options = checkOptions(LoginSchema, (given ?? {}) as LoginOptions, InvalidOptionsError)
  const isProduction = process.env.NODE_ENV === 'production'
  const secrets = [options.secret ?? []].flat()
  const { rateLimit } = options
  return {
    ...options,
    secrets,
    origin: options.origin?.replace(/\/$/, ''),
    session: {
      cookieName: options.session?.cookieName ?? 'fastback.login',
      maxAge: options.session?.maxAge ?? twoWeeks
    },
    rateLimit: rateLimit === false
      ? undefined
      : { max: rateLimit?.max ?? 60, timeWindow: rateLimit?.timeWindow ?? 60_000 },
    isProduction
  }
}
