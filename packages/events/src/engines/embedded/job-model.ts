/** The model of jobs that the data source itself runs. */
import type { DataSource, ModelClass, ModelDefinitionInput, ModelRegistry } from '@fastback/core'

const jobModelName = 'FastbackJob'

/**
 * `due` is when something happens to the row next: a process may take it, its lease ends, or it is removed. `slot` is
 * unique: of a job with a unique key it says the key until the job has ended, of any other it is the id.
 */
const jobDefinition: ModelDefinitionInput = {
  name: jobModelName,
  base: 'PersistedModel',
  strict: true,
  properties: {
    id: { type: 'string', id: true, generated: false, length: 100 },
    queue: { type: 'string', required: true, length: 100 },
    state: { type: 'string', required: true, length: 10 },
    due: { type: 'date', required: true },
    slot: { type: 'string', required: true, length: 100, index: { unique: true } },
    lease: { type: 'string', length: 40 },
    attempts: { type: 'integer', required: true },
    /** JSON. */
    data: { type: 'string', required: true },
    /** JSON: the expression and the time zone of a job that is sent again at the next time. */
    schedule: { type: 'string' },
    ended: { type: 'date' },
    reason: { type: 'string' }
  },
  indexes: { taken: { keys: { queue: 1, state: 1, due: 1 } } },
  acls: [{ principalType: 'ROLE', principalId: '$everyone', permission: 'DENY' }]
}

/** Defines the model, where it is not there, and attaches it, unpublished. */
export function attachJobModel (registry: ModelRegistry, dataSource: DataSource): ModelClass {
  const Model = registry.findModel(jobModelName) ?? registry.defineModel(jobDefinition) as ModelClass
  if (Model.dataSource === null) registry.attach(Model, dataSource, { public: false })
  return Model
}
