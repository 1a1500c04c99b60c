/** Connections to the Redis server of BullMQ. */
import type { Redis, RedisOptions } from 'ioredis'
import { EngineUnavailableError } from '../../errors.js'
import type { EventsLog } from '../../events-context.js'

/** How often a command of a request is tried again while the server is not reachable. */
const retries = 2
const connectTimeout = 10_000
const longestWait = 2000

export type RedisClass = new (url: string, options: RedisOptions) => Redis

/**
 * Connects. Once connected, a client connects again by itself when the server was away.
 * @param isPatient whether its commands wait for the server; those of requests fail after a while
 * @throws FBK_EVENTS_ENGINE_UNAVAILABLE, without the URL, which may have a password
 */
export async function connectRedis (
  RedisClient: RedisClass, url: string, isPatient: boolean, log: EventsLog
): Promise<Redis> {
  const client = new RedisClient(url, {
    lazyConnect: true,
    connectTimeout,
    maxRetriesPerRequest: isPatient ? null : retries,
    retryStrategy: times => Math.min(times * 100, longestWait)
  })
  let reason: Error | undefined
  let isConnected = false
  client.on('error', (err: Error) => {
    if (isConnected && reason === undefined) log.warn({ err }, 'the connection to Redis failed; trying again')
    reason = err
  })
  client.on('ready', () => { reason = undefined })
  try {
    await client.connect()
  } catch (error) {
    client.disconnect()
    throw new EngineUnavailableError('bullmq', `Redis cannot be reached (${(reason ?? error as Error).message}).`)
  }
  isConnected = true
  return client
}

/** What is on its way is finished, unless the server is away. */
export async function disconnectRedis (client: Redis | undefined): Promise<void> {
  if (client === undefined) return
  if (client.status === 'ready') await client.quit().catch(() => {})
  client.disconnect()
}
