/** Tables of models, brought to what they declare when their data source opens. */
import { InvalidDefinitionError } from '../errors.js'
import type { ModelClass } from '../interfaces/model-class.js'
import { chain, type MaybePromise } from '../maybe-promise.js'
import type { DataSource } from '../interfaces/data-source.js'

export class Migrations {
  /** The properties that each model had. */
  readonly #migrated = new Map<ModelClass, ReadonlySet<string>>()

  /** What is opened again may be another store: one in memory is empty then. */
  forget (): void {
    this.#migrated.clear()
  }

  /**
   * Does what `migrate` of the data source says with models that were not migrated yet. Those that were and have more
   * properties by now get these: a second user model, say, makes tokens name the first one as well.
   */
  run (dataSource: DataSource): MaybePromise<void> {
    const models = dataSource.attached
    const fresh = models.filter(Model => !this.#migrated.has(Model))
    const grown = models.filter(Model => this.#hasGrown(Model))
    if (fresh.length + grown.length === 0) return
    for (const Model of [...fresh, ...grown]) this.#migrated.set(Model, new Set(propertiesOf(Model)))
    const { connector } = dataSource
    switch (dataSource.settings.migrate ?? connector.defaultMigration) {
      case 'update':
        return connector.autoupdate(dataSource.storedModels([...fresh, ...grown]))
      case 'reset':
        return chain(fresh.length === 0 ? undefined : connector.automigrate(dataSource.storedModels(fresh)), () =>
          // The rows that they have by now were written by this application.
          grown.length === 0 ? undefined : connector.autoupdate(dataSource.storedModels(grown)))
      case 'none':
        return fresh.length === 0 ? undefined : warnOfMissing(dataSource, fresh)
      default:
        throw new InvalidDefinitionError(
          `data source "${dataSource.name}", migrate`,
          'must be "none", "update" or "reset"'
        )
    }
  }

  #hasGrown (Model: ModelClass): boolean {
    const before = this.#migrated.get(Model)
    return before !== undefined && propertiesOf(Model).some(name => !before.has(name))
  }
}

const propertiesOf = (Model: ModelClass): string[] => Model.compiled.properties.map(({ name }) => name)

/** Anyone who starts the application learns of it before the first request does. */
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
