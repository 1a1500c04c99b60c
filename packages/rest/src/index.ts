/**
 * `@fastback/rest`: the shared methods of models as Fastify routes, with parsing, validation, remote hooks and one
 * error shape.
 */
import './types.js'

export { rest, rest as default } from './plugin.js'
export type { RestOptions, RemotingSettings } from './options-schema.js'
export { defaultTextLimits, type TextLimits } from './parse/query.js'

// Errors
export * as errors from './errors/startup-errors.js'
export { createErrorHandler, type ErrorHandler, type ErrorHandlerOptions } from './errors/error-handler.js'
export { errorBody, statusOf, type ErrorBody, type ErrorBodyOptions } from './errors/error-body.js'
export { unknownPath, type ModelPath } from './errors/not-found.js'

// For access control, documentation, logging
export type { RouteMethod } from '@fastback/core'
export type { Conventions } from './routes/conventions.js'
export type { DescribedArgument, DescribedRoute } from './routes/describe.js'
export { restRoutes, type PublishedRoute } from './published-routes.js'
export { RemoteContext } from './hooks/context.js'
export type { ChangeGuard } from './stream/change-stream.js'
export { logMasking, logSerializers, maskText, maskUrl, redactPaths } from '@fastback/core/remote'
