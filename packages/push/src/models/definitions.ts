/** The models, with the properties of LoopBack's component and those that were added (PU-10, PU-12, PU-14, PU-20). */
import type { ModelDefinitionInput } from '@fastback/core'

const text = { type: 'string' }
const moment = { type: 'date' }

export const installationDefinition: ModelDefinitionInput = {
  name: 'Installation',
  plural: 'Installations',
  base: 'PersistedModel',
  /** Anyone who has a token can send to the device (PU-31). */
  hidden: ['deviceToken', 'deviceKey'],
  /** A `userId` from outside is that of the token (PU-29). */
  settings: { ownerFromToken: true },
  properties: {
    appId: { type: 'string', required: true },
    appVersion: text,
    badge: { type: 'number' },
    created: { type: 'date', default: '$now' },
    deviceToken: { type: 'string', required: true },
    deviceType: { type: 'string', required: true },
    modified: moment,
    status: text,
    subscriptions: { type: ['string'] },
    timeZone: text,
    userId: { type: 'string', index: true },
    lastSeen: moment,
    failures: { type: 'number' },
    topic: text,
    /** The digest of application, type and token, by which a device is found again. */
    deviceKey: { type: 'string', length: 64, index: { unique: true } }
  }
}

export const notificationDefinition: ModelDefinitionInput = {
  name: 'Notification',
  plural: 'Notifications',
  base: 'PersistedModel',
  strict: false,
  properties: {
    alert: { type: 'any' },
    badge: { type: 'any' },
    category: text,
    collapseKey: text,
    contentAvailable: { type: 'boolean' },
    created: { type: 'date', default: '$now' },
    delayWhileIdle: { type: 'boolean' },
    deviceToken: { type: 'string', required: true },
    deviceType: { type: 'string', required: true },
    expirationInterval: { type: 'number' },
    expirationTime: moment,
    modified: moment,
    scheduledTime: moment,
    sound: text,
    status: text,
    urlArgs: { type: ['string'] }
  }
}

/**
 * Work that is to be done for a notification: a query that is still to be gone through, or devices to send to (PU-73).
 * `due` is when somebody may take it, which is also how long who took it has it.
 */
export const batchDefinition: ModelDefinitionInput = {
  name: 'PushBatch',
  plural: 'PushBatches',
  base: 'PersistedModel',
  properties: {
    notificationId: { type: 'string', length: 100, index: true },
    status: { type: 'string', length: 20 },
    due: { type: 'date', index: true },
    lease: { type: 'string', length: 64 },
    attempts: { type: 'number' },
    appId: text,
    deviceType: text,
    /** Of a query: its condition, and the id of the last row that was gone through. */
    where: { type: 'object' },
    cursor: text,
    /** Which part of which query made this batch, and the last row of that part. */
    part: { type: 'string', length: 200, index: true },
    last: text,
    /** Rows of devices; tokens where the caller gave those. */
    installationIds: { type: ['string'] },
    deviceTokens: { type: ['string'] },
    /** Places in the list whose outcome is known, and what failed: `{ at, status, reason }`. */
    done: { type: ['number'] },
    failures: { type: ['object'] }
  },
  acls: [{ principalType: 'ROLE', principalId: '$everyone', permission: 'DENY' }]
}

export const deliveryDefinition: ModelDefinitionInput = {
  name: 'Delivery',
  plural: 'Deliveries',
  base: 'PersistedModel',
  properties: {
    notificationId: text,
    installationId: text,
    deviceType: text,
    status: text,
    reason: text,
    providerId: text,
    attempts: { type: 'number' },
    created: { type: 'date', default: '$now', index: true }
  },
  acls: [{ principalType: 'ROLE', principalId: '$everyone', permission: 'DENY' }]
}
