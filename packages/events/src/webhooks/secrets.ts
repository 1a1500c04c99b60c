/** Secrets of subscriptions, and signatures by them (Standard Webhooks). */
import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import type { Subscription } from './models.js'

/** 256 bits, as Standard Webhooks writes them. */
export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

/** The headers of a request; while a secret is being replaced, the signatures by both. */
export function signedHeaders (
  { secret, previousSecret, previousUntil }: Subscription, id: string, body: string, now = new Date()
): Record<string, string> {
  const isReplaced = typeof previousSecret === 'string' && previousUntil instanceof Date && previousUntil > now
  const secrets = isReplaced ? [secret, previousSecret] : [secret]
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': secrets.map(each => new Webhook(each).sign(id, now, body)).join(' ')
  }
}
