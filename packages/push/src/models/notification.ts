/** What `Notification` has besides its properties. */
import type { HookContext, ModelClass, Row } from '@fastback/core'
import { hasOwnObserver } from '@fastback/core/remote'
import { timeToLive } from '../provider/fields.js'

/** Puts everything on the model of a folder, whatever its name, once. */
export function setUpNotification (Notification: ModelClass): void {
  if (hasOwnObserver(Notification, 'before save', beforeSave)) return
  Notification.observe('before save', beforeSave)
  if (Object.hasOwn(Notification.prototype, 'getTimeToLiveInSecondsFromNow')) return
  Object.defineProperty(Notification.prototype, 'getTimeToLiveInSecondsFromNow', {
    configurable: true,
    writable: true,
    value (this: Row): number | undefined { return timeToLive(this) }
  })
}

/** The original sets `scheduledTime` whatever was given; here a given one stands (PU-15). */
function beforeSave ({ instance, data }: HookContext): void {
  const row = (instance ?? data) as Row
  row.modified = new Date()
  if (instance !== undefined) row.scheduledTime ??= new Date()
}
