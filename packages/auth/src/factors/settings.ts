/** What applications and user models say of second factors: the option `secondFactors`, the setting `secondFactor`. */
import { Type, type Static } from '@sinclair/typebox'
import type { ModelClass } from '@fastback/core'
import { checkOptions } from '@fastback/core/remote'
import { WebauthnSchema } from '../passkeys/settings.js'
import { InvalidOptionsError } from '../errors.js'

const Secret = Type.String({ minLength: 16 })

/** The option `secondFactors` of the plugin, and the same members in `secondFactor` of a user model. */
export const SecondFactorsSchema = Type.Object(
  {
    /** Codes of an authenticator application, and recovery codes with them. Default: true. */
    totp: Type.Optional(Type.Boolean()),
    /** Passkeys, as a second factor and as the only one. Default: none. */
    webauthn: Type.Optional(WebauthnSchema),
    /** What seals the factors' secrets in the data source; of several the first seals, all open. */
    secret: Type.Optional(Type.Union([Secret, Type.Array(Secret, { minItems: 1 })])),
    /** What authenticator applications show beside the account. Default: the name of the user model. */
    issuer: Type.Optional(Type.String({ minLength: 1, maxLength: 100, pattern: '^[^:]+$' })),
    /** Who must have a second factor: true for every user, or names of roles. Default: nobody. */
    required: Type.Optional(Type.Union([Type.Boolean(), Type.Array(Type.String({ minLength: 1 }), { minItems: 1 })])),
    /**
     * Wrong codes of one account in 24 hours, in addition to `rateLimit.account`; beyond that none is tried before the
     * password was changed. Default: 100 (NIST SP 800-63B, 3.2.2).
     */
    wrongPerDay: Type.Optional(Type.Integer({ minimum: 1 })),
    /** Seconds that a device may be remembered in place of a second factor. Default: 0, never. */
    remember: Type.Optional(Type.Integer({ minimum: 0, maximum: 31_536_000 })),
    /** The data source of factors and challenges. Default: that of the user model. */
    dataSource: Type.Optional(Type.String({ minLength: 1 }))
  },
  { additionalProperties: false }
)
export type SecondFactorOptions = Static<typeof SecondFactorsSchema>

/**
 * What holds for a user model: its setting over the application's option, member by member; undefined where second
 * factors are off.
 *
 * ```js
 * factorOptions(Customer, { totp: true, remember: 86400 })?.remember // 86400
 * ```
 * @throws FBK_AUTH_INVALID_OPTIONS for a setting that is none
 */
export function factorOptions (
  { settings, modelName }: Pick<ModelClass, 'settings' | 'modelName'>, ofApplication: SecondFactorOptions | undefined
): SecondFactorOptions | undefined {
  const { secondFactor: said } = settings as { secondFactor?: unknown }
  if (said === false) return undefined
  if (said === undefined || said === null) return ofApplication
  if (said === true) return ofApplication ?? {}
  if (typeof said !== 'object') {
    throw new InvalidOptionsError(`the setting "secondFactor" of the model "${modelName}" must be true, false or an object`)
  }
  return { ...ofApplication, ...checkOptions(SecondFactorsSchema, said as SecondFactorOptions, InvalidOptionsError) }
}
