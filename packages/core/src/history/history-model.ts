/** The models that have the versions of other models' rows: one for each, in its data source. */
import { InvalidDefinitionError } from '../errors.js'
import type { ModelClass } from '../interfaces/model-class.js'
import type { ModelRegistry } from '../interfaces/model-registry.js'
import { historyIn, historyName } from './setting.js'

const kHistories = Symbol('fastback.histories')

/** Those that were made here, and not by the application. */
const made = (registry: ModelRegistry): Set<string> => registry.slot(kHistories, () => new Set<string>())

/**
 * The model of a model's versions.
 *
 * ```js
 * historyModelOf(Note)?.modelName // 'NoteHistory'
 * ```
 */
export const historyModelOf = ({ modelName, registry }: ModelClass): ModelClass | undefined =>
  made(registry).has(historyName(modelName)) ? registry.findModel(historyName(modelName)) : undefined

/**
 * Defines the model of a model's versions, where it has the setting `history`, and attaches it to the same data source.
 *
 * ```js
 * registry.on('modelAttached', attachHistory)
 * ```
 * @throws FBK_CORE_INVALID_DEFINITION where the application has a model of that name
 */
export function attachHistory (Model: ModelClass): void {
  const { registry, modelName, state: { dataSource, settings, own } } = Model
  const setting = historyIn(settings)
  if (setting === undefined || dataSource === undefined) return
  const name = historyName(modelName)
  if (!made(registry).has(name)) {
    if (registry.findModel(name) !== undefined) {
      throw new InvalidDefinitionError(
        own.source ?? `model "${modelName}"`,
        `"history" needs a model with the name "${name}" for itself; give that of the application another one`
      )
    }
    made(registry).add(name)
    registry.defineModel({
      name,
      base: 'PersistedModel',
      strict: true,
      properties: {
        rowId: { type: 'string', required: true, length: 255 },
        version: { type: 'integer', required: true },
        operation: { type: 'string', required: true, length: 16 },
        // Nobody looks for them but what removes old ones.
        at: { type: 'date', required: true, index: setting.keepFor !== undefined },
        // As JSON: ids of users are numbers or texts.
        userId: { type: 'string', length: 255 },
        userType: { type: 'string', length: 255 },
        clientId: { type: 'string', length: 255 },
        requestId: { type: 'string', length: 255 },
        before: 'string',
        after: 'string'
      },
      indexes: { version: { keys: { rowId: 1, version: 1 }, options: { unique: true } } }
    })
  }
  registry.attach(name, dataSource.name, { public: false })
}
