/** What `@fastback/boot` finds here: the models that folders name and extend. */
import type { BootExtension, HostApplication } from '@fastback/core'
import { deliveryDefinition, installationDefinition, notificationDefinition } from './models/definitions.js'
import type { PushConnector } from './push-connector.js'

interface FolderApplication extends HostApplication {
  readonly dataSources: Readonly<Record<string, { readonly connector: unknown } | undefined>>
}

const isPush = (connector: unknown): connector is PushConnector =>
  (connector as { readonly name?: unknown } | null | undefined)?.name === 'loopback-component-push'

export const boot = {
  models: [
    { definition: installationDefinition },
    { definition: notificationDefinition },
    { definition: deliveryDefinition }
  ],

  /** Scripts find the models of push in `app.models`, whether or not a file of the folder names them (PU-04). */
  modelsDefined (app: FolderApplication) {
    for (const dataSource of Object.values(app.dataSources)) {
      if (!isPush(dataSource?.connector)) continue
      dataSource.connector.attachModels((Model, rows) => { app.model(Model, { dataSource: rows, public: false }) })
    }
  }
} satisfies BootExtension
