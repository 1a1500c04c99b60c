/**
 * `@fastback/explorer`: describes a registry's models as OpenAPI, and serves the description with a page to try it.
 */
export { explorer, explorer as default } from './plugin.js'
export { documentOptions, type ExplorerOptions } from './options.js'
export { explorerOptionsOf } from './options-registry.js'
export { openApiDocument, type DocumentOptions } from './document/document.js'
export { toSwagger } from './document/swagger.js'
export type {
  Info,
  OpenApiDocument,
  Operation,
  Parameter,
  PathItem,
  RequestBody,
  Response,
  Schema
} from '@fastback/ui/openapi'
export * as errors from './errors.js'
