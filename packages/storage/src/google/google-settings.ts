import type { StorageOptions as ClientOptions } from '@google-cloud/storage'
import { Type, type Static } from '@sinclair/typebox'
import { errors, type DataSourceSettings } from '@fastback/core'
import { optionsFault } from '@fastback/core/connector'
import { withoutEndSlashes } from '@fastback/core/remote'

const text = Type.Optional(Type.String({ minLength: 1 }))

/** Settings of the provider `google`, by their names in LoopBack (storage.md, ST-04). */
const Schema = Type.Object({
  projectId: text,
  /** A file with the key of a service account. Without it and `credentials` the client looks where it always does. */
  keyFilename: text,
  credentials: Type.Optional(Type.Object({
    client_email: Type.String({ minLength: 1 }),
    private_key: Type.String({ minLength: 1 })
  })),
  /** Another address of the JSON API. One with `http:` is an emulator, and gets no credentials. */
  endpoint: Type.Optional(Type.String({ pattern: '^https?://' }))
})

/**
 * What the client of Google is made with.
 * @throws FBK_CORE_DATA_SOURCE_SETTINGS naming the setting
 */
export function googleSettings (settings: DataSourceSettings, dataSource: string): ClientOptions {
  const fault = optionsFault(Schema, settings, 'setting')
  if (fault !== undefined) throw new errors.DataSourceSettingsError(dataSource, fault)
  const { projectId, keyFilename, credentials, endpoint } = settings as Static<typeof Schema>
  if (keyFilename !== undefined && credentials !== undefined) {
    throw new errors.DataSourceSettingsError(dataSource, 'of the settings "keyFilename" and "credentials" one is needed, not both.')
  }
  return {
    ...(projectId === undefined ? {} : { projectId }),
    ...(keyFilename === undefined ? {} : { keyFilename }),
    ...(credentials === undefined ? {} : { credentials }),
    ...(endpoint === undefined
      ? {}
      : { apiEndpoint: withoutEndSlashes(endpoint), useAuthWithCustomEndpoint: endpoint.startsWith('https:') })
  }
}
