/** Which properties of a notification travel as data, beside those that a service has a place for (PU-54, PU-63). */
import type { Message } from './provider.js'

/** What says how a message is sent, and not what it says. */
const ofDelivery = new Set([
  'id', 'deviceToken', 'deviceType', 'created', 'modified', 'scheduledTime', 'status', 'expirationTime',
  'expirationInterval', 'collapseKey', 'delayWhileIdle', 'compatPayload', 'options', 'topic', 'priority',
  'incrementBadge', 'dataOnly'
])

const isThere = (value: unknown): boolean => value !== undefined && value !== null

/**
 * The message's own properties.
 * @param placed those that the payload has elsewhere; with `compatPayload` all stand here, as in the original
 */
export function dataOf (message: Message, placed: ReadonlySet<string>): Record<string, unknown> {
  const all = message.compatPayload === true
  return Object.fromEntries(Object.entries(message).filter(([name, value]) =>
    isThere(value) && name !== 'options' && name !== 'compatPayload' &&
    (all ? name !== 'deviceToken' : !placed.has(name) && !ofDelivery.has(name))))
}

/** The title: `title`, else `messageFrom`. */
export const titleOf = ({ title, messageFrom }: Message): string | undefined =>
  [title, messageFrom].find(value => typeof value === 'string' && value !== '') as string | undefined

/** The text: `alert`, or its `body`. */
export function bodyOf ({ alert }: Message): string | undefined {
  if (typeof alert === 'string') return alert
  const body = (alert as { body?: unknown } | null | undefined)?.body
  return typeof body === 'string' ? body : undefined
}

/** Seconds that a message may wait; undefined: as long as the service keeps it. Negative: it is over (PU-16). */
export function timeToLive ({ expirationInterval, expirationTime }: Message, now = Date.now()): number | undefined {
  if (typeof expirationInterval === 'number' && Number.isFinite(expirationInterval)) return expirationInterval
  if (!isThere(expirationTime)) return undefined
  const time = new Date(expirationTime as string | number | Date).getTime()
  return Number.isFinite(time) ? Math.round((time - now) / 1000) : undefined
}
