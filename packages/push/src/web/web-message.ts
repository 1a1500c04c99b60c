/** A notification as the service worker of `@fastback/push/client` shows it (PU-68). */
import { sha256 } from '@fastback/core/connector'
import { bodyOf, dataOf, timeToLive, titleOf } from '../provider/fields.js'
import type { Message } from '../provider/provider.js'

const placed = new Set(['alert', 'title', 'messageFrom', 'icon', 'badge', 'tag'])
const fourWeeks = 2_419_200
const urgencies = ['very-low', 'low', 'normal', 'high']

export function webPayload (message: Message): Buffer {
  const { icon, badge, tag } = message
  const data = dataOf(message, placed)
  return Buffer.from(JSON.stringify({
    title: titleOf(message),
    body: bodyOf(message),
    icon: icon ?? undefined,
    badge: badge ?? undefined,
    tag: tag ?? undefined,
    ...(Object.keys(data).length > 0 ? { data } : {})
  }))
}

/** Headers of RFC 8030, sections 5.2 to 5.4. */
export function webHeaders (message: Message, now = Date.now()): Record<string, string> {
  const { priority, collapseKey } = message
  return {
    ttl: String(timeToLive(message, now) ?? fourWeeks),
    ...(typeof priority === 'string' && urgencies.includes(priority.toLowerCase()) ? { urgency: priority.toLowerCase() } : {}),
    ...(typeof collapseKey === 'string' && collapseKey !== ''
      ? { topic: sha256(collapseKey).slice(0, 32) }
      : {})
  }
}
