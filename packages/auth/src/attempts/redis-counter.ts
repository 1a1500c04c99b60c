/** Counts that several processes share. */
import type { AttemptCounter, Count, Limit } from './counter.js'

/** As much of an `ioredis` client as is used. */
export interface RedisClient {
  eval(script: string, keys: number, ...args: Array<string | number>): Promise<unknown>
  set(key: string, value: string, unit: 'PX', time: number): Promise<unknown>
  exists(key: string): Promise<number>
  del(key: string): Promise<unknown>
}

/**
 * One step on the server: 1 or 0 for allowed or not, and the milliseconds that are left. A key without an end (somebody
 * else's) gets one.
 */
const look = `
local count = tonumber(redis.call('GET', KEYS[1]) or '0')
local left = redis.call('PTTL', KEYS[1])
if count >= tonumber(ARGV[1]) and left ~= 0 then
  if left < 0 then redis.call('PEXPIRE', KEYS[1], ARGV[2]) left = tonumber(ARGV[2]) end
  return {0, left}
end`

const take = `${look}
redis.call('INCR', KEYS[1])
if left < 1 then redis.call('PEXPIRE', KEYS[1], ARGV[2]) left = tonumber(ARGV[2]) end
return {1, left}`

const giveBack = "if tonumber(redis.call('GET', KEYS[1]) or '0') > 0 then return redis.call('DECR', KEYS[1]) end"

const prefix = 'fastback-attempts-'

export class RedisCounter implements AttemptCounter {
  constructor (readonly redis: RedisClient) {}

  async take (key: string, limit: Limit): Promise<Count> {
    return await this.#run(take, key, limit)
  }

  async look (key: string, limit: Limit): Promise<Count> {
    return await this.#run(`${look}\nreturn {1, left}`, key, limit)
  }

  async #run (script: string, key: string, { max, timeWindow }: Limit): Promise<Count> {
    const [allowed, left] = (await this.redis.eval(script, 1, prefix + key, max, timeWindow)) as [number, number]
    return { allowed: allowed === 1, until: Date.now() + left }
  }

  async giveBack (key: string): Promise<void> {
    await this.redis.eval(giveBack, 1, prefix + key)
  }

  async clear (key: string): Promise<void> {
    await this.redis.del(prefix + key)
  }

  async mark (key: string, time: number): Promise<void> {
    await this.redis.set(prefix + key, '1', 'PX', time)
  }

  async isMarked (key: string): Promise<boolean> {
    return (await this.redis.exists(prefix + key)) === 1
  }
}
