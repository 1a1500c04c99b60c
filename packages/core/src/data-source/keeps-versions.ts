import { NoVersionsError } from '../errors.js'
import type { StoredModel } from '../definition/stored-model.js'
import type { Connector } from './connector.js'

/**
 * Refuses a model that counts the writes of its rows where its store cannot.
 *
 * ```js
 * mustKeepVersions(Note.compiled, Note.dataSource)
 * ```
 * @throws FBK_CORE_NO_VERSIONS
 */
export function mustKeepVersions (
  model: StoredModel, dataSource: { readonly name: string, readonly connector: Connector } | undefined
): void {
  if (model.version === undefined || dataSource === undefined || dataSource.connector.keepsVersions === true) return
  throw new NoVersionsError(dataSource.name, dataSource.connector.name, model.name)
}
