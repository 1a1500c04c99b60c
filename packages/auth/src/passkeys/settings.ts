/** What applications say of passkeys: the member `webauthn` of `secondFactors` (openid.md, OI-240 and OI-247). */
import { Type, type Static } from '@sinclair/typebox'
import { InvalidOptionsError } from '../errors.js'

export const WebauthnSchema = Type.Object(
  {
    /** What browsers show when a passkey is made. Default: the name of the user model. */
    rpName: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
    /** The domain that passkeys belong to: that of the pages, or one above it. In development: `localhost`. */
    rpId: Type.Optional(Type.String({ pattern: '^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$' })),
    /** The pages that may use them, each by equality. In development: any port of `http://localhost`. */
    origins: Type.Optional(Type.Array(Type.String({ minLength: 1 }), { minItems: 1 }))
  },
  { additionalProperties: false }
)
export type WebauthnOptions = Static<typeof WebauthnSchema>

/** What holds for a user model. */
export interface RelyingParty {
  readonly name: string
  readonly id: string
  /** Whether pages of an origin may use passkeys. */
  readonly isOwn: (origin: string) => boolean
}

/**
 * The relying party that options describe.
 *
 * ```js
 * relyingParty({ rpId: 'shop.example', origins: ['https://shop.example'] }, 'Customer', undefined).id // 'shop.example'
 * ```
 * @param issuer of the application's OAuth provider: what is not written is taken from it
 * @param isProduction then nothing else has a default
 * @throws FBK_AUTH_INVALID_OPTIONS
 */
export function relyingParty (
  options: WebauthnOptions, modelName: string, issuer: string | undefined,
  isProduction = process.env.NODE_ENV === 'production'
): RelyingParty {
  const { rpName = modelName } = options
  const home = issuer === undefined ? undefined : new URL(issuer)
  const id = options.rpId ?? home?.hostname ?? (isProduction ? undefined : 'localhost')
  const origins = options.origins ?? (home === undefined ? undefined : [home.origin])
  if (id === undefined || (origins === undefined && (isProduction || id !== 'localhost'))) {
    throw new InvalidOptionsError(
      'say in "secondFactors.webauthn" the "rpId" (the domain, "shop.example") and the "origins" of your pages (["https://shop.example"])'
    )
  }
  for (const origin of origins ?? []) checkOrigin(origin, id)
  const own = new Set(origins)
  return {
    name: rpName, id, isOwn: origins === undefined ? isLocalOrigin : origin => own.has(origin)
  }
}

function checkOrigin (origin: string, rpId: string): void {
  const url = URL.canParse(origin) ? new URL(origin) : undefined
  if (url === undefined || url.origin !== origin) {
    throw new InvalidOptionsError(`"secondFactors.webauthn.origins": "${origin}" is no origin: write it as "https://shop.example", without a path`)
  }
  const isLocal = url.hostname === 'localhost' || url.hostname.endsWith('.localhost')
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLocal)) {
    throw new InvalidOptionsError(`"secondFactors.webauthn.origins": "${origin}" must be https; http is for localhost only`)
  }
  if (url.hostname !== rpId && !url.hostname.endsWith(`.${rpId}`)) {
    throw new InvalidOptionsError(`"secondFactors.webauthn.origins": "${origin}" is not of the domain "${rpId}" ("rpId")`)
  }
}

/** In development: whatever port the server has. */
const isLocalOrigin = (origin: string): boolean => /^http:\/\/localhost(?::\d{1,5})?$/.test(origin)
