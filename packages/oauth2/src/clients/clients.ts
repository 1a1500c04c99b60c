/** Finds client applications. */
import { RecentCache } from '@fastback/auth/service'
import type { MaybePromise, ModelClass, Row } from '@fastback/core'
import { chain } from '@fastback/core/connector'
import { findRowById, forgetOnChange } from '@fastback/core/remote'
import { clientOf, withoutSecrets, type Client } from './client.js'

const quiet = { notify: false }

export class Clients {
  readonly #recent = new RecentCache<Readonly<Row>>({ size: 10_000, ttl: 1000 })

  constructor (readonly Model: ModelClass) {
    forgetOnChange(Model, ['after save', 'after delete'], () => { this.#recent.clear() })
  }

  /** The client as it is stored now; undefined for one that is not there, or is disabled. */
  find (id: string): MaybePromise<Client | undefined> {
    const { compiled } = this.Model
    return chain(findRowById(compiled, id, undefined, quiet), row =>
      row === undefined || row.status === 'disabled' ? undefined : clientOf(row, compiled.id?.name ?? 'id'))
  }

  /** The client as it was within the last second, without its secrets: for requests that carry a token. */
  recent (id: string): MaybePromise<Readonly<Row> | undefined> {
    return this.#recent.getOr(id, () =>
      // Several requests get the same.
      chain(this.find(id), client => (client === undefined ? undefined : Object.freeze(withoutSecrets(client))))
    )
  }
}
