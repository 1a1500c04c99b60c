/**
 * `@fastback/cli/folder`: the commands that write into application folders, each as a function that plans.
 *
 * ```js no-run
 * const { changes } = await discover('shop', { dataSource: 'database' })
 * writeFiles('shop', changes.changes)
 * ```
 */
export { ChangeSet, undoLast, writeFiles, type ChangeKind, type FileChange } from '../changes/index.js'
export {
  discover, listTables, type DiscoveredTableReport, type DiscoverOptions, type Discovery, type TableOptions
} from '../discover.js'
export { introspect, type Introspection, type IntrospectOptions } from '../introspect.js'
export { newOverDatabase, type NewOverDatabase, type NewOverDatabaseOptions } from '../new-over-database.js'
export { modernize, type Modernization, type ModernizeOptions } from '../modernize/index.js'
export { upgrade, type Upgrade, type UpgradeFinding, type UpgradeOptions } from '../upgrade.js'
export type { SampleFormat } from '../samples.js'
