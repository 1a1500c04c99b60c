/** What `authenticate(paths, options)` takes. */
import { Type, type Static } from '@sinclair/typebox'

/** One scope, or several. */
export const Scopes = Type.Union([Type.String(), Type.Array(Type.String())])

export const AuthenticateSchema = Type.Object({
  /** Whether the user is also logged in for the pages of this server. It never replaces the token. Default: false. */
  session: Type.Optional(Type.Boolean()),
  /** One of these is needed. */
  scope: Type.Optional(Scopes),
  /** The same, or scope → routes that need it: `{ email: [{ methods: 'get', path: '/profile' }, '/order'] }`. */
  scopes: Type.Optional(Type.Union([Scopes, Type.Record(Type.String(), Type.Unknown())])),
  /** All of `scope` are needed. */
  allScopes: Type.Optional(Type.Boolean()),
  /** Levels of logins, one of which the token's is, or a stronger one (RFC 9470). Default: any. */
  acrValues: Type.Optional(Type.Array(Type.String({ minLength: 1 }), { minItems: 1 })),
  /** Seconds that the login may be old. Default: any age. */
  maxAge: Type.Optional(Type.Integer({ minimum: 1 })),
  /** Whom the token must be for: one of the option `resourceIndicators` (RFC 8707). Default: this server. */
  resource: Type.Optional(Type.String())
})

export type AuthenticateOptions = Static<typeof AuthenticateSchema>
