/**
 * `@fastback/boot`: runs an application folder in LoopBack 3's layout on Fastify, alone or within a larger application.
 */
export { boot, boot as default, type BootOptions } from './plugin.js'
export { createServer, type Server, type ServerOptions } from './server.js'
export { drainDelayOf, stopOnSignals, type StopOptions } from './shutdown.js'
export { readConfiguration, type Configuration, type ConfigurationOptions } from './configuration.js'
export { scratchStores, type ScratchStores } from './scratch-stores.js'
export type { GivenConfiguration } from './load/folder.js'
export * as errors from './errors.js'
export type { Application } from './app/application.js'
export type { EnableAuthOptions, BootExtension, BuiltinModel, ExtensionContext } from '@fastback/core'
