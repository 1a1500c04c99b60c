/** A notification as FCM's HTTP v1 takes it (PU-62, PU-63). */
import { bodyOf, dataOf, timeToLive, titleOf } from '../provider/fields.js'
import type { Message } from '../provider/provider.js'

/** Properties of `android.notification`, with their names there. */
const ofAndroid: Readonly<Record<string, string>> = {
  icon: 'icon', sound: 'sound', tag: 'tag', color: 'color', click_action: 'click_action', channelId: 'channel_id'
}
const placed = new Set([...Object.keys(ofAndroid), 'title', 'messageFrom'])
/** Seconds: four weeks. */
const mostTtl = 2_419_200
const reserved = /^(?:from|message_type)$|^google\.|^gcm\./

const asText = (value: unknown): string =>
  typeof value === 'string' ? value : value instanceof Date ? value.toISOString() : JSON.stringify(value)

export interface FcmMessage {
  readonly message: Readonly<Record<string, unknown>>
  /** Names that FCM keeps for itself, and that were left out. */
  readonly dropped: readonly string[]
}

export function fcmMessage (given: Message, token: string, now = Date.now()): FcmMessage {
  const dataOnly = given.dataOnly === true
  const title = titleOf(given)
  const body = bodyOf(given)
  const texts = { ...(title === undefined ? {} : { title }), ...(body === undefined ? {} : { body }) }
  const isShown = !dataOnly && (title !== undefined || body !== undefined)
  const shown = Object.fromEntries(Object.entries(ofAndroid)
    .filter(([name]) => given[name] !== undefined && given[name] !== null)
    .map(([name, there]) => [there, given[name]]))
  const data: Record<string, unknown> = {
    ...(dataOnly ? { title, body, ...shown } : {}), ...dataOf(given, placed)
  }
  const named = Object.entries(data).filter(([, value]) => value !== undefined)
  const dropped = named.map(([name]) => name).filter(name => reserved.test(name))
  const own = named.filter(([name]) => !reserved.test(name)).map(([name, value]) => [name, asText(value)])
  const ttl = timeToLive(given, now)
  const { collapseKey, priority } = given
  const android = {
    priority: typeof priority === 'string' && /^(?:high|normal)$/i.test(priority)
      ? priority.toUpperCase()
      : isShown ? 'HIGH' : 'NORMAL',
    ...(typeof collapseKey === 'string' && collapseKey !== '' ? { collapse_key: collapseKey } : {}),
    ...(ttl === undefined ? {} : { ttl: `${String(Math.min(ttl, mostTtl))}s` }),
    ...(isShown && Object.keys(shown).length > 0 ? { notification: shown } : {})
  }
  return {
    message: {
      token,
      ...(isShown ? { notification: texts } : {}),
      ...(own.length > 0 ? { data: Object.fromEntries(own) } : {}),
      android
    },
    dropped
  }
}
