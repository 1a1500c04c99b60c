/** The option `pushedRequests` (RFC 9126; openid.md, section 9.3). */
import { Type, type Static } from '@sinclair/typebox'

export const PushedSchema = Type.Object({
  path: Type.Optional(Type.String({ pattern: '^/' })),
  require: Type.Optional(Type.Boolean()),
  /** Seconds. */
  ttl: Type.Optional(Type.Integer({ minimum: 5, maximum: 600 })),
  maxPerHour: Type.Optional(Type.Integer({ minimum: 1 }))
})
export type PushedOptions = Static<typeof PushedSchema>

export interface PushedSettings {
  readonly path: string
  /** Whether requests that were not pushed are refused. */
  readonly require: boolean
  /** Seconds within which a browser must bring the `request_uri`. */
  readonly ttl: number
  /** Requests of public clients from one network (OI-168). */
  readonly maxPerHour: number
}

/**
 * Fills in what was left out.
 *
 * ```js
 * pushedSettings({ require: true }).path // '/oauth/par'
 * ```
 * @param given undefined and false: there are no pushed authorization requests
 */
export function pushedSettings (given: boolean | PushedOptions | undefined): PushedSettings | undefined {
  if (given === undefined || given === false) return undefined
  const options = given === true ? {} : given
  return {
    path: options.path ?? '/oauth/par',
    require: options.require === true,
    ttl: options.ttl ?? 60,
    maxPerHour: options.maxPerHour ?? 1000
  }
}
