/** The subscription of a browser: where to send, and for whom to encrypt (PU-12). */
import { Type, type Static } from '@sinclair/typebox'
import { optionsFault } from '@fastback/core/connector'
import { isAllowedOrigin } from '../provider/network.js'
import type { ProviderContext } from '../provider/provider.js'

const base64url = (bytes: number) => Type.String({ pattern: `^[A-Za-z0-9_-]{${String(Math.ceil(bytes * 4 / 3))}}={0,2}$` })

const SubscriptionSchema = Type.Object({
  endpoint: Type.String({ minLength: 1, maxLength: 2048 }),
  keys: Type.Object({ p256dh: base64url(65), auth: base64url(16) })
})

export type Subscription = Static<typeof SubscriptionSchema>

const unpadded = (text: string): string => text.replace(/(?<!=)=+$/, '')

/**
 * Reads a subscription from its JSON text or object. What it gives has one order of members, for one text of each.
 * @returns a sentence of what is wrong, where something is
 */
export function readSubscription (
  given: unknown, context: Pick<ProviderContext, 'allowLoopback'>
): { readonly subscription: Subscription } | { readonly fault: string } {
  let value = given
  try {
    if (typeof given === 'string') value = JSON.parse(given)
  } catch {
    return { fault: 'is no JSON' }
  }
  const fault = optionsFault(SubscriptionSchema, value, 'member')
  if (fault !== undefined) return { fault: `is not complete: ${fault.replace(/\.$/, '')}` }
  const { endpoint, keys: { p256dh, auth } } = value as Subscription
  if (!URL.canParse(endpoint) || !isAllowedOrigin(new URL(endpoint), context as ProviderContext)) {
    return { fault: 'must have an "endpoint" with "https:"' }
  }
  // Padding says nothing, and some browsers give it.
  return { subscription: { endpoint, keys: { p256dh: unpadded(p256dh), auth: unpadded(auth) } } }
}
