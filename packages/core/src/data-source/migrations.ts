/** Tables of models, brought to what they declare when their data source opens. */
import { InvalidDefinitionError } from '../errors.js'
import type { ModelClass } from '../interfaces/model-class.js'
import { chain, type MaybePromise } from '../maybe-promise.js'
import type { DataSource } from '../interfaces/data-source.js'

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
        return warnOfMissing(dataSource, fresh)
      default:
        throw new InvalidDefinitionError(
          `data source "${dataSource.name}", migrate`,
          'must be "none", "update" or "reset"'
        )
    }
  }
}

/** Whoever starts the application learns of it before the first request does. */
function warnOfMissing (dataSource: DataSource, Models: readonly ModelClass[]): MaybePromise<void> {
  const { connector: { plans }, name, registry: { log } } = dataSource
  if (plans === undefined) return
  return chain(plans.missing(dataSource.storedModels(Models)), missing => {
    if (missing.length === 0) return
    const tables = missing.map(({ table }) => table)
    log.warn(
      { dataSource: name, missing },
      `The data source "${name}" lacks the tables ${tables.join(', ')}: what needs them is answered with 503. ` +
        'Make them with "fastback migrate", or set "migrate": "update" on the data source'
    )
  })
}
