/** What `onDelete` of relations says, done by the core: it holds in every store, with constraints and without. */
import type { Condition, ConditionValue } from '../query/ast.js'
import type { CompiledModel } from '../interfaces/compiled-model.js'
import type { ModelClass } from '../interfaces/model-class.js'
import type { OperationOptions } from '../interfaces/operation-options.js'
import type { Reference } from '../interfaces/relation.js'
import { stillReferredTo } from '../errors.js'
import type { Row } from '../properties/types.js'
import { shownId } from '../query/id.js'
import { parseWhere } from '../query/parse.js'
import { internalOptions, Operation, storeOptions, whereIds } from './context.js'
import { ofDeletion } from './deletions.js'
import { keysPerQuery } from './keys-per-query.js'
import { deleteRules } from './references.js'

/** Rows that go, and what is done with those that lead to them. */
class Following {
  readonly #tests: Array<() => Promise<void>> = []
  readonly #steps: Array<() => Promise<void>> = []
  /** Texts of the ids of rows that go, by model. */
  readonly #going = new Map<string, Set<string>>()

  constructor (readonly root: CompiledModel, readonly options: OperationOptions) {}

  /** Nothing is changed before all tests have passed: not every store has transactions. */
  async run (condition: Condition | undefined): Promise<void> {
    await this.#gather(this.root, condition)
    for (const test of this.#tests) await test()
    for (const step of this.#steps) await step()
  }

  /** Takes down the rows of a condition, and follows the keys that lead to them. Gives those that are new. */
  async #gather (model: CompiledModel, condition: Condition | undefined): Promise<Row[]> {
    const rules = deleteRules(model.Model.registry, model.name) ?? []
    const names = new Set([...model.key.map(({ name }) => name), ...rules.map(({ targetProperty }) => targetProperty)])
    const going = this.#goingOf(model)
    const rows = (await this.#find(model, condition, [...names])).filter(row => {
      const id = String(shownId(model, row))
      const isNew = model.key.length === 0 || !going.has(id)
      going.add(id)
      return isNew
    })
    for (const rule of rules) {
      for (const keys of this.#keysOf(rows, rule.targetProperty, model)) await this.#follow(rule, keys)
    }
    return rows
  }

  async #follow (rule: Reference, keys: readonly unknown[]): Promise<void> {
    const holder = this.#compiled(rule.holder)
    const where = { [rule.property]: { inq: keys }, ...rule.only }
    const condition = this.#read(holder, where)
    if (rule.onDelete === 'restrict') this.#tests.push(() => this.#refuse(holder, condition, rule))
    else if (rule.onDelete === 'setNull') this.#steps.push(() => this.#clear(holder, where, condition, rule.property))
    else {
      const rows = await this.#gather(holder, condition)
      if (rows.length === 0) return
      const ids = rows.map(row => shownId(holder, row))
      this.#steps.push(() => this.#delete(holder, holder.key.length === 0 ? where : whereIds(holder, ids)))
    }
  }

  /** @throws RequestError 409 FOREIGN_KEY for rows that lead there and do not go themselves */
  async #refuse (holder: CompiledModel, condition: Condition | undefined, { target }: Reference): Promise<void> {
    const going = this.#goingOf(holder)
    const staying = going.size === 0 || holder.key.length === 0
      ? await holder.connector.count(holder, condition, this.#store(holder))
      : (await this.#find(holder, condition, holder.key.map(({ name }) => name)))
          .filter(row => !going.has(String(shownId(holder, row)))).length
    if (staying > 0) throw stillReferredTo(target.modelName, holder.name)
  }

  async #clear (holder: CompiledModel, where: Row, condition: Condition | undefined, property: string): Promise<void> {
    const operation = new Operation(holder, this.#optionsFor(holder))
    const data = { [property]: null }
    await operation.notify(holder.hooks['before save'], { where, data })
    const count = await holder.connector.updateAll(holder, condition, data, this.#store(holder))
    await operation.notify(holder.hooks['after save'], { where, data, info: { count } })
  }

  async #delete (holder: CompiledModel, where: Record<string, unknown>): Promise<void> {
    const operation = new Operation(holder, this.#optionsFor(holder))
    await operation.notify(holder.hooks['before delete'], { where })
    const count = await holder.connector.deleteAll(
      holder, this.#read(holder, where), ofDeletion(holder, this.#store(holder), this.options)
    )
    await operation.notify(holder.hooks['after delete'], { where, info: { count } })
  }

  #goingOf ({ name }: CompiledModel): Set<string> {
    const going = this.#going.get(name) ?? new Set()
    this.#going.set(name, going)
    return going
  }

  async #find (model: CompiledModel, where: Condition | undefined, names: readonly string[]): Promise<Row[]> {
    const select = { names: [...names], extra: 'none' as const }
    const query = { where, order: [], limit: undefined, skip: 0, select, include: [] }
    return await model.connector.find(model, query, this.#store(model))
  }

  /** In lists that the store takes. */
  * #keysOf (rows: readonly Row[], property: string, model: CompiledModel): Iterable<ConditionValue[]> {
    const keys = [...new Set(rows.map(row => row[property]).filter(key => key !== null && key !== undefined))]
    const size = Math.min(keysPerQuery(model), Math.max(1, keys.length))
    for (let at = 0; at < keys.length; at += size) yield keys.slice(at, at + size) as ConditionValue[]
  }

  #read (model: CompiledModel, where: Record<string, unknown>): Condition | undefined {
    return parseWhere(model, where, internalOptions(model, {}))
  }

  /** The model as the operation has it: within `dataSource.transaction()`, the class that works in the transaction. */
  #compiled (holder: ModelClass): CompiledModel {
    const { dataSource } = this.root.Model
    const isBound = (dataSource as { isTransaction?: boolean } | null)?.isTransaction === true
    return (isBound ? dataSource?.models[holder.modelName] ?? holder : holder).compiled
  }

  /** A transaction is that of one data source. */
  #optionsFor (model: CompiledModel): OperationOptions {
    if (model.Model.dataSource?.connector === this.root.Model.dataSource?.connector) return this.options
    const { transaction, ...rest } = this.options
    return rest
  }

  #store (model: CompiledModel): ReturnType<typeof storeOptions> {
    return storeOptions(model, this.#optionsFor(model))
  }
}

/**
 * Does with the rows that lead to those of a condition what the relations say, right before these are deleted.
 * @throws RequestError 409 FOREIGN_KEY where one may not be deleted; nothing was changed then
 */
export async function followRules (
  model: CompiledModel, condition: Condition | undefined, options: OperationOptions
): Promise<void> {
  await new Following(model, options).run(condition)
}
