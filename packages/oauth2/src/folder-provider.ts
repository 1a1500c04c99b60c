/** A provider for an application folder, set up at once: scripts of LoopBack use it in the next line. */
import { isPromise } from '@fastback/core/connector'
import { folderHost, protect, waiting, type FolderApplication } from './folder-host.js'
import type { Provider } from './provider.js'
import { createProvider } from './set-up.js'

/**
 * Makes the provider of a folder's application. Data sources that do not answer at once are open when the first
 * operation of a model has them opened.
 *
 * ```js
 * const provider = folderProvider(app, { dataSource: 'db' })
 * ```
 * @param app the application of a boot script
 * @param options those of the plugin
 * @throws as the plugin
 */
export function folderProvider (app: object, options: unknown): Provider {
  const application = app as FolderApplication
  const provider = createProvider(folderHost(application), options)
  application.oauth2 = provider
  for (const use of waiting(application).splice(0)) protect(provider, use)
  return provider
}

/**
 * The same, with its models in their stores where these answer at once. What a store says against it, the start says
 * again.
 *
 * ```js
 * const provider = folderProviderAtOnce(app, { dataSource: 'db' })
 * ```
 * @throws as the plugin
 */
export function folderProviderAtOnce (app: object, options: unknown): Provider {
  const provider = folderProvider(app, options)
  const connecting = provider.registry.connect()
  if (isPromise(connecting)) connecting.catch(() => {})
  return provider
}
