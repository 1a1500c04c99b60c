/** `@fastback/loopback/push`: stands for the package `loopback-component-push`. */
import { connectorModule, type ConnectorModule } from '@fastback/boot/server'
import type { ModelClass } from '@fastback/core'
import { PushManager } from '@fastback/push'
import { applications } from './applications.js'

/** What `createPushModel` is given: names of the models, and settings of the data source. */
export interface PushModelOptions {
  readonly name?: string
  readonly plural?: string
  readonly installation?: string
  readonly application?: string
  readonly notification?: string
  readonly ttlInSeconds?: number
  readonly checkPeriodInSeconds?: number
}

const connector = connectorModule('loopback-component-push')

/**
 * A model that sends, with a data source of its own (PU-02).
 *
 * ```js
 * const Push = createPushModel({ name: 'Push', plural: 'push', installation: 'Device' })
 * ```
 */
function createPushModel ({ name = 'Push', plural = 'push', ...settings }: PushModelOptions = {}): ModelClass {
  const { core } = applications.shared
  const dataSource = core.defineDataSource(`push of ${name}`, { ...settings, connector: 'loopback-component-push' })
  const Model: ModelClass = core.defineModel({ name, plural, base: 'Model' })
  return core.attach(Model, dataSource)
}

const model = (name: string): ModelClass => applications.shared.lookup.find(name) as ModelClass

export interface PushModule extends ConnectorModule {
  readonly PushManager: typeof PushManager
  readonly Installation: ModelClass
  readonly Notification: ModelClass
  /** A model that sends, by the name `Push`, made when it is first asked for. */
  readonly Push: ModelClass
  createPushModel (options?: PushModelOptions): ModelClass
}

/**
 * What `require('loopback-component-push')` gets: the connector, and the models that folders extend.
 *
 * ```js
 * const push = require('loopback-component-push')
 * const Push = push.createPushModel({ name: 'Push', plural: 'push' })
 * ```
 */
export const pushModule: PushModule = {
  name: connector.name,
  initialize: connector.initialize,
  PushManager,
  createPushModel,
  get Installation () { return model('Installation') },
  get Notification () { return model('Notification') },
  get Push () { return applications.shared.core.findModel('Push') ?? createPushModel() }
}

export default pushModule
export { PushManager, createPushModel }
