/** The model of events that wait to be handed on: one in each data source that has models with events. */
import type { DataSource, ModelClass, ModelDefinitionInput, ModelRegistry } from '@fastback/core'
import type { EventOperation } from './setting.js'

/** An event as it is stored. */
export interface StoredEvent {
  /** In the order in which writes of one row were committed, where the store gives out numbers. */
  readonly id: number | string
  readonly at: Date
  readonly model: string
  readonly rowId: string
  readonly operation: EventOperation
  /** JSON of the row as it was and as it is, without sealed properties. */
  readonly before?: string | null
  readonly after?: string | null
  /** JSON of the id. */
  readonly userId?: string | null
  readonly userType?: string | null
  readonly requestId?: string | null
}

const definitionOf = (name: string): ModelDefinitionInput => ({
  name,
  base: 'PersistedModel',
  strict: true,
  properties: {
    at: { type: 'date', required: true },
    model: { type: 'string', required: true, length: 255 },
    rowId: { type: 'string', required: true, length: 255 },
    operation: { type: 'string', required: true, length: 16 },
    before: 'string',
    after: 'string',
    userId: { type: 'string', length: 255 },
    userType: { type: 'string', length: 255 },
    requestId: { type: 'string', length: 255 }
  },
  acls: [{ principalType: 'ROLE', principalId: '$everyone', permission: 'DENY' }]
})

const kModels = Symbol('fastback.events.outboxes')

/** By the name of the data source. */
const modelsOf = (registry: ModelRegistry): Map<string, ModelClass> =>
  registry.slot(kModels, () => new Map<string, ModelClass>())

/** All of them. */
export const eventModels = (registry: ModelRegistry): ModelClass[] => [...modelsOf(registry).values()]

/**
 * The model of a data source's events, which is made and attached when it is first asked for.
 *
 * ```js
 * eventModelIn(registry, registry.dataSources.db, true).modelName // 'FastbackEvent'
 * ```
 * @param isMain whether it is the data source of this package's other models
 */
export function eventModelIn (registry: ModelRegistry, dataSource: DataSource, isMain: boolean): ModelClass {
  const models = modelsOf(registry)
  const known = models.get(dataSource.name)
  if (known !== undefined) return known
  const name = isMain ? 'FastbackEvent' : `FastbackEventOf${dataSource.name}`
  registry.defineModel(definitionOf(name) as never)
  const Event = registry.attach(name, dataSource.name, { public: false })
  models.set(dataSource.name, Event)
  return Event
}
