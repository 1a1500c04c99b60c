/** Clients are checked when they are saved, by whoever saves them. */
import type { HookContext, ModelClass } from '@fastback/core'
import { refusedClient } from '../models/client.js'
import type { OpenIdSettings } from './options.js'

/**
 * Refuses clients whose fields say what this server does not do.
 *
 * ```js
 * observeClients(registry.getModel('OAuthClientApplication'), settings.openId)
 * ```
 */
export function observeClients (Client: ModelClass, settings: OpenIdSettings): void {
  Client.observe('before save', async (context: HookContext) => {
    const { clientFieldFault } = await import('./client-fields.js')
    const changed = (context.instance ?? context.data) as Readonly<Record<string, unknown>>
    const before = context.currentInstance as { toObject?: () => object } | undefined
    const fault = clientFieldFault(
      changed,
      { settings, insecure: Client.settings.allowInsecureRedirects === true },
      { ...before?.toObject?.(), ...changed }
    )
    if (fault !== undefined) throw refusedClient(fault)
  })
}
