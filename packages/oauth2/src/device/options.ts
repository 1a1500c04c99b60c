/** The option `deviceFlow` (RFC 8628; openid.md, section 9.1). */
import { Type, type Static } from '@sinclair/typebox'

const Path = Type.String({ pattern: '^/' })
const Count = Type.Integer({ minimum: 1 })

export const DeviceSchema = Type.Object({
  authorizationPath: Type.Optional(Path),
  verificationPath: Type.Optional(Path),
  /** Seconds. */
  ttl: Type.Optional(Type.Integer({ minimum: 30, maximum: 3600 })),
  /** Seconds. */
  interval: Type.Optional(Type.Integer({ minimum: 1, maximum: 60 })),
  maxWrongCodes: Type.Optional(Count),
  maxPerHour: Type.Optional(Count)
})
export type DeviceOptions = Static<typeof DeviceSchema>

export interface DeviceSettings {
  readonly authorizationPath: string
  readonly verificationPath: string
  /** Seconds that both codes live. */
  readonly ttl: number
  /** Seconds between two polls. */
  readonly interval: number
  /** Wrong user codes of one user, and from one address, within `ttl` (OI-145). */
  readonly maxWrongCodes: number
  /** Devices of public clients that begin from one network (OI-148). */
  readonly maxPerHour: number
}

/**
 * Fills in what was left out.
 *
 * ```js
 * deviceSettings(true).ttl // 600
 * ```
 * @param given undefined and false: there is no device authorization grant
 */
export function deviceSettings (given: boolean | DeviceOptions | undefined): DeviceSettings | undefined {
  if (given === undefined || given === false) return undefined
  const options = given === true ? {} : given
  return {
    authorizationPath: options.authorizationPath ?? '/oauth/device_authorization',
    verificationPath: options.verificationPath ?? '/oauth/device',
    ttl: options.ttl ?? 600,
    interval: options.interval ?? 5,
    maxWrongCodes: options.maxWrongCodes ?? 10,
    maxPerHour: options.maxPerHour ?? 200
  }
}
