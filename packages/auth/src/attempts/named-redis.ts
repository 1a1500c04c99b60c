/** The Redis of a data source, looked up when it is needed: data sources may come after the plugin. */
import type { ModelRegistry } from '@fastback/core'
import { InvalidOptionsError } from '../errors.js'
import type { RedisClient } from './redis-counter.js'

/**
 * A client that is the one of a data source.
 *
 * ```js
 * attemptsOf(registry).counter = new RedisCounter(new NamedRedis(registry, 'cache'))
 * ```
 */
export class NamedRedis implements RedisClient {
  constructor (readonly registry: ModelRegistry, readonly dataSource: string) {}

  /** @throws FBK_AUTH_INVALID_OPTIONS where there is no such data source, or it is not in Redis */
  get client (): RedisClient {
    const connector = this.registry.dataSources[this.dataSource]?.connector as { client?: RedisClient } | undefined
    if (connector === undefined || !('client' in connector)) {
      throw new InvalidOptionsError('the option "rateLimit.redis" must be a client, or the name of a Redis data source.')
    }
    return connector.client as RedisClient
  }

  async eval (script: string, keys: number, ...args: Array<string | number>): Promise<unknown> {
    return await this.client.eval(script, keys, ...args)
  }

  async set (key: string, value: string, unit: 'PX', time: number): Promise<unknown> {
    return await this.client.set(key, value, unit, time)
  }

  async exists (key: string): Promise<number> {
    return await this.client.exists(key)
  }

  async del (key: string): Promise<unknown> {
    return await this.client.del(key)
  }
}
