/** Settings of a data source with this connector. */
import { errors, type ConnectorContext, type DataSourceSettings } from '@fastback/core'
import type { MongoClientOptions } from 'mongodb'
import type { MongodbDataSourceSettings } from './types.js'

/** The settings of a data source, checked, with every default filled in. */
export interface MongodbSettings {
  readonly url: string
  readonly database: string | undefined
  readonly options: MongoClientOptions
  readonly generatedIds: 'objectId' | 'number'
  readonly strictObjectIDCoercion: boolean
  readonly enableGeoIndexing: boolean
  readonly transactions: boolean
  readonly transactionTimeout: number
  readonly operationTimeout: number
  readonly lazyConnect: boolean
  readonly internalCollection: string
}

/** Options of the driver that a data source may have under their own names. */
const driverOptions = [
  'replicaSet', 'authSource', 'authMechanism', 'appName', 'directConnection', 'retryReads', 'retryWrites',
  'readPreference', 'readConcern', 'writeConcern', 'compressors', 'minPoolSize', 'maxIdleTimeMS', 'waitQueueTimeoutMS',
  'connectTimeoutMS', 'socketTimeoutMS', 'heartbeatFrequencyMS', 'tls', 'ssl', 'tlsCAFile', 'tlsCertificateKeyFile',
  'tlsCertificateKeyFilePassword', 'tlsAllowInvalidCertificates', 'tlsAllowInvalidHostnames', 'localThresholdMS'
] as const

type Refuse = (why: string) => never

/**
 * Checks the settings of a data source.
 * @throws FBK_CORE_DATA_SOURCE_SETTINGS naming the key that cannot be used
 */
export function readSettings (given: DataSourceSettings, context: ConnectorContext): MongodbSettings {
  const settings = given as MongodbDataSourceSettings
  const refuse: Refuse = why => { throw new errors.DataSourceSettingsError(context.dataSource, why) }
  const whole = (fallback: number, least: number, ...keys: string[]): number => {
    const key = keys.find(key => settings[key] !== undefined && settings[key] !== null && settings[key] !== '')
    const value = key === undefined ? fallback : Number(settings[key])
    return Number.isInteger(value) && value >= least && value < 2 ** 31
      ? value
      : refuse(`"${String(key)}" must be a whole number from ${least}`)
  }
  const { generatedIds = 'objectId', internalCollection = '_fastback' } = settings
  if (generatedIds !== 'objectId' && generatedIds !== 'number') refuse('"generatedIds" must be "objectId" or "number"')
  if (typeof internalCollection !== 'string' || !/^[^$\0]+$/.test(internalCollection)) {
    refuse('"internalCollection" must be the name of a collection')
  }
  const url = urlOf(settings, refuse)
  return {
    url,
    database: text(settings, 'database', refuse),
    options: {
      ...Object.fromEntries(driverOptions.filter(key => isGiven(settings[key])).map(key => [key, settings[key]])),
      ...authOf(settings, url, refuse),
      maxPoolSize: whole(10, 1, 'poolSize', 'maxPoolSize', 'connectionLimit'),
      serverSelectionTimeoutMS: whole(5000, 1, 'connectionTimeout', 'serverSelectionTimeoutMS'),
      ignoreUndefined: true,
      promoteBuffers: true
    } as MongoClientOptions,
    generatedIds,
    strictObjectIDCoercion: settings.strictObjectIDCoercion === true,
    enableGeoIndexing: settings.enableGeoIndexing === true,
    transactions: settings.transactions ??
      (isGiven(settings.replicaSet) || /^mongodb\+srv:|[?&]replicaSet=/.test(url)),
    transactionTimeout: whole(30_000, 1, 'transactionTimeout'),
    operationTimeout: whole(30_000, 0, 'operationTimeout', 'statementTimeout'),
    lazyConnect: settings.lazyConnect === true,
    internalCollection
  }
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== ''

function text (settings: MongodbDataSourceSettings, key: string, refuse: Refuse): string | undefined {
  const value = settings[key]
  return !isGiven(value) ? undefined : typeof value === 'string' ? value : refuse(`"${key}" must be a text`)
}

/** The message of a bad URL does not repeat it: it may have a password. An empty one is none, as LoopBack has it. */
function urlOf (settings: MongodbDataSourceSettings, refuse: Refuse): string {
  const url = text(settings, 'url', refuse)
  if (url !== undefined) {
    return /^mongodb(?:\+srv)?:\/\/./.test(url) ? url : refuse('"url" must begin with mongodb:// or mongodb+srv://')
  }
  const host = text(settings, 'host', refuse) ?? text(settings, 'hostname', refuse) ?? 'localhost'
  const port = isGiven(settings.port) ? Number(settings.port) : 27017
  if (!Number.isInteger(port) || port < 1 || port > 65535) refuse('"port" must be a whole number from 1 to 65535')
  if (!/^[^/?#@\s]+$/.test(host)) refuse('"host" must be the name or address of a server')
  const hosts = host.includes(',') || /:\d+$/.test(host.replace(/^\[.*\]/, '')) ? host : `${host}:${port}`
  return `mongodb://${hosts}/${encodeURIComponent(text(settings, 'database', refuse) ?? '')}`
}

/** The user of the settings, unless the URL has one. */
function authOf (settings: MongodbDataSourceSettings, url: string, refuse: Refuse): MongoClientOptions {
  const username = text(settings, 'user', refuse) ?? text(settings, 'username', refuse)
  const password = text(settings, 'password', refuse)
  if (username === undefined || /^mongodb(?:\+srv)?:\/\/[^/]*@/.test(url)) return {}
  return { auth: { username, ...(password === undefined ? {} : { password }) } }
}
