/** Values by key in Redis: one Redis key each, `<prefix><model>:<key>`, its value JSON. */
import type { KeyValueSupport, StoredModel } from '@fastback/core'
import { compileGlob } from '@fastback/core/connector'
import type { Redis } from 'ioredis'

/** Keys that one step of a scan looks at. */
const scanCount = 1000

export class RedisKeyValue implements KeyValueSupport {
  constructor (readonly redis: () => Redis, readonly prefix: string) {}

  /** A model's name cannot hold the colon that ends it, so that no two models share a key. */
  #root (model: StoredModel): string {
    return `${this.prefix}${encodeURIComponent(model.name)}:`
  }

  async get (model: StoredModel, key: string): Promise<unknown> {
    const text = await this.redis().get(this.#root(model) + key)
    return text === null ? undefined : JSON.parse(text)
  }

  async set (model: StoredModel, key: string, value: unknown, ttl: number | undefined): Promise<void> {
    const text = JSON.stringify(value)
    if (ttl === undefined) await this.redis().set(this.#root(model) + key, text)
    else await this.redis().set(this.#root(model) + key, text, 'PX', ttl)
  }

  async ttl (model: StoredModel, key: string): Promise<number | null | undefined> {
    const left = await this.redis().pttl(this.#root(model) + key)
    return left === -2 ? undefined : left === -1 ? null : left
  }

  async expire (model: StoredModel, key: string, ttl: number): Promise<boolean> {
    return await this.redis().pexpire(this.#root(model) + key, ttl) === 1
  }

  async delete (model: StoredModel, key: string): Promise<boolean> {
    return await this.redis().unlink(this.#root(model) + key) === 1
  }

  async deleteAll (model: StoredModel): Promise<void> {
    for await (const keys of this.#scan(this.#root(model))) if (keys.length > 0) await this.redis().unlink(...keys)
  }

  /**
   * Redis gets what stands before the first wildcard; the rest of the pattern is matched here, in linear time, which
   * the globs of older servers are not. A scan may give a key twice.
   */
  async * keys (model: StoredModel, match: string | undefined): AsyncGenerator<string> {
    const root = this.#root(model)
    const matches = match === undefined ? () => true : compileGlob(match)
    const given = new Set<string>()
    for await (const keys of this.#scan(root + (match === undefined ? '' : /^[^*?]*/.exec(match)?.[0] ?? ''))) {
      for (const found of keys) {
        const key = found.slice(root.length)
        if (given.has(key) || !matches(key)) continue
        given.add(key)
        yield key
      }
    }
  }

  async * #scan (start: string): AsyncGenerator<string[]> {
    const pattern = `${start.replace(/[\\*?[\]]/g, '\\$&')}*`
    let cursor = '0'
    do {
      const [next, keys] = await this.redis().scan(cursor, 'MATCH', pattern, 'COUNT', scanCount)
      cursor = next
      yield keys
    } while (cursor !== '0')
  }
}
