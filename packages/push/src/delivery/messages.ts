/** Notifications as callers give them, as what is sent. */
import type { ModelInstance, Row } from '@fastback/core'
import { isInstance } from '@fastback/core'
import { RequestError, ValidationError } from '@fastback/core'
import type { PushModels } from '../models/push-models.js'
import { timeToLive } from '../provider/fields.js'
import type { Message } from '../provider/provider.js'

/** What callers may say beside the message, under `options` of a notification. */
export interface SendOptions {
  /** Whether a callback comes when the message is delivered, not when it was handed over (PU-41). */
  readonly wait?: boolean
}

/** @throws Error `notification must be an object` (PU-37) */
export function mustBeObject (notification: unknown): asserts notification is Row {
  if (notification !== null && typeof notification === 'object' && !Array.isArray(notification)) return
  throw new RequestError(400, 'notification must be an object', { name: 'Error', code: 'INVALID_NOTIFICATION' })
}

const valuesOf = (instance: Row): Row => ({ ...(instance as { toJSON (): Row }).toJSON() })

/** A caller's own plain object, whatever it gave. */
export const plain = (notification: Row): Row =>
  isInstance(notification) ? valuesOf(notification as Row) : { ...(notification as Row) }

export const sendOptionsOf = ({ options }: Row): SendOptions =>
  options !== null && typeof options === 'object' ? options as SendOptions : {}

/**
 * A notification for devices of one type, with its values checked by the model.
 * @param token one of the devices'; `*` for many
 * @throws ValidationError
 */
export async function messageFor (
  models: PushModels, notification: Row, deviceType: string, token: string
): Promise<Message> {
  const Notification = models.find('Notification')
  const row = { ...plain(notification), deviceType, deviceToken: token }
  if (Notification === undefined) return row
  const instance = new Notification(row) as ModelInstance & { isValid (callback: (valid: boolean) => void): boolean }
  const isValid = await new Promise<boolean>(resolve => { instance.isValid(resolve) })
  if (!isValid) throw new (ValidationError as unknown as new (subject: unknown) => Error)(instance)
  return valuesOf(instance)
}

/** When it is over, in milliseconds since 1970. */
export function deadlineOf (message: Message, now = Date.now()): number | undefined {
  const seconds = timeToLive(message, now)
  return seconds === undefined ? undefined : now + seconds * 1000
}
