/** What `@fastback/boot` finds here: the models that folders name and extend. */
import type { BootExtension } from '@fastback/core'
import { deliveryDefinition, installationDefinition, notificationDefinition } from './models/definitions.js'

export const boot = {
  models: [
    { definition: installationDefinition },
    { definition: notificationDefinition },
    { definition: deliveryDefinition }
  ]
} satisfies BootExtension
