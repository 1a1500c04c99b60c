/** The writes of a model as its hooks see them: the rows that each is about, before and after it. */
import type { CompiledModel } from '../interfaces/compiled-model.js'
import type { HookContext, Observer } from '../hooks.js'
import type { ModelClass } from '../interfaces/model-class.js'
import { whereIds } from '../operations/context.js'
import { aside } from '../operations/cost.js'
import { asInternal } from '../operations/origin.js'
import { rowsInStore } from '../operations/read.js'
import { PASSIVE } from '../operations/with-hooks.js'
import { whenCommitted } from '../operations/transaction.js'
import { rowId } from '../query/id.js'
import { WORK } from '../query/work.js'
import type { Row } from '../properties/types.js'
import type { Change } from './change.js'

export interface WriteListener {
  /** Whether rows are to be known as they were before a change. */
  compares (): boolean
  /**
   * A row was written, within its transaction.
   * @param was the row before, where it is known
   */
  changed (context: HookContext, type: Change['type'], row: Row, was?: Row): void
  /**
   * A write by a condition was committed, which began so many milliseconds ago.
   * @param isMore whether there are rows beyond the limit, of which nothing is said
   */
  wroteBulk (age: number, isMore: boolean): void
}

const passive = (observer: Observer): Observer => Object.assign(observer, { [PASSIVE]: true })

export class ObservedWrites {
  readonly #observers: Array<['after save' | 'before save' | 'before delete' | 'after delete', Observer]>
  readonly #bulkLimit: number
  readonly #listener: WriteListener
  #isObserving = false

  /** @param bulkLimit rows of a write by a condition that are looked at one by one */
  constructor (readonly Model: ModelClass, bulkLimit: number, listener: WriteListener) {
    this.#bulkLimit = bulkLimit
    this.#listener = listener
    this.#observers = [
      ['before save', context => this.#remember(context)],
      ['after save', passive(context => this.#saved(context))],
      ['before delete', context => this.#remember(context)],
      ['after delete', passive(context => this.#deleted(context))]
    ]
  }

  /** Observes, or stops: the observers of a model cost its operations something. */
  observe (isWanted: boolean): void {
    if (isWanted === this.#isObserving) return
    this.#isObserving = isWanted
    const { observers } = this.Model.state
    for (const [hook, observer] of this.#observers) {
      const others = (observers.get(hook) ?? []).filter(each => each !== observer)
      observers.set(hook, isWanted ? [...others, observer] : others)
    }
    this.Model.state.invalidate()
  }

  /** Before a change or a removal: the rows that it is about, as far as the write does not hold them itself. */
  async #remember (context: HookContext): Promise<void> {
    const { currentInstance, instance, where, isNewInstance } = context
    const model = this.#compiled
    if (currentInstance !== undefined) {
      if (this.#listener.compares()) {
        context.hookState.changing = [model.toPlain(currentInstance, { hidden: true, included: false })]
      }
      return
    }
    const rows = where ?? (this.#listener.compares() && isNewInstance !== true ? byIdOf(model, instance) : undefined)
    if (rows === undefined) return
    const given = aside(model, asInternal(context.options))
    const options = { ...given, [WORK]: given[WORK]?.beside, notify: false }
    if (where !== undefined) context.hookState.changingSince = performance.now()
    context.hookState.changing = await rowsInStore(model, rows, options, this.#bulkLimit + 1)
  }

  async #saved (context: HookContext): Promise<void> {
    const { instance } = context
    const model = this.#compiled
    const changing = changingIn(context)
    const isKeyed = model.key.length > 0
    this.#wroteBulk(context)
    if (instance !== undefined) {
      if (context.isNewInstance === true) return this.#listener.changed(context, 'create', instance)
      const id = isKeyed ? idText(model, instance) : undefined
      return this.#listener.changed(context, 'update', instance, changing.find(row => idText(model, row) === id))
    }
    if (!isKeyed || changing.length === 0) return
    const before = new Map(changing.map(row => [idText(model, row), row]))
    const where = whereIds(model, changing.map(row => rowId(model, row)))
    const { transaction } = context.options
    for (const row of await rowsInStore(model, where, transaction === undefined ? {} : { transaction })) {
      this.#listener.changed(context, 'update', row, before.get(idText(model, row)))
    }
  }

  #deleted (context: HookContext): void {
    this.#wroteBulk(context)
    for (const row of changingIn(context)) this.#listener.changed(context, 'remove', row)
  }

  /** After a write by a condition. Rows beyond the limit are not told one by one. */
  #wroteBulk (context: HookContext): void {
    const since = context.hookState.changingSince as number | undefined
    if (since === undefined) return
    const changing = changingIn(context)
    const isMore = changing.length > this.#bulkLimit
    if (isMore) changing.length = this.#bulkLimit
    whenCommitted(context, () => { this.#listener.wroteBulk(performance.now() - since, isMore) })
  }

  get #compiled (): CompiledModel {
    return this.Model.compiled
  }
}

const idText = (model: CompiledModel, row: Row): string => String(rowId(model, row))

const byIdOf = (model: CompiledModel, instance: Row | undefined): object | undefined => {
  const id = instance === undefined || model.key.length === 0 ? undefined : rowId(model, instance)
  return id === undefined || id === null ? undefined : whereIds(model, [id])
}

const changingIn = ({ hookState }: HookContext): Row[] => (hookState.changing as Row[] | undefined) ?? []
