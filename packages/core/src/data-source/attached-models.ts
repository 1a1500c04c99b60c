/** The models of a data source that migrations are about. */
import type { StoredModel } from '../definition/stored-model.js'
import { DataSourceSettingsError } from '../errors.js'
import type { ModelClass } from '../interfaces/model-class.js'

/** Models by name or class; all where nothing is given. */
type Given = string | ReadonlyArray<string | ModelClass> | undefined

/** Those among the attached that are given, as the connector sees them; models without properties have no rows. */
export function storedModels (attached: readonly ModelClass[], given: Given): StoredModel[] {
  const wanted = given === undefined ? undefined : new Set([given].flat())
  return attached
    .filter(Model => wanted === undefined || wanted.has(Model.modelName) || wanted.has(Model))
    .map(Model => Model.compiled.stored)
    .filter(model => model.properties.length > 0)
}

/**
 * A name that is written wrong, or a model of another data source, is told; LoopBack does, too.
 * @throws FBK_CORE_DATA_SOURCE_SETTINGS
 */
export function mustBeAttached (
  dataSource: { readonly name: string, readonly attached: readonly ModelClass[] }, given: Given
): void {
  if (given === undefined) return
  const known = new Set(dataSource.attached.flatMap(Model => [Model, Model.modelName]))
  const missing = [given].flat().filter(each => !known.has(each))
    .map(each => typeof each === 'string' ? each : each.modelName)
  if (missing.length === 0) return
  throw new DataSourceSettingsError(
    dataSource.name, `cannot migrate models that are not attached to it: ${missing.join(', ')}`
  )
}
