/** The option `dynamicRegistration` (RFC 7591, 7592; openid.md, section 9.6). */
import { Type, type Static } from '@sinclair/typebox'
import type { MaybePromise } from '@fastback/core'
import type { FastifyRequest } from 'fastify'
import { InvalidOptionsError } from '../errors.js'
import { deviceGrant, type GrantType } from '../grant-types.js'

/**
 * Whether somebody may register a client.
 *
 * ```js
 * const initialAccessToken = async token => await invitations.isOpen(token)
 * ```
 * @param token of the header `Authorization: Bearer …`
 */
export type CheckInitialToken = (token: string, request: FastifyRequest) => MaybePromise<boolean>

const Count = Type.Integer({ minimum: 1 })

export const RegistrationSchema = Type.Object({
  path: Type.Optional(Type.String({ pattern: '^/' })),
  initialAccessToken: Type.Union([
    Type.Literal(false),
    // What a header can carry, and nobody guesses.
    Type.String({ pattern: '^[\\w.~+/-]{22,}=*$' }),
    Type.Unsafe<CheckInitialToken>(Type.Function([], Type.Unknown()))
  ]),
  /** At least one: clients without a list of scopes may have all. */
  allowedScopes: Type.Optional(Type.Array(Type.String({ pattern: '^[\\x21\\x23-\\x5b\\x5d-\\x7e]+$' }), { minItems: 1 })),
  allowedGrantTypes: Type.Optional(Type.Array(Type.String(), { minItems: 1 })),
  maxPerHour: Type.Optional(Count),
  /** Seconds. */
  expireUnused: Type.Optional(Type.Integer({ minimum: 0 }))
})
export type RegistrationOptions = Static<typeof RegistrationSchema>

export interface RegistrationSettings {
  readonly path: string
  /** False: anybody may register. */
  readonly initialAccessToken: string | CheckInitialToken | false
  readonly allowedScopes: readonly string[]
  readonly allowedGrantTypes: ReadonlySet<GrantType>
  /** Registrations of one address, where anybody may register (OI-190). */
  readonly maxPerHour: number
  /** Seconds that a client may be there without a login; 0: for ever. */
  readonly expireUnused: number
}

/** What a registered client may be told to do by default (OI-195). */
const usual: readonly string[] = ['authorization_code', 'refresh_token', deviceGrant]

/**
 * Checks the option and fills in what was left out.
 *
 * ```js
 * registrationSettings({ initialAccessToken: process.env.REGISTRATION_TOKEN }, { grants, warn })
 * ```
 * @param given undefined and false: clients cannot register
 * @throws FBK_OAUTH2_INVALID_OPTIONS for a grant that is not there
 */
export function registrationSettings (given: false | RegistrationOptions | undefined, { grants, warn }: {
  readonly grants: ReadonlySet<GrantType>
  readonly warn: (message: string) => void
}): RegistrationSettings | undefined {
  if (given === undefined || given === false) return undefined
  const unknown = given.allowedGrantTypes?.find(name => !(grants as ReadonlySet<string>).has(name))
  if (unknown !== undefined) {
    throw new InvalidOptionsError(
      `the option "dynamicRegistration.allowedGrantTypes" names "${unknown}", which is not one of ${[...grants].join(', ')}.`
    )
  }
  if (given.initialAccessToken === false) {
    warn('OAuth: with dynamicRegistration.initialAccessToken false anybody can register a client')
  }
  const allowed = given.allowedGrantTypes ?? usual
  return {
    path: given.path ?? '/oauth/register',
    initialAccessToken: given.initialAccessToken,
    allowedScopes: given.allowedScopes ?? ['openid', 'profile', 'email'],
    allowedGrantTypes: new Set([...grants].filter(grant => allowed.includes(grant))),
    maxPerHour: given.maxPerHour ?? 20,
    expireUnused: given.expireUnused ?? 0
  }
}
