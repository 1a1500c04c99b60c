/** Values by key in a legacy connector (`kv-*`): `get`, `set`, `expire`, `ttl`, `iterateKeys` or `keys`, `delete`. */
import type { KeyValueSupport, StoredModel } from '@fastback/core'
import { compileGlob } from '@fastback/core/connector'
import { isNotFound } from './failures.js'
import type { Store } from './store.js'

interface Keys { next (callback: (error: unknown, key?: string) => void): unknown }

/** Whether a connector keeps values by key. */
export const keepsValues = (store: Store): boolean =>
  ['get', 'set', 'ttl', 'expire'].every(method => store.has(method)) && (store.has('iterateKeys') || store.has('keys'))

/** Globs that every store reads as we do; to some, `?` is one byte. */
const commonGlob = /^[\w:.*-]*$/

export class LegacyKeyValue implements KeyValueSupport {
  constructor (readonly store: Store) {}

  async get (model: StoredModel, key: string): Promise<unknown> {
    const value = await this.#call(model, 'get', [key]) ?? undefined
    // LoopBack's connectors call back with null for a key that is not there, and for a null that is.
    return value === undefined && await this.ttl(model, key) !== undefined ? null : value
  }

  async set (model: StoredModel, key: string, value: unknown, ttl: number | undefined): Promise<void> {
    await this.store.callWith('set', [model.name, key, value, ttl === undefined ? {} : { ttl }])
  }

  async ttl (model: StoredModel, key: string): Promise<number | null | undefined> {
    const [is, left] = await this.#unlessGone(() => this.#call(model, 'ttl', [key]))
    return is ? (left as number | undefined) ?? null : undefined
  }

  async expire (model: StoredModel, key: string, ttl: number): Promise<boolean> {
    const [is] = await this.#unlessGone(() => this.#call(model, 'expire', [key, ttl]))
    return is
  }

  async delete (model: StoredModel, key: string): Promise<boolean> {
    const isThere = await this.get(model, key) !== undefined
    if (isThere) await this.#unlessGone(() => this.#call(model, 'delete', [key]))
    return isThere
  }

  async deleteAll (model: StoredModel): Promise<void> {
    const found: string[] = []
    for await (const key of this.keys(model, undefined)) found.push(key)
    for (const key of found) await this.#call(model, 'delete', [key])
  }

  async * keys (model: StoredModel, match: string | undefined): AsyncGenerator<string> {
    const matches = match === undefined ? () => true : compileGlob(match)
    const filter = match !== undefined && commonGlob.test(match) ? { match } : {}
    const given = new Set<string>()
    for await (const key of this.#all(model, filter)) {
      if (given.has(key) || !matches(key)) continue
      given.add(key)
      yield key
    }
  }

  async * #all (model: StoredModel, filter: object): AsyncGenerator<string> {
    if (!this.store.has('iterateKeys')) {
      yield * await this.#call(model, 'keys', [filter]) as string[]
      return
    }
    const { connector } = this.store
    const keys = (connector.iterateKeys as (...args: unknown[]) => Keys).call(connector, model.name, filter, {})
    while (true) {
      const key = await new Promise<string | undefined>((resolve, reject) => {
        keys.next((error, key) => { if (error !== null && error !== undefined) reject(error); else resolve(key) })
      })
      if (key === undefined || key === null) return
      yield key
    }
  }

  async #call (model: StoredModel, method: string, values: readonly unknown[]): Promise<unknown> {
    return await this.store.call(model, method, [model.name, ...values], {})
  }

  async #unlessGone (ask: () => Promise<unknown>): Promise<[isThere: boolean, result: unknown]> {
    try {
      return [true, await ask()]
    } catch (error) {
      if (isNotFound(error)) return [false, undefined]
      throw error
    }
  }
}
