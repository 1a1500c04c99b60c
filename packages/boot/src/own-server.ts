/** `@fastback/boot/server`: an application that code makes step by step, as LoopBack's `loopback()` and `boot()` do. */
export { ApplicationServer } from './server.js'
export { loadExtensions } from './extensions.js'
export { isEsModule } from './load/module.js'
export { perform } from './steps.js'
export { adaptConnector, connectorByName, connectorModule, type ConnectorModule } from './connectors.js'
export { dataSourceArguments } from './app/data-source-arguments.js'
export { ApplicationModels } from './application-models.js'
export { createLoopback, type LoopbackObject } from './app/loopback.js'
