import type { StoreOptions } from './application.js'
import { UnknownDataSourceError } from './errors.js'

/**
 * The names of the data sources that are meant.
 * @throws FBK_CLI_UNKNOWN_DATA_SOURCE
 */
export function chosenStores (names: readonly string[], wanted: StoreOptions['stores'] = []): readonly string[] {
  if (wanted === 'all') return names
  const unknown = wanted.find(name => !names.includes(name))
  if (unknown !== undefined) throw new UnknownDataSourceError(unknown, names.join(', ') || 'none')
  return names.filter(name => wanted.includes(name))
}
