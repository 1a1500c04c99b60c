/** Takes back what was written, in stores that have no transactions. */
import type { Id } from '../../data-source/connector.js'
import type { CompiledModel } from '../../interfaces/compiled-model.js'
import { storeOptions } from '../../operations/context.js'
import type { Row } from '../../properties/types.js'
import { idCondition, rowId } from '../../query/id.js'

/**
 * The steps that lead back, the last write first. Hooks do not run again, and what deletes took along (`onDelete`) is
 * not brought back: a store with transactions is what makes several writes one.
 */
export class Undo {
  readonly #steps: Array<() => unknown> = []
  readonly #isNeeded: boolean

  constructor (model: CompiledModel) {
    this.#isNeeded = model.connector.transactions === undefined
  }

  created (model: CompiledModel, row: Row): void {
    if (!this.#isNeeded) return
    const where = idCondition(model, rowId(model, row) as Id)
    this.#steps.push(() => model.connector.deleteAll(model, where, storeOptions(model, {})))
  }

  changed (model: CompiledModel, before: Row): void {
    if (!this.#isNeeded) return
    const row = model.coerce(before, () => {})
    this.#steps.push(() => model.connector.replaceById(model, rowId(model, row) as Id, row, storeOptions(model, {})))
  }

  removed (model: CompiledModel, before: Row): void {
    if (!this.#isNeeded) return
    const row = model.coerce(before, () => {})
    this.#steps.push(() => model.connector.create(model, row, storeOptions(model, {})))
  }

  /** A link between two rows that is gone. */
  parted (joinAgain: () => unknown): void {
    if (this.#isNeeded) this.#steps.push(joinAgain)
  }

  /** Takes everything back that can be. */
  async run (): Promise<void> {
    for (const step of this.#steps.splice(0).reverse()) {
      // The error that came first is what matters.
      try { await step() } catch {}
    }
  }
}
