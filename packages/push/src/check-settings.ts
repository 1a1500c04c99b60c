/** Tries whether providers can be made of `pushSettings`, without asking any service. */
import { ApnsProvider } from './apns/apns-provider.js'
import { FcmProvider } from './fcm/fcm-provider.js'
import type { ProviderContext, PushSettings } from './provider/provider.js'
import { WebProvider } from './web/web-provider.js'

const parts = {
  apns: { deviceType: 'ios', Provider: ApnsProvider },
  fcm: { deviceType: 'android', Provider: FcmProvider },
  gcm: { deviceType: 'android', Provider: FcmProvider },
  web: { deviceType: 'web', Provider: WebProvider }
} as const

/** One part of the settings: the devices that it serves, and what is wrong with it. */
export interface CheckedSettings {
  readonly part: string
  readonly deviceType: string
  readonly fault?: string
}

/**
 * ```js
 * checkPushSettings({ gcm: { serverApiKey: 'old' } })[0].deviceType // 'android'
 * ```
 * @param baseDir the folder that file names in the settings are relative to
 */
export function checkPushSettings (settings: PushSettings, baseDir = process.cwd()): CheckedSettings[] {
  const context: ProviderContext = { baseDir, allowLoopback: process.env.NODE_ENV !== 'production', warn () {} }
  return Object.entries(parts).flatMap(([part, { deviceType, Provider }]) => {
    if (settings[part] === undefined || (part === 'gcm' && settings.fcm !== undefined)) return []
    try {
      new Provider(settings, context).close()
      return [{ part, deviceType }]
    } catch (error) {
      return [{ part, deviceType, fault: (error as Error).message }]
    }
  })
}
