/**
 * `fastback`: the command line, each of its commands as a function, and the types that a generated `models.d.ts` is
 * made of.
 */
import type { Application as AnyApplication } from '@fastback/boot'

export { main } from './main.js'
export type { Terminal } from './terminal.js'

// Commands
export { newApplication, type NewApplication, type NewApplicationOptions } from './new-application.js'
export { templates, type Template, type TemplateName } from './templates.js'
export { serve, type Served, type ServeOptions } from './serve.js'
export { listRoutes, type Route } from './list-routes.js'
export { describeApi, type DescribeOptions } from './describe-api.js'
export { writeModelTypes, type WrittenModelTypes, type WriteModelTypesOptions } from './write-model-types.js'
export { writeClient, type WrittenClient, type WriteClientOptions } from './write-client.js'
export { migrate, planMigration, type Migrated, type MigrateOptions } from './migrate/index.js'
export { explainAccess, type AccessExplanation, type ListStatements } from './explain-access.js'
export { audit } from './audit.js'
export {
  auditRules,
  type AuditOptions,
  type AuditReport,
  type AuditRule,
  type Finding,
  type Severity
} from '@fastback/boot/audit'
export type { ApplicationSource, LoadOptions } from './application.js'
export * as errors from './errors.js'

// For applications
export { createServer, type Server, type ServerOptions } from '@fastback/boot'
// All of them, and by a star: a `models.d.ts` adds to `ModelTypes` through this package, the only one that an
// application depends on.
export type * from '@fastback/core'
export type * from './model-script.js'

/** The object that boot scripts get, with the application's own models. A generated `models.d.ts` fills them in. */
export type Application<Models = Record<string, unknown>> = AnyApplication & { readonly models: Models }
