/** Settings of a push data source, which are those of `PushManager`, too. */
import { Type, type Static } from '@sinclair/typebox'
import { errors } from '@fastback/core'
import { optionsFault } from '@fastback/core/connector'

const text = Type.String({ minLength: 1 })
const secret = Type.String({ minLength: 32 })
const count = (minimum = 0) => Type.Integer({ minimum })

/** Others stand beside them: data sources carry names and notes of applications. */
const PushSchema = Type.Object({
  installation: Type.Optional(text),
  notification: Type.Optional(text),
  application: Type.Optional(text),
  dataSource: Type.Optional(text),
  ttlInSeconds: Type.Optional(Type.Number({ minimum: 0 })),
  checkPeriodInSeconds: Type.Optional(Type.Number({ minimum: 0 })),
  secret: Type.Optional(Type.Union([secret, Type.Array(secret, { minItems: 1 }), Type.Literal(false)])),
  persist: Type.Optional(Type.Boolean()),
  deliveryLog: Type.Optional(Type.Boolean()),
  deliveryLogDays: Type.Optional(count(1)),
  queueSize: Type.Optional(count(1)),
  concurrency: Type.Optional(count(1)),
  retries: Type.Optional(count()),
  retryBase: Type.Optional(count(1)),
  circuitFailures: Type.Optional(count(1)),
  circuitPause: Type.Optional(count(1)),
  stopTimeout: Type.Optional(count()),
  lease: Type.Optional(count(1000)),
  pollInterval: Type.Optional(count(10))
})

/** What the README's table says of each. Times in milliseconds where the name does not say seconds. */
export interface PushOptions extends Static<typeof PushSchema> {}

export const defaults = {
  ttlInSeconds: 0,
  checkPeriodInSeconds: 0,
  deliveryLogDays: 30,
  queueSize: 1000,
  concurrency: 100,
  retries: 5,
  retryBase: 1000,
  circuitFailures: 20,
  circuitPause: 30_000,
  stopTimeout: 10_000,
  lease: 30_000,
  pollInterval: 1000
}

export type FilledOptions = PushOptions & typeof defaults

/** @throws FBK_CORE_DATA_SOURCE_SETTINGS */
export function readSettings (given: object, dataSource: string): FilledOptions {
  const fault = optionsFault(PushSchema, given, 'setting')
  if (fault !== undefined) throw new errors.DataSourceSettingsError(dataSource, fault)
  const set = Object.entries(given).filter(([, value]) => value !== undefined && value !== null)
  return { ...defaults, ...Object.fromEntries(set) } as FilledOptions
}
