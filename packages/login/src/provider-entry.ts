/** What an entry of `providers` says, for the compiler. */
import type { ProfileToUser } from './profile-mapping.js'

type Text = string | undefined
type Flag = boolean | undefined
type Flash = boolean | string | { readonly type?: string, readonly message?: string } | null | undefined

/**
 * An entry of `providers`. Other keys are those of its kind, or of the strategy of Passport that it names. Words that
 * files in JSON have, such as `tokenInRedirect`, are texts here and checked at the start.
 */
export interface ProviderEntry {
  readonly provider?: Text
  /** A preset (`google`), where the entry has another name. */
  readonly preset?: Text
  /** A strategy of Passport: its package, or what that exports. */
  readonly module?: string | object | undefined
  readonly authScheme?: Text
  readonly authPath?: Text
  readonly callbackPath?: Text
  readonly callbackURL?: Text
  readonly callbackHTTPMethod?: Text
  readonly successRedirect?: string | false | undefined
  readonly failureRedirect?: Text
  readonly failureQueryString?: Flag
  readonly successFlash?: Flash
  readonly failureFlash?: Flash
  readonly scope?: string | readonly string[] | undefined
  readonly clientId?: Text
  readonly clientID?: Text
  /** The secret, or the variable of the environment that has it. */
  readonly clientSecret?: string | { readonly env: string } | undefined
  /** Whether it links accounts to the user who is logged in, and does not log in. */
  readonly link?: Flag
  readonly session?: Flag
  readonly json?: Flag
  readonly jsonErrors?: Flag
  readonly autoLogin?: Flag
  readonly emailOptional?: Flag
  readonly linkForLogin?: Flag
  readonly linkByEmail?: Flag
  readonly trustEmail?: Flag
  readonly federatedLogout?: Flag
  readonly tokenInRedirect?: string | false | undefined
  readonly generatedEmailDomain?: Text
  /** Properties of the user, from the profile; in place of `profileMapping`. */
  readonly profileToUser?: ProfileToUser | undefined
  readonly profileMapping?: ReadonlyArray<{ readonly userField: string, readonly providerField: string }> | undefined
  readonly [key: string]: unknown
}
