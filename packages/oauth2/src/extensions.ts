/** The extensions of a provider (openid.md, section 9): each is loaded where its option is on, and only there. */
import type { PropertyDefinition } from '@fastback/core'
import type { FastifyInstance } from 'fastify'
import type { Device } from './device/device.js'
import type { Provider } from './provider.js'
import type { PushedRequests } from './pushed/pushed-requests.js'
import type { Registration } from './registration/registration.js'
import type { Settings } from './settings.js'

/** What every extension has. */
export interface Extension {
  /** Adds its endpoints, in a context of its own. */
  register (scope: FastifyInstance): void | Promise<void>
  /** Its members of the server's metadata. */
  metadata (issuer: string): Readonly<Record<string, unknown>>
}

export interface Extensions {
  device?: Device
  pushed?: PushedRequests
  registration?: Registration
}

/**
 * Loads what is on, before the endpoints are registered.
 *
 * ```js
 * await loadExtensions(provider)
 * provider.extensions.device // undefined without the option `deviceFlow`
 * ```
 */
export async function loadExtensions (provider: Provider): Promise<void> {
  const { extensions, settings: { device, pushed, registration } } = provider
  if (device !== undefined) {
    extensions.device = new (await import('./device/device.js')).Device(provider, device)
  }
  if (pushed !== undefined) {
    extensions.pushed = new (await import('./pushed/pushed-requests.js')).PushedRequests(provider, pushed)
  }
  if (registration !== undefined) {
    extensions.registration = new (await import('./registration/registration.js')).Registration(provider, registration)
  }
}

/** Fields that the client model has besides, by what is on: the tables of other applications stay as they are. */
export const extensionClientProperties = (
  { pushed, registration }: Pick<Settings, 'pushed' | 'registration'>
): Record<string, PropertyDefinition> => ({
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
