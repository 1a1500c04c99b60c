/** The legacy connector of one data source, called as it can be called. */
import type { Row, StoredModel, StoreOptions } from '@fastback/core'
import { call, callWith, methodOf, takesOptions } from './call.js'
import { failure } from './failures.js'
import type { LegacyConnector } from './legacy/connector.js'
import type { LegacyDataSource } from './legacy/data-source.js'
import type { Opening } from './opening.js'
import { type Traits, traitsOf } from './traits.js'
import { mustBeOpen } from './transactions.js'

export class Store {
  #traits: Traits | undefined

  constructor (readonly opening: Opening, readonly dataSource: LegacyDataSource) {}

  get connector (): LegacyConnector {
    return this.opening.connector
  }

  get traits (): Traits {
    return (this.#traits ??= traitsOf(this.dataSource))
  }

  has (method: string): boolean {
    const { complete } = this.dataSource
    return complete !== undefined && methodOf(complete, method) !== undefined
  }

  /** Whether there is such a method, and it takes options: those that keep to conditions do. */
  trusts (method: string, values: number): boolean {
    const { complete } = this.dataSource
    return this.traits.filters && complete !== undefined && takesOptions(complete, method, values)
  }

  /**
   * Calls a method.
   * @param row what it writes, for the message where a unique index refuses it
   * @throws FBK_CONNECTOR_TRANSACTION_ENDED; what the store reports, in our terms (`failures.ts`)
   */
  async call (
    model: StoredModel, method: string, values: readonly unknown[], { transaction }: StoreOptions, row?: Row
  ): Promise<unknown> {
    mustBeOpen(transaction)
    try {
      return await call(this.connector, method, values, transaction === undefined ? {} : { transaction })
    } catch (error) {
      throw failure(model, error, row)
    }
  }

  /** Calls a method that has no options and belongs to no model. */
  async callWith (method: string, values: readonly unknown[]): Promise<unknown> {
    try {
      return await callWith(this.connector, method, values)
    } catch (error) {
      throw failure(undefined, error)
    }
  }
}
