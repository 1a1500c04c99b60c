import { Type, type Static } from '@sinclair/typebox'
import { errors, type DataSourceSettings } from '@fastback/core'
import { optionsFault } from '@fastback/core/connector'

const text = Type.Optional(Type.String({ minLength: 1 }))

/** Settings of the provider `azure`, by their names in LoopBack (storage.md, ST-04). */
const Schema = Type.Object({
  storageAccount: text,
  storageAccessKey: text,
  /** Instead of both. */
  connectionString: text,
  /** Another address of the account. Default: `https://<storageAccount>.blob.core.windows.net`. */
  endpoint: Type.Optional(Type.String({ pattern: '^https?://' }))
})

/** How the account is reached: by a connection string, or by its address and key. */
export type AzureSettings =
  | { readonly connectionString: string }
  | { readonly account: string, readonly key: string, readonly endpoint: string }

/** @throws FBK_CORE_DATA_SOURCE_SETTINGS naming the setting */
export function azureSettings (settings: DataSourceSettings, dataSource: string): AzureSettings {
  const fault = optionsFault(Schema, settings, 'setting')
  if (fault !== undefined) throw new errors.DataSourceSettingsError(dataSource, fault)
  const { storageAccount: account, storageAccessKey: key, connectionString, endpoint } =
    settings as Static<typeof Schema>
  if (connectionString !== undefined) {
    if (account !== undefined || key !== undefined || endpoint !== undefined) {
      throw new errors.DataSourceSettingsError(
        dataSource, 'the setting "connectionString" takes the place of "storageAccount", "storageAccessKey" and "endpoint".'
      )
    }
    return { connectionString }
  }
  if (account === undefined || key === undefined) {
    throw new errors.DataSourceSettingsError(
      dataSource, 'the provider needs the settings "storageAccount" and "storageAccessKey", or a "connectionString".'
    )
  }
  return { account, key, endpoint: endpoint ?? `https://${account}.blob.core.windows.net` }
}
