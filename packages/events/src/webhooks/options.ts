import { Type, type Static } from '@sinclair/typebox'

const Flag = Type.Optional(Type.Boolean())
const Count = Type.Optional(Type.Integer({ minimum: 1 }))
const CountOrNone = Type.Optional(Type.Integer({ minimum: 0 }))

/** What the option `webhooks` takes: true for all defaults. */
export const WebhooksSchema = Type.Union([Type.Boolean(), Type.Object({
  /** Whether subscriptions and deliveries have routes. Default: true. */
  publish: Flag,
  /**
   * Ids of OAuth clients that may have subscriptions in the name of their users, which tell them all that these users
   * may see, whatever the scopes of their tokens. Default: none.
   */
  clients: Type.Optional(Type.Array(Type.String())),
  /**
   * Whether subscriptions go on when their user's password changes or the account is locked. Default: false, as tokens
   * end then: whoever made them may have been somebody else. The user switches them on again by `"active": true`.
   */
  keepOnPasswordChange: Flag,
  /** Addresses and networks (`10.1.0.0/16`) that may be called though they are not public. Default: none. */
  allow: Type.Optional(Type.Array(Type.String())),
  /** Whether `http:` is allowed. Default: false. */
  allowHttp: Flag,
  /** Whether secrets are encrypted at rest, with the keys of the setting `sealing`. Default: true. */
  sealSecrets: Flag,
  /** Milliseconds that a request may take. Default: 15,000. */
  timeout: Type.Optional(Type.Integer({ minimum: 10 })),
  /**
   * Milliseconds to wait before each further attempt; they differ by up to a fifth. Default: 5 s, 5 min, 30 min, 2 h,
   * 5 h, 10 h, 10 h.
   */
  retryDelays: Type.Optional(Type.Array(Type.Integer({ minimum: 0 }), { maxItems: 50 })),
  /** Milliseconds that a receiver can have itself spared by `Retry-After`. Default: 3,600,000 (an hour). */
  longestRetryAfter: CountOrNone,
  /** Requests at once in this process. Default: 20. */
  concurrency: Count,
  /** Of these, to one host. Default: 4. */
  concurrencyPerHost: Count,
  /** Of these, of one user's subscriptions. Default: a quarter of `concurrency`. */
  concurrencyPerUser: Count,
  /** Subscriptions of one user. Default: 20. */
  subscriptionsPerUser: Count,
  /** Bytes of a request's body; a larger one is not sent. Default: 262,144. */
  largestBody: Count,
  /** Milliseconds that a secret is valid after it was replaced. Default: 86,400,000 (a day). */
  rotationGrace: CountOrNone,
  /** Milliseconds of nothing but failures, after which a subscription is switched off. Default: five days. */
  switchOffAfter: Count,
  /** Milliseconds that deliveries are listed which have arrived. Default: 86,400,000 (a day). */
  keepDelivered: Count,
  /** Milliseconds that deliveries are stored which have failed for good. Default: 1,209,600,000 (two weeks). */
  keepDead: Count
}, { additionalProperties: false })])

export type WebhooksOptions = Static<typeof WebhooksSchema>

/** Options with every default filled in, all times in milliseconds. */
export interface WebhookSettings {
  readonly publish: boolean
  readonly clients: readonly string[]
  readonly keepOnPasswordChange: boolean
  readonly allow: readonly string[]
  readonly allowHttp: boolean
  readonly sealSecrets: boolean
  readonly timeout: number
  readonly retryDelays: readonly number[]
  readonly longestRetryAfter: number
  readonly concurrency: number
  readonly concurrencyPerHost: number
  readonly concurrencyPerUser: number
  readonly subscriptionsPerUser: number
  readonly largestBody: number
  readonly rotationGrace: number
  readonly switchOffAfter: number
  readonly keepDelivered: number
  readonly keepDead: number
}

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** As Standard Webhooks proposes. */
const defaultDelays = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 10 * hour]

/** The option with its defaults; undefined where there are no webhooks. */
export function webhookSettings (given: WebhooksOptions | undefined): WebhookSettings | undefined {
  if (given === undefined || given === false) return undefined
  const options = given === true ? {} : given
  return {
    publish: options.publish ?? true,
    clients: options.clients ?? [],
    keepOnPasswordChange: options.keepOnPasswordChange ?? false,
    allow: options.allow ?? [],
    allowHttp: options.allowHttp ?? false,
    sealSecrets: options.sealSecrets ?? true,
    timeout: options.timeout ?? 15 * second,
    retryDelays: options.retryDelays ?? defaultDelays,
    longestRetryAfter: options.longestRetryAfter ?? hour,
    concurrency: options.concurrency ?? 20,
    concurrencyPerHost: options.concurrencyPerHost ?? 4,
    concurrencyPerUser: options.concurrencyPerUser ?? Math.max(1, Math.floor((options.concurrency ?? 20) / 4)),
    subscriptionsPerUser: options.subscriptionsPerUser ?? 20,
    largestBody: options.largestBody ?? 262_144,
    rotationGrace: options.rotationGrace ?? day,
    switchOffAfter: options.switchOffAfter ?? 5 * day,
    keepDelivered: options.keepDelivered ?? day,
    keepDead: options.keepDead ?? 14 * day
  }
}
