/** Carries the bus by a stream of Redis: what was missed while a connection was lost is read from it. */
import { Redis } from 'ioredis'
import type { DataSourceSettings } from '@fastback/core'
import {
  BusSettingsError,
  type BusContext,
  type BusDriver,
  type BusDriverFactory,
  type BusLink
} from '@fastback/core/bus'
import { RedisConnector } from './redis-connector.js'
import { readSettings, type RedisSettings } from './settings.js'

/** Messages that a stream keeps, at least. */
const kept = 10_000
/** Messages that are read at once. */
const batch = 500
/** Milliseconds that the server waits for a message, and that a response may take. */
const wait = 4000
const answerTime = 10_000
/** Seconds that a stream is kept which nobody writes. */
const life = 86_400

/**
 * Adds messages in one step, each with the number after the last one; gives the last number. A stream begins by the
 * server's clock: one that was lost and began anew is seen to have.
 */
const add = `
local last = redis.call('GET', KEYS[2])
if not last then
  local now = redis.call('TIME')
  last = string.format('%.0f', now[1] * 1000000 + now[2])
end
for i = 2, #ARGV do
  last = string.format('%.0f', tonumber(last) + 1)
  redis.call('XADD', KEYS[1], 'MAXLEN', '~', ARGV[1], last .. '-0', 'm', ARGV[i])
end
redis.call('SET', KEYS[2], last, 'EX', ${life})
redis.call('EXPIRE', KEYS[1], ${life})
return last`

type Entries = ReadonlyArray<readonly [id: string, fields: readonly string[]]>

class RedisBus implements BusDriver {
  readonly #stream: string
  readonly #counter: string
  #clients: { readonly writer: Redis, readonly reader: Redis } | undefined
  #last: number | undefined

  constructor (readonly settings: RedisSettings, namespace: string) {
    // One slot of a cluster.
    this.#stream = `${settings.prefix ?? ''}{fastback-bus:${encodeURIComponent(namespace)}}`
    this.#counter = `${this.#stream}:last`
  }

  async connect (link: BusLink): Promise<boolean> {
    await this.close()
    const clients = { writer: this.#client(), reader: this.#client() }
    this.#clients = clients
    const isCurrent = (): boolean => this.#clients === clients
    for (const client of Object.values(clients)) {
      client.on('error', () => {})
      client.on('close', () => { if (isCurrent()) link.lost(new Error('Redis closed the connection')) })
    }
    await Promise.all(Object.values(clients).map(client => client.connect()))
    const last = await this.#add(clients.writer, [])
    if (this.#last !== undefined && last < this.#last) this.#last = undefined
    const isWhole = this.#last !== undefined
    this.#last ??= last
    this.#read(clients.reader, link, isCurrent).catch(error => { if (isCurrent()) link.lost(error) })
    return isWhole
  }

  /** Whoever lost a connection makes new ones: the bus says when. */
  #client (): Redis {
    const { url, prefix: _prefix, ...rest } = this.settings
    const options = {
      ...rest,
      lazyConnect: true,
      enableOfflineQueue: false,
      retryStrategy: () => null,
      commandTimeout: answerTime
    }
    return url === undefined ? new Redis(options) : new Redis(url, options)
  }

  async send (texts: readonly string[]): Promise<void> {
    if (this.#clients === undefined) throw new Error('not connected')
    await this.#add(this.#clients.writer, texts)
  }

  async #add (writer: Redis, texts: readonly string[]): Promise<number> {
    return Number(await writer.eval(add, 2, this.#stream, this.#counter, kept, ...texts))
  }

  async #read (reader: Redis, link: BusLink, isCurrent: () => boolean): Promise<void> {
    while (isCurrent()) {
      const answer = await reader.xread(
        'COUNT', batch, 'BLOCK', wait, 'STREAMS', this.#stream, `${this.#last as number}-0`
      ) as ReadonlyArray<readonly [string, Entries]> | null
      if (!isCurrent()) return
      for (const [id, [, text = '']] of answer?.[0]?.[1] ?? []) {
        const number = Number.parseInt(id)
        if (number !== (this.#last as number) + 1) link.gap()
        this.#last = number
        link.receive(text)
      }
    }
  }

  async close (): Promise<void> {
    const clients = this.#clients
    this.#clients = undefined
    clients?.reader.disconnect()
    clients?.writer.disconnect()
  }
}

/**
 * The bus in Redis: `"bus": { "redis": "redis://localhost:6379" }`. Nothing is missing after a lost connection, unless
 * more than 10,000 messages came meanwhile.
 *
 * ```js
 * registry.busDrivers.set('redis', redisBus)
 * ```
 * @param setting a URL, the name of a Redis data source, or the settings of one
 * @throws FBK_CORE_BUS_SETTINGS; FBK_CORE_DATA_SOURCE_SETTINGS for settings of Redis that cannot be
 */
export const redisBus: BusDriverFactory = (setting, context) =>
  new RedisBus(settingsOf(setting, context), context.namespace)

function settingsOf (setting: unknown, context: BusContext): RedisSettings {
  if (typeof setting === 'string' && !setting.includes('://')) {
    const connector = context.connector(setting)
    if (connector instanceof RedisConnector) return connector.settings
    throw new BusSettingsError(`"redis" names "${setting}", which is no data source in Redis.`)
  }
  if (typeof setting === 'string') return readSettings({ connector: 'redis', url: setting }, 'bus')
  if (setting !== null && typeof setting === 'object' && !Array.isArray(setting)) {
    return readSettings({ connector: 'redis', ...setting } as DataSourceSettings, 'bus')
  }
  throw new BusSettingsError('"redis" must be a URL, a data source or settings.')
}
