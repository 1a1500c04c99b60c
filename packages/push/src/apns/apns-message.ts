/** A notification as APNs takes it (PU-53, PU-54). */
import { bodyOf, dataOf, timeToLive, titleOf } from '../provider/fields.js'
import type { Message } from '../provider/provider.js'

/** Properties that stand in `aps`, with their names there. */
const inAps: Readonly<Record<string, string>> = {
  badge: 'badge',
  sound: 'sound',
  category: 'category',
  urlArgs: 'url-args',
  mutableContent: 'mutable-content',
  threadId: 'thread-id',
  interruptionLevel: 'interruption-level'
}
const placed = new Set([...Object.keys(inAps), 'alert', 'title', 'messageFrom', 'contentAvailable'])

const isThere = (value: unknown): boolean => value !== undefined && value !== null

/** Whether there is nothing to show: the device wakes the application, and nobody sees anything. */
const isSilent = (message: Message): boolean =>
  message.contentAvailable === true && !['alert', 'badge', 'sound', 'title'].some(name => isThere(message[name]))

/** The bytes of the body. */
export function apnsPayload (message: Message): Buffer {
  const aps: Record<string, unknown> = {}
  const title = titleOf(message)
  if (isThere(message.alert) || title !== undefined) {
    aps.alert = title === undefined
      ? message.alert
      : { ...(typeof message.alert === 'object' ? message.alert : {}), title, body: bodyOf(message) }
  }
  for (const [name, there] of Object.entries(inAps)) {
    const value = message[name]
    if (isThere(value)) aps[there] = name === 'mutableContent' ? Number(Boolean(value)) : value
  }
  if (message.contentAvailable === true) aps['content-available'] = 1
  return Buffer.from(JSON.stringify({ ...dataOf(message, placed), aps }))
}

/**
 * Headers beside path and authorization.
 * @param topic the application's bundle, where the message names no other
 */
export function apnsHeaders (message: Message, topic: string, now = Date.now()): Record<string, string> {
  const silent = isSilent(message)
  const ttl = timeToLive(message, now)
  const { collapseKey } = message
  return {
    'apns-topic': typeof message.topic === 'string' && message.topic !== '' ? message.topic : topic,
    'apns-push-type': silent ? 'background' : 'alert',
    'apns-priority': silent ? '5' : '10',
    ...(ttl === undefined ? {} : { 'apns-expiration': String(Math.floor(now / 1000) + ttl) }),
    ...(typeof collapseKey === 'string' && collapseKey !== '' ? { 'apns-collapse-id': cut(collapseKey, 64) } : {})
  }
}

/** The first bytes of a text, without half a character at their end. */
function cut (text: string, most: number): string {
  let end = text
  while (Buffer.byteLength(end) > most) end = [...end].slice(0, -1).join('')
  return end
}
