/** Writes of a row together with rows of its relations: planned as a whole, and stored as one. */
import { NestedWriteError, noInstance, ValidationError } from '../../errors.js'
import { Transaction } from '../../data-source/transaction.js'
import { instantiate, isInstance } from '../../instances/instance.js'
import type { CompiledModel } from '../../interfaces/compiled-model.js'
import type { ModelClass } from '../../interfaces/model-class.js'
import type { ModelInstance } from '../../instances/model-instance.js'
import type { NestedWrites } from '../../interfaces/nested-writes.js'
import type { OperationOptions } from '../../interfaces/operation-options.js'
import type { Relation } from '../../interfaces/relation.js'
import { createInstance } from '../../operations/create.js'
import { withoutExpected } from '../../operations/if-version.js'
import { patchInstance } from '../../operations/patch.js'
import { fromPrimary } from '../../operations/freshness.js'
import { findRowById } from '../../operations/read.js'
import { replaceById } from '../../operations/replace.js'
import { asOne } from '../../operations/with-hooks.js'
import type { Row } from '../../properties/types.js'
import { rowId } from '../../query/id.js'
import type { NestedNode, Planning } from './plan.js'
import { planRow } from './planner.js'
import { Undo } from './undo.js'
import { writeNode, type StoreRow } from './writer.js'

/** Rows of relations that the data of one write may carry, where no setting says (`maxNestedRows`). */
const defaultNestedRows = 1000

/** One row of a write, and how it is stored. */
interface Root {
  readonly data: Readonly<Row>
  readonly path: string
  readonly stored: ModelInstance | undefined
  readonly replaces: boolean
  readonly store: (options: OperationOptions) => StoreRow
}

/** The write of rows within rows of one model; made for models with a relation that says `nestedWrite`. */
class NestedWriter implements NestedWrites {
  readonly names: ReadonlySet<string>

  constructor (readonly model: CompiledModel, names: readonly string[]) {
    this.names = new Set(names)
  }

  /** Instances carry what was loaded, and not what is to be written. */
  readonly carries = (data: unknown): boolean => {
    if (data === null || typeof data !== 'object' || isInstance(data)) return false
    for (const name of Object.keys(data)) {
      const value = (data as Row)[name]
      if (value !== undefined && typeof value !== 'function' && this.names.has(name)) return true
    }
    return false
  }

  async create (data: Readonly<Row>, options: OperationOptions): Promise<ModelInstance> {
    const [instance] = await this.#write(options, [this.#created(data, '')])
    return instance as ModelInstance
  }

  async createAll (list: ReadonlyArray<Readonly<Row>>, options: OperationOptions): Promise<ModelInstance[]> {
    return await this.#write(options, list.map((data, i) => this.#created(data, `[${i}]`)))
  }

