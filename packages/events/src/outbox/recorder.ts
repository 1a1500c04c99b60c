/** Writes an event for each write of a row, in the transaction of the write. */
import type { CompiledModel, DataSource, MaybePromise, ModelClass, ModelRegistry, Row, StoreOptions } from '@fastback/core'
import { chain, isPersisted } from '@fastback/core/connector'
import { addRecorder, rowWriter, type Entry, type RowRecorder } from '@fastback/core/remote'
import { eventModelIn } from './event-model.js'
import { eventsIn, type EventsSetting } from './setting.js'

/** Told that events were committed in this process. */
export type Wake = () => void

const kRecorded = Symbol('fastback.events.recorded')

/** By the name of the model: its events' model. */
const recordedIn = (registry: ModelRegistry): Map<string, ModelClass> =>
  registry.slot(kRecorded, () => new Map<string, ModelClass>())

/** Whether events of a model are written. */
export const hasEvents = (registry: ModelRegistry, model: string): boolean => recordedIn(registry).has(model)

/**
 * Has events written for all models with the setting `events`: those that are there, and those that come.
 *
 * ```js
 * recordEvents(registry, registry.dataSources.db, () => { relay.wake() })
 * ```
 * @param main the data source of this package's other models
 */
export function recordEvents (registry: ModelRegistry, main: DataSource, wake: Wake): void {
  const recorded = recordedIn(registry)
  // Also where no model has events any more: what is there is handed on.
  eventModelIn(registry, main, true)
  const look = (Model: ModelClass): void => {
    const { modelName, dataSource, settings } = Model
    if (dataSource === null || eventsIn(settings) === undefined || !isPersisted(Model)) return
    recorded.set(modelName, eventModelIn(registry, dataSource, dataSource.name === main.name))
  }
  for (const Model of Object.values(registry.models)) look(Model)
  registry.on('modelAttached', (Model: unknown) => { look(Model as ModelClass) })
  addRecorder(registry, {
    wants: settings => eventsIn(settings) !== undefined,
    make: Model => {
      const Event = recorded.get(Model.modelName)
      const setting = eventsIn(Model.settings)
      return Event === undefined || setting === undefined ? undefined : new EventRecorder(Model, Event, setting, wake)
    }
  })
}

class EventRecorder implements RowRecorder {
  readonly locksRows = true
  readonly #text: (row: Readonly<Row>) => string
  /** Changes of sealed properties cannot be seen in the text of a row. */
  readonly #hasSealed: boolean

  constructor (
    readonly Model: ModelClass, readonly Event: ModelClass, readonly setting: EventsSetting, readonly wake: Wake
  ) {
    this.#text = rowWriter(Model.compiled)
    this.#hasSealed = Model.compiled.properties.some(({ sealed }) => sealed !== undefined)
  }

  get target (): CompiledModel { return this.Event.compiled }

  write (entries: readonly Entry[], within: StoreOptions): MaybePromise<void> {
    const at = new Date()
    const rows = entries.map(entry => this.#row(entry, at, within.by)).filter(row => row !== undefined)
    const [only] = rows
    if (only === undefined) return
    const { target, target: { connector } } = this
    const { transaction, ending } = within
    const options = {
      ...(transaction === undefined ? {} : { transaction }), ...(ending === undefined ? {} : { ending })
    }
    const written: MaybePromise<unknown> = rows.length === 1
      ? connector.create(target, only, options)
      : connector.createMany(target, rows, options)
    return chain(written, () => {
      if (ending === undefined) this.wake()
      else ending.whenCommitted(this.wake)
    })
  }

  #row ({ operation, id, before, after }: Entry, at: Date, by: StoreOptions['by']): Row | undefined {
    if (!this.setting.operations.has(operation)) return undefined
    const was = before === undefined ? undefined : this.#text(before)
    const now = after === undefined ? undefined : this.#text(after)
    if (operation === 'update' && !this.#isEvent(was, now)) return undefined
    return {
      at,
      model: this.Model.modelName,
      rowId: id,
      operation,
      before: was,
      after: now,
      userId: by?.userId,
      userType: by?.userType,
      requestId: by?.requestId
    }
  }

  #isEvent (was: string | undefined, now: string | undefined): boolean {
    if (was === now) return this.#hasSealed && this.setting.properties === undefined
    const { properties } = this.setting
    if (properties === undefined || was === undefined || now === undefined) return true
    const [earlier, later] = [JSON.parse(was) as Row, JSON.parse(now) as Row]
    return properties.some(name => JSON.stringify(earlier[name]) !== JSON.stringify(later[name]))
  }
}
