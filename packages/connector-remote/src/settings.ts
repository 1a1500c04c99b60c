/** Settings of the data source (service-connectors.md, RM-1). */
import type { DataSourceSettings } from '@fastback/core'
import { withoutEndSlashes } from '@fastback/core/remote'
import { readClientSettings, type ServiceClientSettings } from '@fastback/service-client'
import { RemoteSettingsError } from './errors.js'

/** How this application says who it is. */
export interface RemoteAuth {
  readonly username?: string
  readonly password?: string
  /** A token that is sent as `Authorization: Bearer …`. */
  readonly bearer?: string
  /** A token of the other application, sent as it is. */
  readonly accessToken?: string | { readonly id: string }
}

export interface RemoteSettings {
  /** Where the routes of the models begin, without a slash at the end. */
  readonly url: string
  readonly auth: RemoteAuth | undefined
  /** Whether the token of the caller goes along (RM-5). */
  readonly forwardToken: boolean
  readonly client: ServiceClientSettings
}

interface Written {
  readonly url?: unknown
  readonly protocol?: unknown
  readonly host?: unknown
  readonly port?: unknown
  readonly root?: unknown
  readonly adapter?: unknown
  readonly forwardToken?: unknown
  readonly options?: { readonly auth?: RemoteAuth }
}

/** @throws FBK_REMOTE_SETTINGS, FBK_CORE_DATA_SOURCE_SETTINGS */
export function readSettings (settings: DataSourceSettings, dataSource: string): RemoteSettings {
  const { options, adapter = 'rest', forwardToken = false, ...rest } = settings as DataSourceSettings & Written
  if (adapter !== 'rest') {
    throw new RemoteSettingsError(dataSource, `"adapter" must be "rest", and is ${JSON.stringify(adapter)}`)
  }
  if (typeof forwardToken !== 'boolean') throw new RemoteSettingsError(dataSource, '"forwardToken" must be true or false')
  return {
    url: addressOf(rest, dataSource),
    auth: options?.auth,
    forwardToken,
    client: readClientSettings(rest, dataSource)
  }
}

function addressOf (
  { url, protocol = 'http', host = 'localhost', port = 3000, root = '' }: Written, dataSource: string
): string {
  const text = url === undefined || url === ''
    ? `${String(protocol).replace(/:$/, '')}://${String(host)}:${String(port)}${rooted(String(root))}`
    : String(url)
  const address = URL.canParse(text) ? new URL(text) : undefined
  if (address === undefined || !['http:', 'https:'].includes(address.protocol)) {
    throw new RemoteSettingsError(
      dataSource,
      `"url" must be the address of the other application's REST API, such as "https://hall.example/api", and is ${JSON.stringify(text)}`
    )
  }
  if (address.search !== '' || address.hash !== '') {
    throw new RemoteSettingsError(dataSource, '"url" must be an address without "?" and "#"')
  }
  return withoutEndSlashes(text)
}

const rooted = (root: string): string => root === '' || root.startsWith('/') ? root : `/${root}`
