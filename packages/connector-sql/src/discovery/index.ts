/** Discovery: what a database has, as LoopBack's functions tell it and as models. Loaded when it is asked for. */
export { modelsOf, type DiscoverOptions } from './discover.js'
export { foreignKeys, modelDefinition, modelProperties, primaryKeys, type TypeOptions } from './loopback-results.js'
export { keysTo, onlyNamed, tableNamed, tablesIn, type ScopeOptions } from './scope.js'
