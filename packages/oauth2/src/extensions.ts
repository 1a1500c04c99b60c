/** The extensions of a provider (openid.md, section 9): what each adds where its option is on. */
import type { PropertyDefinition } from '@fastback/core'
import { frontChannelClientProperties } from './openid/models.js'
import type { Device } from './device/device.js'
import type { PushedRequests } from './pushed/pushed-requests.js'
import type { Registration } from './registration/registration.js'
import type { Settings } from './settings.js'

export interface Extensions {
  device?: Device
  pushed?: PushedRequests
  registration?: Registration
}

/** Fields that the client model has besides, by what is on: the tables of other applications stay as they are. */
export const extensionClientProperties = (
  { openId, pushed, registration }: Pick<Settings, 'openId' | 'pushed' | 'registration'>
): Record<string, PropertyDefinition> => ({
  ...(openId?.frontchannelLogout === true ? frontChannelClientProperties : {}),
  ...(pushed === undefined ? {} : { requirePushedAuthorizationRequests: { type: 'boolean' } }),
  ...(registration === undefined
    ? {}
    : {
        /** A digest. */
        registrationAccessToken: { type: 'string', hidden: true },
        registeredAt: { type: 'date', index: true },
        /** When it first was of use to somebody. */
        firstUsedAt: { type: 'date' },
        applicationType: { type: 'string' }
      })
})