  #created (data: Readonly<Row>, path: string): Root {
    const store = (options: OperationOptions): StoreRow => row => createInstance(this.model, row, options)
    return { data, path, stored: undefined, replaces: false, store }
  }

  async patch (instance: ModelInstance, data: Readonly<Row>, given: OperationOptions): Promise<ModelInstance> {
    const { ifVersion } = given
    const [patched] = await this.#write(given, [{
      data, path: '', stored: instance, replaces: false,
      store: options => row => patchInstance(this.model, instance, row, { ...options, ifVersion })
    }])
    return patched as ModelInstance
  }

  async replace (
    id: unknown, data: Readonly<Row>, given: OperationOptions, target?: ModelInstance
  ): Promise<ModelInstance> {
    const { model } = this
    const { ifVersion } = given
    const row = await findRowById(model, id, undefined, fromPrimary(withoutExpected(given)))
    const how = target === undefined ? {} : { target }
    // What is not there is said by the replacement.
    const stored = row === undefined ? undefined : instantiate(model, row)
    if (stored === undefined) return await replaceById(model, id, withoutRows(data, this.names), given, how)
    const [replaced] = await this.#write(given, [{
      data, path: '', stored, replaces: true,
      store: options => values => replaceById(model, id, values, { ...options, ifVersion }, how)
    }])
    return replaced as ModelInstance
  }

  async upsert (data: Readonly<Row>, options: OperationOptions, replaces: boolean): Promise<ModelInstance> {
    const { model } = this
    const plain = withoutExpected(options)
    if (options.ifVersion === null) return await this.create(data, plain)
    const id = model.id === undefined ? undefined : data[model.id.name] ?? undefined
    const row = id === undefined ? undefined : await findRowById(model, id, undefined, fromPrimary(plain))
    if (row === undefined) {
      if (options.ifVersion !== undefined) throw noInstance(id)
      return await this.create(data, plain)
    }
    return replaces
      ? await this.replace(rowId(model, row), data, options)
      : await this.patch(instantiate(model, row), data, options)
  }

  /** Plans all rows, and stores them if nothing is wrong with any. */
  async #write (given: OperationOptions, roots: readonly Root[]): Promise<ModelInstance[]> {
    return await asPart(this.model, withoutExpected(given), async options => {
      const undo = new Undo(this.model)
      const planning = this.#planning(options)
      const nodes: NestedNode[] = []
      for (const { data, path, stored, replaces } of roots) {
        nodes.push(await planRow(planning, { model: this.model, data, path, stored, replaces, level: 0, keys: [] }))
      }
      if (planning.violations.length > 0) throw new ValidationError(this.model.name, planning.violations)
      const written: ModelInstance[] = []
      try {
        for (const [i, node] of nodes.entries()) {
          const writing = { name: this.model.name, options, undo }
          written.push(await writeNode(writing, node, (roots[i] as Root).store(options)))
        }
      } catch (error) {
        await undo.run()
        throw error
      }
      return written
    })
  }

  #planning (options: OperationOptions): Planning {
    const { Model, settings } = this.model
    const limit = (settings.maxNestedRows ?? Model.registry.settings.maxNestedRows ?? defaultNestedRows) as number
    return { options, violations: [], left: limit, limit, depth: Model.registry.queryLimits.includeDepth }
  }
}

const withoutRows = (data: Readonly<Row>, names: ReadonlySet<string>): Row =>
  Object.fromEntries(Object.entries(data).filter(([name]) => !names.has(name)))

/** In a transaction that code has begun, a part of it: where it fails, the rest of the transaction stays. */
async function asPart<T> (
  model: CompiledModel, options: OperationOptions, work: (options: OperationOptions) => Promise<T>
): Promise<T> {
  const { transaction } = options
  const canPart = model.connector.transactions?.savepoint !== undefined
  return transaction instanceof Transaction && canPart
    ? await transaction.savepoint(part => work({ ...options, transaction: part }))
    : await asOne(model, options, () => work(options))
}

/**
 * The nested writes of a model; undefined where no relation has any.
 *
 * ```js
 * nestedWritesOf(Order.compiled)?.names // Set { 'items' }
 * ```
 */
export function nestedWritesOf (model: CompiledModel): NestedWrites | undefined {
  const names = [...model.relations.values()]
    .filter(({ name, nestedWrite }) => nestedWrite !== false && !model.propertyByName.has(name)).map(({ name }) => name)
  return names.length === 0 ? undefined : new NestedWriter(model, names)
}

/**
 * Refuses relations whose rows cannot be written together with those of their model.
 *
 * ```js
 * mustNest(Order)
 * ```
 * @throws FBK_CORE_NESTED_WRITE
 */
export function mustNest (Model: ModelClass): void {
  for (const relation of Model.compiled.relations.values()) {
    const fault = relation.nestedWrite === false ? undefined : faultOf(Model, relation)
    if (fault !== undefined) throw new NestedWriteError(Model.modelName, relation.name, fault)
  }
}

function faultOf (Model: ModelClass, relation: Relation): string | undefined {
  if (!relation.isResolved) return undefined
  const targets = relation.joins().flatMap(({ target, between }) =>
    [target, ...between === undefined ? [] : [between.model]])
  for (const target of targets) {
    if (target.dataSource !== Model.dataSource) {
      return `is for models of one data source: "${target.modelName}" has another, and both could not be stored as one`
    }
  }
  if (targets.some(({ compiled: { id } }) => id === undefined)) return 'needs rows with one id'
  return undefined
}
