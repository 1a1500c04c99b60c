/** What keeps operations apart that must not come between each other. */
import type { Id, StoredModel, StoreOptions } from '@fastback/core'
import type { Store } from './store.js'

interface Statement { sql: string, params: unknown[] }
type Build = (...args: unknown[]) => Statement

export class Locks {
  readonly #last = new Map<string, Promise<unknown>>()

  /** Runs work on a model after the work on it that came before, within this process. */
  async alone<T> (model: StoredModel, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(model.name) ?? Promise.resolve()
    const done = before.then(work, work)
    const settled = done.catch(() => {})
    this.#last.set(model.name, settled)
    try {
      return await done
    } finally {
      if (this.#last.get(model.name) === settled) this.#last.delete(model.name)
    }
  }

  /** Holds a row until the transaction ends, where statements of the connector can say so. */
  async lock (store: Store, model: StoredModel, id: Id, { transaction }: StoreOptions): Promise<void> {
    if (transaction === undefined || model.id === undefined || !store.traits.locks) return
    const { connector } = store
    const ask = (name: string, ...args: unknown[]): Statement => (connector[name] as Build).apply(connector, args)
    const where = ask('buildWhere', model.name, { [model.id.name]: id })
    where.sql = `SELECT 1 FROM ${String(ask('tableEscaped', model.name))} ${where.sql} FOR UPDATE`
    const { sql, params } = ask('parameterize', where)
    await store.callWith('execute', [sql, params, { transaction }])
  }
}
