/** The settings of a data source that the client reads. The connector's own stand beside them. */
import { Type, type Static } from '@sinclair/typebox'
import { errors } from '@fastback/core'
import { optionsFault } from '@fastback/core/connector'

const milliseconds = Type.Integer({ minimum: 0 })
const count = Type.Integer({ minimum: 1 })
const text = Type.String()
const pem = Type.Union([text, Type.Uint8Array(), Type.Array(Type.Union([text, Type.Uint8Array()]))])

const Retry = Type.Object({
  /** How often a call is tried, the first time included. */
  attempts: Type.Integer({ minimum: 1, maximum: 20 }),
  methods: Type.Optional(Type.Array(text)),
  statuses: Type.Optional(Type.Array(Type.Integer({ minimum: 100, maximum: 599 }))),
  minDelay: Type.Optional(milliseconds),
  maxDelay: Type.Optional(milliseconds),
  jitter: Type.Optional(Type.Boolean()),
  respectRetryAfter: Type.Optional(Type.Boolean())
}, { additionalProperties: false })

const Breaker = Type.Object({
  failures: Type.Optional(count),
  within: Type.Optional(count),
  open: Type.Optional(count)
}, { additionalProperties: false })

const Auth = Type.Object({
  user: Type.Optional(text),
  username: Type.Optional(text),
  pass: Type.Optional(text),
  password: Type.Optional(text),
  bearer: Type.Optional(text),
  sendImmediately: Type.Optional(Type.Boolean())
}, { additionalProperties: false })

const Settings = Type.Object({
  timeout: Type.Optional(milliseconds),
  connectTimeout: Type.Optional(milliseconds),
  headersTimeout: Type.Optional(milliseconds),
  bodyTimeout: Type.Optional(milliseconds),
  maxResponseSize: Type.Optional(count),
  maxConnections: Type.Optional(count),
  maxQueue: Type.Optional(Type.Integer({ minimum: 0 })),
  maxRedirects: Type.Optional(Type.Integer({ minimum: 0 })),
  keepAlive: Type.Optional(milliseconds),
  followRedirect: Type.Optional(Type.Boolean()),
  followAllRedirects: Type.Optional(Type.Boolean()),
  gzip: Type.Optional(Type.Boolean()),
  retry: Type.Optional(Retry),
  breaker: Type.Optional(Breaker),
  allowHosts: Type.Optional(Type.Array(Type.String({ pattern: '^(\\*\\.)?[^*/:@]+$|^\\[[0-9a-fA-F:.]+\\]$' }))),
  strictSSL: Type.Optional(Type.Boolean()),
  rejectUnauthorized: Type.Optional(Type.Boolean()),
  ca: Type.Optional(pem),
  cert: Type.Optional(pem),
  key: Type.Optional(pem),
  pfx: Type.Optional(pem),
  passphrase: Type.Optional(text),
  proxy: Type.Optional(Type.String({ pattern: '^https?://' })),
  tunnel: Type.Optional(Type.Boolean()),
  auth: Type.Optional(Auth)
})

/**
 * Settings of a client; the README has what each means. Times are milliseconds, sizes bytes.
 */
export type ServiceClientSettings = Static<typeof Settings>

type Written = ServiceClientSettings

export type RetrySettings = Required<Static<typeof Retry>>
export type BreakerSettings = Required<Static<typeof Breaker>>

const limits = {
  timeout: 30_000,
  connectTimeout: 10_000,
  headersTimeout: 0,
  bodyTimeout: 0,
  maxResponseSize: 10 * 1024 * 1024,
  maxConnections: 50,
  maxQueue: 200,
  maxRedirects: 10,
  keepAlive: 4000,
  followRedirect: true,
  followAllRedirects: false,
  gzip: false,
  tunnel: true
}
const retryDefaults = {
  methods: ['GET', 'HEAD'], statuses: [502, 503, 504], minDelay: 100, maxDelay: 2000, jitter: true, respectRetryAfter: true
}
const breakerDefaults = { failures: 5, within: 10_000, open: 10_000 }

/** Settings with their defaults filled in. */
export type EffectiveSettings = Omit<Written, keyof typeof limits | 'retry' | 'breaker'> & typeof limits & {
  readonly retry: RetrySettings | undefined
  readonly breaker: BreakerSettings | undefined
}

/**
 * The client's part of a data source's settings, checked. Other keys are left alone: they are the connector's.
 *
 * ```js
 * const client = new ServiceClient(readClientSettings(settings, 'weather'), { dataSource: 'weather', log })
 * ```
 * @throws FBK_CORE_DATA_SOURCE_SETTINGS naming the setting, never its value
 */
export function readClientSettings (given: object, dataSource: string): ServiceClientSettings {
  const own = Object.fromEntries(
    Object.entries(given).filter(([key, value]) => key in Settings.properties && value !== undefined && value !== null)
  )
  const fault = optionsFault(Settings, own, 'setting')
  if (fault !== undefined) throw new errors.DataSourceSettingsError(dataSource, fault)
  return own
}

/** Fills in the defaults. */
export function effective (written: ServiceClientSettings): EffectiveSettings {
  return {
    ...limits,
    ...written,
    retry: written.retry && { ...retryDefaults, ...written.retry },
    breaker: written.breaker && { ...breakerDefaults, ...written.breaker }
  }
}
