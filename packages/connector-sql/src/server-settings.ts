/** Settings of data sources on a database server. */
import type { SqlDataSourceSettings } from './data-source-settings.js'

export interface ServerSettings {
  /** Undefined: the driver's default. For PostgreSQL also the folder of a socket. */
  readonly host: string | undefined
  readonly port: number | undefined
  readonly user: string | undefined
  readonly password: string | undefined
  readonly database: string | undefined
  readonly schema: string | undefined
  /** How the connections are called in the server's lists. */
  readonly applicationName: string
  /** Undefined: no TLS. */
  readonly ssl: object | undefined
  readonly poolSize: number
  /** Whether the settings say so; else it is the default. */
  readonly isPoolSizeSet: boolean
  /** Milliseconds. */
  readonly connectionTimeout: number
  readonly idleTimeout: number
  readonly statementTimeout: number
}

const poolSizeKeys = ['poolSize', 'max', 'connectionLimit'] as const

type Refuse = (why: string) => never

/**
 * Reads `url` or the separate settings, which win where both say something. Numbers may stand in the query of the URL
 * (`?poolSize=20`).
 */
export function readServerSettings (settings: SqlDataSourceSettings, refuse: Refuse): ServerSettings {
  const url = settings.url === undefined ? undefined : partsOf(settings.url, refuse)
  const given: Readonly<Record<string, unknown>> = {
    ...url,
    ...Object.fromEntries(
      Object.entries(settings).filter(([, value]) => value !== undefined && value !== null && value !== '')
    )
  }
  const text = (...keys: string[]): string | undefined => {
    const key = keys.find(key => given[key] !== undefined)
    const value = key === undefined ? undefined : given[key]
    return value === undefined || typeof value === 'string' ? value : refuse(`"${key}" must be a text`)
  }
  const whole = (least: number, fallback: number | undefined, ...keys: string[]): number => {
    const key = keys.find(key => given[key] !== undefined)
    const value = key === undefined ? fallback : Number(given[key])
    return value === undefined || (Number.isInteger(value) && value >= least && value < 2 ** 31)
      ? (value as number)
      : refuse(`"${key}" must be a whole number from ${least}`)
  }
  return {
    host: text('host', 'hostname'),
    port: whole(1, undefined, 'port') as number | undefined,
    user: text('user', 'username'),
    password: text('password'),
    database: text('database'),
    schema: text('schema'),
    applicationName: text('applicationName', 'application_name') ?? 'fastback',
    ssl: tlsOptions(given.ssl, given.sslmode, refuse),
    poolSize: whole(1, 10, ...poolSizeKeys) as number,
    isPoolSizeSet: poolSizeKeys.some(key => given[key] !== undefined),
    connectionTimeout: whole(1, 5000, 'connectionTimeout', 'connectionTimeoutMillis', 'connectTimeout'),
    idleTimeout: whole(0, 30_000, 'idleTimeout', 'idleTimeoutMillis'),
    statementTimeout: whole(0, 30_000, 'statementTimeout')
  }
}

/**
 * The parts of `postgres://user:password@host:port/database?schema=shop`. The message of a bad URL does not repeat it:
 * it may have a password.
 */
function partsOf (text: string, refuse: Refuse): Record<string, string> {
  let url: URL
  let parts: Array<readonly [string, string]>
  try {
    url = new URL(text)
    parts = [
      ['host', decodeURIComponent(url.hostname).replace(/^\[(.*)\]$/, '$1')],
      ['port', url.port],
      ['user', decodeURIComponent(url.username)],
      ['password', decodeURIComponent(url.password)],
      ['database', decodeURIComponent(url.pathname.slice(1))]
    ]
  } catch {
    return refuse(
      '"url" is no URL of the form postgres://user:password@host:port/database (special characters of a password are written as %40 and the like)'
    )
  }
  return Object.fromEntries([...parts, ...url.searchParams].filter(([, value]) => value !== ''))
}

/** `ssl` as Node's TLS options; `sslmode` as libpq has it, where `require` asks for no certificate. */
function tlsOptions (ssl: unknown, mode: unknown, refuse: Refuse): object | undefined {
  if (ssl !== null && typeof ssl === 'object') return ssl
  if (ssl === true || ssl === 'true') return {}
  if (ssl !== undefined && ssl !== false && ssl !== 'false') {
    return refuse('"ssl" must be true, false or the options of a TLS connection')
  }
  switch (mode) {
    case undefined: case 'disable': case 'allow': case 'prefer': return undefined
    case 'require': case 'no-verify': return { rejectUnauthorized: false }
    case 'verify-ca': case 'verify-full': return {}
    default: return refuse('"sslmode" must be disable, require or verify-full')
  }
}
