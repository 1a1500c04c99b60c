/** Tables of models, brought to what they declare when their data source opens. */
import { InvalidDefinitionError } from '../errors.js'
import type { ModelClass } from '../interfaces/model-class.js'
import type { MaybePromise } from '../maybe-promise.js'
import type { DataSource } from './data-source.js'

export class Migrations {
  readonly #migrated = new Set<ModelClass>()

  /** What is opened again may be another store: one in memory is empty then. */
  forget (): void {
    this.#migrated.clear()
  }

  /** Does what `migrate` of the data source says with models that were not migrated yet. */
  run (dataSource: DataSource): MaybePromise<void> {
    const fresh = dataSource.attached.filter(Model => !this.#migrated.has(Model))
    if (fresh.length === 0) return
    for (const Model of fresh) this.#migrated.add(Model)
    const { connector } = dataSource
    switch (dataSource.settings.migrate ?? connector.defaultMigration) {
      case 'update':
        return connector.autoupdate(dataSource.storedModels(fresh))
      case 'reset':
        return connector.automigrate(dataSource.storedModels(fresh))
      case 'none':
        return
      default:
        throw new InvalidDefinitionError(
          `data source "${dataSource.name}", migrate`,
          'must be "none", "update" or "reset"'
        )
    }
  }
}
