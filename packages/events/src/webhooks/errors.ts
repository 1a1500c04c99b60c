/** What clients are told of subscriptions and deliveries. */
import { RequestError } from '@fastback/core'

/** 422: a property of a subscription that cannot be. */
export const invalidSubscription = (property: string, sentence: string): RequestError =>
  new RequestError(422, `The subscription is not valid: "${property}" ${sentence}.`, {
    code: 'INVALID_SUBSCRIPTION', name: 'ValidationError', details: { property }
  })

/** 429: a user has as many subscriptions as one may have. */
export const tooManySubscriptions = (most: number): RequestError =>
  new RequestError(429, `You have ${most} subscriptions, and may have no more. Delete one first.`, {
    code: 'TOO_MANY_SUBSCRIPTIONS'
  })

/** 404, also for what is another user's. */
export const noSubscription = (id: unknown): RequestError =>
  new RequestError(404, `Unknown "WebhookSubscription" id "${String(id).slice(0, 64)}".`, { code: 'MODEL_NOT_FOUND' })

/** 404, also for what is another user's, and what cannot be replayed since it arrived. */
export const noDelivery = (id: unknown): RequestError =>
  new RequestError(404, `There is no failed delivery "${String(id).slice(0, 64)}".`, { code: 'DELIVERY_NOT_FOUND' })

/** 409: nothing is sent to a subscription that is switched off. */
export const subscriptionOff = (): RequestError =>
  new RequestError(409, 'The subscription is switched off: set "active" to true first.', { code: 'SUBSCRIPTION_OFF' })

/** 409: the last test has not ended. */
export const testPending = (): RequestError =>
  new RequestError(409, 'A test of this subscription has not ended yet: wait for it.', { code: 'TEST_PENDING' })

/** 403: the token of a program that somebody gave it to, which would be told more than its scopes allow. */
export const notForClients = (): RequestError =>
  new RequestError(403, 'This client may not use subscriptions of users. The option "clients" of webhooks names clients that may.', {
    code: 'WEBHOOKS_NOT_FOR_CLIENT', name: 'ForbiddenError'
  })
