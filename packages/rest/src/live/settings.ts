/** Whether live queries come over WebSockets as well, and how much of one connection is taken. */
import { Type, type Static } from '@sinclair/typebox'
import { bytesOf, Size } from '../parse/size.js'

const Count = Type.Optional(Type.Integer({ minimum: 1 }))

/** False: there is no such route; true: with the defaults. */
export const LiveSocketSchema = Type.Union([
  Type.Boolean(),
  Type.Object(
    {
      /** Below the prefix of the API. Default: `/live`. */
      path: Type.Optional(Type.String({ pattern: '^/[A-Za-z0-9/_-]+$' })),
      /** Origins whose pages may connect, beside the server's own: `https://app.example.com`. Default: none. */
      origins: Type.Optional(Type.Array(Type.String())),
      /** Connections of this process. Default: 1,000. */
      maxConnections: Count,
      /** Live queries of one connection. Default: 100. */
      maxQueries: Count,
      /** Size of a message of a client: bytes, or text like `64kb`. Default: `64kb`. */
      maxMessage: Type.Optional(Size),
      /** Messages that a client may send in ten seconds. Default: 1,000. */
      maxMessages: Count
    },
    { additionalProperties: false }
  )
])
export type LiveSocketSetting = Static<typeof LiveSocketSchema>

/** With every default filled in. */
export interface LiveSocketLimits {
  readonly path: string
  readonly origins: readonly string[]
  readonly maxConnections: number
  readonly maxQueries: number
  /** Bytes. */
  readonly maxMessage: number
  readonly maxMessages: number
}

/**
 * The limits of a setting; undefined where there are no WebSockets.
 *
 * ```js
 * liveSocketLimits({ maxQueries: 20 })?.maxMessage // 65536
 * ```
 */
export function liveSocketLimits (setting: LiveSocketSetting): LiveSocketLimits | undefined {
  if (setting === false) return undefined
  const {
    path = '/live', origins = [], maxConnections = 1_000, maxQueries = 100, maxMessage = '64kb', maxMessages = 1_000
  } = setting === true ? {} : setting
  return { path, origins, maxConnections, maxQueries, maxMessage: bytesOf(maxMessage), maxMessages }
}
