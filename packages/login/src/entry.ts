/** An entry of providers.json: one way to log in, completed (login.md, section 3). */
import type { Preset } from './presets.js'
import type { ProfileToUser } from './profile-mapping.js'
import type { ProviderOptions } from './provider-options.js'

/** `bridge`: a strategy of Passport, which runs as it is. The others are implemented here. */
export type Kind = 'oauth2' | 'oidc' | 'local' | 'ldap' | 'saml' | 'bridge'

export interface Entry {
  readonly name: string
  readonly kind: Kind
  /** Whether people say here who they are: nobody is sent elsewhere, and nobody comes back. */
  readonly isDirect: boolean
  /** As it was written, for what only one kind reads. */
  readonly options: ProviderOptions

  // Whom it asks.
  readonly preset: Preset | undefined
  readonly clientID: string | undefined
  readonly clientSecret: string | undefined
  readonly scope: string | undefined

  // Where it is on this server.
  readonly authPath: string
  readonly authMethod: 'get' | 'post'
  readonly callbackPath: string
  readonly callbackMethod: 'get' | 'post'
  /** As written; relative to the origin. */
  readonly callbackURL: string

  // Which user the login is of.
  /** What is stored with identities, beside `authScheme`. */
  readonly provider: string
  /** As it was written, or guessed. */
  readonly authScheme: string
  /** Whether it gives the user who is logged in another account, and logs nobody in. */
  readonly link: boolean
  /** Whether an account that was linked may log in from then on. */
  readonly linkForLogin: boolean
  /** Whether an address that is verified on both sides makes an account that of a user. */
  readonly linkByEmail: boolean
  /** Whether the provider is believed that its addresses are verified. */
  readonly trustEmail: boolean
  readonly profileToUser: ProfileToUser | undefined

  // What the browser gets.
  /** Whether an access token is made. */
  readonly autoLogin: boolean
  readonly session: boolean
  readonly json: boolean
  readonly jsonErrors: boolean
  readonly successRedirect: string | false | undefined
  readonly failureRedirect: string
  readonly tokenInRedirect: 'query' | 'fragment' | 'code' | false
}
