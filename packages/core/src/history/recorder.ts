/** What is told of each write of a model's rows, in the transaction of the write. */
import type { StoreOptions } from '../data-source/connector.js'
import type { ModelSettings } from '../definition/definition.js'
import type { CompiledModel } from '../interfaces/compiled-model.js'
import type { HistoryOperation } from '../interfaces/row-version.js'
import type { ModelClass } from '../interfaces/model-class.js'
import type { ModelRegistry } from '../interfaces/model-registry.js'
import type { MaybePromise } from '../maybe-promise.js'
import type { Row } from '../properties/types.js'
import { historyIn } from './setting.js'

/** What became of a row. */
export interface Entry {
  readonly operation: HistoryOperation
  readonly id: string
  readonly before: Readonly<Row> | undefined
  readonly after: Readonly<Row> | undefined
  /** Whether it is the first version for sure. */
  readonly isFirst?: boolean
  /**
   * Whether it comes from a write of many rows: an update that changed nothing is none. Where nobody `locksRows`,
   * `before` was read without a lock as well.
   */
  readonly isMaybe?: boolean
}

export interface RowRecorder {
  /** The model that it writes to, in the data source of the rows. */
  readonly target: CompiledModel
  /**
   * Whether rows of a bulk write are locked before they are read, so that `before` is what the write found: one read
   * more for each of them on stores that hold locks.
   */
  readonly locksRows: boolean
  /** @param within the transaction of the write, and who writes (`by`) */
  write (entries: readonly Entry[], within: StoreOptions): MaybePromise<void>
}

/** Makes recorders for the models whose settings want one. */
export interface RecorderFactory {
  wants (settings: ModelSettings): boolean
  make (Model: ModelClass): RowRecorder | undefined
}

const kFactories = Symbol('fastback.recorders')

const factoriesOf = (registry: ModelRegistry): RecorderFactory[] =>
  registry.slot<RecorderFactory[]>(kFactories, () => [])

/**
 * Has writes of models recorded: of those that are there, and of those that come.
 *
 * ```js
 * addRecorder(registry, { wants: settings => settings.events === true, make: Model => outboxOf(Model) })
 * ```
 */
export function addRecorder (registry: ModelRegistry, factory: RecorderFactory): void {
  factoriesOf(registry).push(factory)
  for (const Model of Object.values(registry.models)) Model.state.invalidate()
}

/** Whether anything records what is written of a model with these settings. */
export const isRecorded = (registry: ModelRegistry, settings: ModelSettings): boolean =>
  historyIn(settings) !== undefined || factoriesOf(registry).some(each => each.wants(settings))

/** Those that were added to make recorders for this model. */
export const recordersAddedTo = (Model: ModelClass): RowRecorder[] => {
  const { settings } = Model.compiled.definition
  return factoriesOf(Model.registry).flatMap(each => (each.wants(settings) ? each.make(Model) : undefined) ?? [])
}
