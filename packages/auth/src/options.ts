import { Type, type Static } from '@sinclair/typebox'
import type { ModelFacts } from '@fastback/core'
import { SecondFactorsSchema } from './factors/settings.js'
import type { PasswordPolicy } from './passwords/password-policy.js'

const Names = Type.Array(Type.String({ minLength: 1 }))
const Limit = Type.Object({
  /** Attempts within the window. */
  max: Type.Integer({ minimum: 1 }),
  /** Milliseconds. */
  timeWindow: Type.Integer({ minimum: 1 })
}, { additionalProperties: false })

/** Options of the plugin. Those of the token middleware have LoopBack's names. */
export const AuthSchema = Type.Object(
  {
    /**
     * Data source for User (published) and AccessToken (not), where neither they nor models that extend them are
     * attached.
     */
    dataSource: Type.Optional(Type.String({ minLength: 1 })),
    /** The token model, or its name. Default: the one that extends AccessToken, else AccessToken. */
    model: Type.Optional(
      Type.Unsafe<string | ModelFacts>(Type.Union([Type.String(), Type.Function([], Type.Unknown())]))
    ),
    /**
     * Several user models whose tokens are in one model that does not tell them apart: the one that tokens without a
     * name belong to; false: they are nobody's. Without it such an application does not start.
     */
    untypedTokens: Type.Optional(Type.Union([Type.String({ minLength: 1 }), Type.Literal(false)])),
    /** Path segment that stands for the caller's id; true: `me`. */
    currentUserLiteral: Type.Optional(Type.Union([Type.Boolean(), Type.String({ minLength: 1 })])),
    headers: Type.Optional(Names),
    /** Names of query parameters; false: tokens in the address do not count, whatever their name. */
    params: Type.Optional(Type.Union([Names, Type.Literal(false)])),
    cookies: Type.Optional(Names),
    searchDefaultTokenKeys: Type.Optional(Type.Boolean()),
    bearerTokenBase64Encoded: Type.Optional(Type.Boolean()),
    tokenCache: Type.Optional(
      Type.Object(
        {
          /** Tokens kept. Default: 10,000. */
          size: Type.Optional(Type.Integer({ minimum: 1 })),
          /** Milliseconds. Default: 1,000; 0 looks every token up. */
          ttl: Type.Optional(Type.Integer({ minimum: 0 }))
        },
        { additionalProperties: false }
      )
    ),
    /** Password hashing: hashes at the same time, hashes that may wait. */
    hashing: Type.Optional(
      Type.Object(
        {
          concurrency: Type.Optional(Type.Integer({ minimum: 1 })),
          queue: Type.Optional(Type.Integer({ minimum: 1 }))
        },
        { additionalProperties: false }
      )
    ),
    /** What new passwords must be. Default: not empty, at most 72 bytes. */
    passwordPolicy: Type.Optional(
      Type.Object(
        {
          /** Characters. Default: 1. */
          minLength: Type.Optional(Type.Integer({ minimum: 1, maximum: 64 })),
          /** Bytes. Default: 72. */
          maxLength: Type.Optional(Type.Integer({ minimum: 64, maximum: 1024 })),
          /** Words that are no passwords, such as the name of the service; case does not matter. Default: none. */
          words: Type.Optional(Type.Array(Type.String({ minLength: 1 }), { maxItems: 10_000 })),
          /**
           * What knows passwords that were made public: a list of them, a module (its path, relative to `server/`), a
           * function, or a service that is told the first five digits of a password's SHA-1. Default: nothing is asked.
           */
          breached: Type.Optional(Type.Unsafe<NonNullable<PasswordPolicy['breached']>>(Type.Union([
            Type.Array(Type.String({ minLength: 1 })),
            Type.String({ minLength: 1 }),
            Type.Object({ url: Type.String({ pattern: '^https?://' }) }, { additionalProperties: false }),
            Type.Function([Type.String(), Type.Unknown()], Type.Unknown())
          ]))),
          /** Says for each new password whether it may be; see `PasswordPolicy`. */
          check: Type.Optional(Type.Unsafe<NonNullable<PasswordPolicy['check']>>(
            Type.Function([Type.String(), Type.Unknown()], Type.Unknown())
          ))
        },
        { additionalProperties: false }
      )
    ),
    /** Second factors of all user models that do not say `secondFactor` themselves. Default: none has any. */
    secondFactors: Type.Optional(SecondFactorsSchema),
    /** Limits of login, change of password, confirmation, reset and verification; false: none. */
    rateLimit: Type.Optional(
      Type.Union([
        Type.Literal(false),
        Type.Object(
          {
            /**
             * Per account, from all addresses that do not know it, and from each one that does. Default: 20 in a
             * minute.
             */
            account: Type.Optional(Limit),
            /** Per address. Default: 300 in a minute. */
            address: Type.Optional(Limit),
            /**
             * Milliseconds that an address which was right about an account is not concerned by what others try there.
             * Default: 14 days.
             */
            knownFor: Type.Optional(Type.Integer({ minimum: 1 })),
            /**
             * A Redis client, or the name of a Redis data source, for limits that processes share. Default: they
             * tell each other over the bus, where there is one.
             */
            redis: Type.Optional(Type.Unknown())
          },
          { additionalProperties: false }
        )
      ])
    )
  },
  { additionalProperties: false }
)
export type AuthOptions = Static<typeof AuthSchema>

/** Names of all options. */
export const optionNames: readonly string[] = Object.keys(AuthSchema.properties)
