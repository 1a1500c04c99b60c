/** Each extension is loaded where its option is on, and only there. */
import type { Provider } from './provider.js'

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
