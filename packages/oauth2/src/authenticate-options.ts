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
  allScopes: Type.Optional(Type.Boolean())
})

export type AuthenticateOptions = Static<typeof AuthenticateSchema>
