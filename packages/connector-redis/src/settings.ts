import { Type, type Static } from '@sinclair/typebox'
import { errors, type DataSourceSettings } from '@fastback/core'
import { optionsFault } from '@fastback/core/connector'

const Settings = Type.Object({
  /** `redis://user:password@host:6379/0`, or `rediss://` for TLS; what stands beside it wins. */
  url: Type.Optional(Type.String({ pattern: '^rediss?://' })),
  host: Type.Optional(Type.String()),
  port: Type.Optional(Type.Integer({ minimum: 1, maximum: 65535 })),
  username: Type.Optional(Type.String()),
  password: Type.Optional(Type.String()),
  db: Type.Optional(Type.Integer({ minimum: 0 })),
  /** Stands before every key, so that several applications can share a database. Default: nothing. */
  prefix: Type.Optional(Type.String()),
  /** Milliseconds to wait for the connection. Default: 10,000. */
  connectTimeout: Type.Optional(Type.Integer({ minimum: 1 }))
})
export type RedisSettings = Static<typeof Settings>

/** @throws FBK_CORE_DATA_SOURCE_SETTINGS naming the setting */
export function readSettings (
  { url: written, ...rest }: DataSourceSettings, dataSource: string
): RedisSettings {
  // LoopBack's generator writes `"url": ""` beside `host` and `port`.
  const isEmpty = written === undefined || written === null || written === ''
  const settings = isEmpty ? rest : { ...rest, url: written }
  const fault = optionsFault(Settings, settings, 'setting')
  if (fault !== undefined) throw new errors.DataSourceSettingsError(dataSource, fault)
  const { url, host, port, username, password, db, prefix, connectTimeout } = settings as RedisSettings
  const given = { url, host, port, username, password, db, prefix, connectTimeout }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}
