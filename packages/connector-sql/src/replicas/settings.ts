/** Settings of a data source's replicas. */
import { readServerSettings, type ServerSettings } from '../server-settings.js'
import type { SqlDataSourceSettings } from '../data-source-settings.js'

export interface ReplicaSettings {
  readonly servers: readonly ServerSettings[]
  /** Milliseconds for which a replica that failed is left out. */
  readonly retry: number
  /** Milliseconds that a read of a session that wrote waits until a replica has that. */
  readonly wait: number
  /** Milliseconds for which a session that wrote reads from the primary; undefined: positions tell, where there are. */
  readonly primaryAfterWrite: number | undefined
}

/** What says where a server is. A replica's URL says all of it. */
const place = ['url', 'host', 'hostname', 'port', 'user', 'username', 'password', 'database', 'schema']

/** The data source's own settings are those of its replicas as well, where these say nothing else. */
export function readReplicaSettings (
  settings: SqlDataSourceSettings, refuse: (why: string) => never
): ReplicaSettings | undefined {
  const { replicas, replicaRetry, replicaWait, primaryAfterWrite, ...own } = settings
  if (replicas === undefined || replicas === null) return undefined
  if (!Array.isArray(replicas)) return refuse('"replicas" must be a list of URLs or settings')
  const elsewhere = Object.fromEntries(Object.entries(own).filter(([key]) => !place.includes(key)))
  const serverOf = (given: unknown, index: number): ServerSettings => {
    const why = (text: string): never => refuse(`"replicas[${index}]": ${text}`)
    if (typeof given === 'string') return readServerSettings({ ...elsewhere, url: given } as SqlDataSourceSettings, why)
    if (given === null || typeof given !== 'object') return why('must be a URL or settings')
    const base = 'url' in given ? elsewhere : own
    return readServerSettings({ ...base, ...given } as SqlDataSourceSettings, why)
  }
  const milliseconds = (key: string, value: number): number =>
    Number.isInteger(value) && value >= 0 && value < 2 ** 31 ? value : refuse(`"${key}" must be a whole number from 0`)
  const servers = replicas.map(serverOf)
  if (servers.length === 0) return undefined
  return {
    servers,
    retry: milliseconds('replicaRetry', replicaRetry ?? 5000),
    wait: milliseconds('replicaWait', replicaWait ?? 100),
    primaryAfterWrite: primaryAfterWrite === undefined ? undefined : milliseconds('primaryAfterWrite', primaryAfterWrite)
  }
}
