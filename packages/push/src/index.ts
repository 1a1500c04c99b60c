/**
 * `@fastback/push`: notifications to phones and browsers.
 *
 * ```js
 * await app.register(core, {
 *   dataSources: { db: { connector: memoryConnector }, push: { connector: pushConnector } },
 *   definitions: [{ name: 'Push', plural: 'push', base: 'Model', options: { dataSource: 'push' } }]
 * })
 * ```
 */
import type { ConnectorContext, ConnectorFactory, DataSourceSettings } from '@fastback/core'
import { PushConnector } from './push-connector.js'

export * as errors from './errors.js'
export { ApnsProvider } from './apns/apns-provider.js'
export { FcmProvider } from './fcm/fcm-provider.js'
export { FcmProvider as GcmProvider } from './fcm/fcm-provider.js'
export { WebProvider } from './web/web-provider.js'
export { StubProvider, type StubbedMessage } from './stub/stub-provider.js'
export { makeWebPushKeys, type WebPushKeys } from './web/keys.js'
export { Provider, type Message, type OwnProvider, type ProviderClass, type ProviderContext, type PushSettings } from './provider/provider.js'
export type { Outcome, Result } from './provider/outcome.js'
export type { PushReport } from './delivery/report.js'
export type { PushOptions } from './settings.js'
export { PushManager } from './push-manager.js'
export type { PushConnector } from './push-connector.js'
export { installationDefinition, notificationDefinition } from './models/definitions.js'
export { checkPushSettings } from './check-settings.js'

/**
 * Makes a connector of push.
 *
 * ```js
 * registry.defineDataSource('push', { connector: pushConnector, persist: true })
 * ```
 * @param settings `PushOptions`, and the names of the models
 * @throws FBK_CORE_DATA_SOURCE_SETTINGS
 */
export const pushConnector: ConnectorFactory = (
  settings: DataSourceSettings, context: ConnectorContext
): PushConnector => new PushConnector(settings, context)

export default pushConnector
