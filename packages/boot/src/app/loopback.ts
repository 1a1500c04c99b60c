/** `app.loopback`: the functions of the framework object that boot scripts reach through the application. */
import { createRequire } from 'node:module'
import { ejsTemplate } from '@fastback/auth/service'
import type { DataSource, ModelBuilder, ModelClass } from '@fastback/core'
import { RemovedFunctionError, RemovedPropertyError } from '../errors.js'
import { defaultIcon } from '../middleware/native/static.js'
import { loopbackMiddleware } from './loopback-middleware.js'
import { loopbackNames } from './names.js'
import type { LoopbackRegistry } from './registry.js'

/** Removed properties of the framework object and what stands in their place (specification, Versioning 3). */
export const removedProperties: Readonly<Record<string, string>> = {
  compress: 'response compression middleware ("compression")',
  cookieParser: 'cookie parsing middleware ("cookie-parser")',
  cookieSession: 'cookie-based session middleware ("cookie-session")',
  csrf: 'CSRF protection middleware ("csurf", or @fastify/csrf-protection)',
  directory: 'directory listing middleware ("serve-index")',
  errorHandler:
    'development error handler middleware ("errorhandler"), or "strong-error-handler" in the phase "final:after"',
  logger: 'request logging middleware ("morgan")',
  methodOverride: 'method override middleware ("method-override")',
  responseTime: 'response time header middleware ("response-time")',
  session: 'server-side session middleware ("express-session", or @fastify/session)',
  timeout: 'request timeout middleware ("connect-timeout")',
  vhost: 'virtual host middleware ("vhost")'
}

const insteadOfContext = 'Hand what you need through the options of the operations.'

const modelNames = [
  'Model',
  'PersistedModel',
  'KeyValueModel',
  'User',
  'AccessToken',
  'ACL',
  'Role',
  'RoleMapping',
  'Application',
  'Scope',
  'Email',
  'Change',
  'Checkpoint'
]

/** What Express exports, the framework object has as well (`loopback.Router`, `loopback.static`). */
const expressNames = [
  'application', 'request', 'response', 'Route', 'Router', 'json', 'query', 'raw', 'static', 'text', 'urlencoded'
]
const express = (): Record<string, unknown> => createRequire(import.meta.url)('express') as Record<string, unknown>

/** What version 3.0 has as functions that say what to use instead. */
const removedFunctions = Object.fromEntries(
  ['context', 'createContext', 'getCurrentContext', 'runInContext'].map(name => [
    name,
    (): never => { throw new RemovedFunctionError(`loopback.${name}`, insteadOfContext) }
  ])
)

/**
 * Makes the framework object over a registry.
 *
 * ```js
 * const loopback = createLoopback(registry)
 * loopback.createModel('Note', { title: String })
 * ```
 */
export function createLoopback (registry: LoopbackRegistry) {
  const loopback = {
    /** The LoopBack that this stands in for: code asks for what it can expect. */
    version: '3.28.0',
    isServer: true,
    isBrowser: false,
    faviconFile: defaultIcon,
    registry,
    ...loopbackMiddleware,
    ...removedFunctions,

    /** An EJS file as a function of what it shows. */
    template: (file: string) => ejsTemplate(file, registry.core.baseDir),

    /** Marks a function as a remote method, as version 1 had it: its options become its properties. */
    remoteMethod (method: object, options: object = {}): void {
      Object.assign(method, { shared: true }, options)
      if (!('http' in method)) Object.assign(method, { http: { verb: 'get' } })
    },

    createModel: (...args: Parameters<LoopbackRegistry['createModel']>): ModelClass => registry.createModel(...args),
    configureModel: (...args: Parameters<LoopbackRegistry['configureModel']>) => {
      registry.configureModel(...args)
    },
    findModel: (name: string | ModelClass): ModelClass | undefined => registry.findModel(name),
    getModel: (name: string | ModelClass): ModelClass => registry.getModel(name),
    getModelByType: (type: string | ModelClass): ModelClass | undefined => registry.getModelByType(type),
    createDataSource: (...args: Parameters<LoopbackRegistry['createDataSource']>): DataSource =>
      registry.createDataSource(...args),
    memory: (name?: string): DataSource => registry.memory(name),
    get modelBuilder (): ModelBuilder { return registry.modelBuilder },
    ...loopbackNames
  }
  return Object.defineProperties(loopback, {
    ...getters(modelNames, name => registry.lookup.find(name)),
    Mail: { get: () => registry.core.connectors.find('mail'), enumerable: true, configurable: true },
    ...getters(expressNames, name => express()[name]),
    ...getters(Object.keys(removedProperties).filter(name => !(name in loopback)), name => {
      throw new RemovedPropertyError(name, removedProperties[name])
    })
  })
}
/** The framework object: what `createLoopback` makes. */
export type LoopbackObject = ReturnType<typeof createLoopback>

/** Properties whose values are found when they are read. */
function getters (names: readonly string[], get: (name: string) => unknown): PropertyDescriptorMap {
  return Object.fromEntries(names.map(name => [name, { get: () => get(name), enumerable: true, configurable: true }]))
}
