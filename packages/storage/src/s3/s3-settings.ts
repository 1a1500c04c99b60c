import type { S3ClientConfig } from '@aws-sdk/client-s3'
import { Type, type Static } from '@sinclair/typebox'
import { errors, type DataSourceSettings } from '@fastback/core'
import { optionsFault } from '@fastback/core/connector'

const text = Type.Optional(Type.String({ minLength: 1 }))

/** Settings of the provider `amazon`, by their names in LoopBack (storage.md, ST-04). */
const Schema = Type.Object({
  /** The secret key; with `keyId`. Without both the SDK looks where it always does (environment, profile, role). */
  key: text,
  keyId: text,
  region: text,
  endpoint: text,
  protocol: Type.Optional(Type.Union([Type.Literal('https://'), Type.Literal('http://'), Type.Literal('https'), Type.Literal('http')])),
  forcePathBucket: Type.Optional(Type.Boolean()),
  sslEnabled: Type.Optional(Type.Boolean())
})

export interface S3Settings { readonly client: S3ClientConfig }

/** @throws FBK_CORE_DATA_SOURCE_SETTINGS naming the setting */
export function s3Settings (settings: DataSourceSettings, dataSource: string): S3Settings {
  const fault = optionsFault(Schema, settings, 'setting')
  if (fault !== undefined) throw new errors.DataSourceSettingsError(dataSource, fault)
  const { key, keyId, region, endpoint, protocol, forcePathBucket, sslEnabled } = settings as Static<typeof Schema>
  if ((key === undefined) !== (keyId === undefined)) {
    throw new errors.DataSourceSettingsError(dataSource, 'the settings "key" and "keyId" belong together.')
  }
  return {
    client: {
      region: region ?? 'us-east-1',
      ...(endpoint === undefined ? {} : { endpoint: addressOf(endpoint, protocol, sslEnabled) }),
      ...(key === undefined || keyId === undefined
        ? {}
        : { credentials: { accessKeyId: keyId, secretAccessKey: key } }),
      forcePathStyle: forcePathBucket ?? endpoint !== undefined
    }
  }
}

/** An endpoint may be written without its protocol. */
function addressOf (endpoint: string, protocol: string | undefined, sslEnabled: boolean | undefined): string {
  if (/^https?:\/\//.test(endpoint)) return endpoint
  const isPlain = sslEnabled === false || protocol?.startsWith('http:') === true || protocol === 'http'
  return `${isPlain ? 'http' : 'https'}://${endpoint}`
}
