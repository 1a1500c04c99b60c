import { Type, type Static } from '@sinclair/typebox'
import type { DocumentOptions } from './document/document.js'
import type { Info } from '@fastback/ui/openapi'

const Text = Type.Optional(Type.String())
const InfoObject = Type.Optional(
  Type.Unsafe<Info>(Type.Object({ title: Text, version: Text, description: Text }, { additionalProperties: true }))
)

/** Options of the plugin. `prefix` and those of the log are Fastify's. */
export const ExplorerSchema = Type.Object({
  prefix: Text,
  logLevel: Text,
  logSerializers: Type.Optional(Type.Object({})),
  /** Where the page is, below `prefix`. Default: `/explorer`, or nothing where there is a `prefix`. */
  mountPath: Type.Optional(Type.String({ pattern: '^/' })),
  /** Version of OpenAPI. Default: `3.1`. */
  openapi: Type.Optional(Type.Union([Type.Literal('3.1'), Type.Literal('3.0')])),
  /** OpenAPI's Info Object: title, version, description … */
  info: InfoObject,
  /** LoopBack's name for `info`. Taken as applications wrote it there: lists of lines, a contact in one text. */
  apiInfo: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  /** Version of the API, where `info` has none. Default: `1.0.0`. */
  version: Text,
  /**
   * What clients put before the paths, where that is not the prefix of the REST routes: behind a proxy, on another
   * host.
   */
  basePath: Text,
  /** Describes only what `@fastback/rest` published below this prefix. Default: everything. */
  restApiRoot: Text,
  /** File name of the description for old clients, in Swagger 2.0. Default: `swagger.json`. */
  resourcePath: Text,
  /** Response headers that the page leaves out. */
  hiddenHeaders: Type.Optional(Type.Array(Type.String())),
  /** Whether the page says who may call an operation. Default: true, except with `NODE_ENV=production`. */
  callers: Type.Optional(Type.Boolean()),
  /** Options of LoopBack's explorer that mean nothing here: accepted, with a warning. */
  uiDirs: Type.Optional(Type.Unknown()),
  protocol: Type.Optional(Type.Unknown()),
  host: Type.Optional(Type.Unknown()),
  omitProtocolInBaseUrl: Type.Optional(Type.Unknown()),
  consumes: Type.Optional(Type.Unknown()),
  produces: Type.Optional(Type.Unknown()),
  auth: Type.Optional(Type.Unknown()),
  generateOperationScopedModels: Type.Optional(Type.Unknown()),
  swaggerVersion: Type.Optional(Type.Unknown()),
  swaggerUI: Type.Optional(Type.Unknown())
}, { additionalProperties: false })

export type ExplorerOptions = Omit<Static<typeof ExplorerSchema>, 'logLevel' | 'logSerializers'>

const ignored = [
  'uiDirs',
  'protocol',
  'host',
  'omitProtocolInBaseUrl',
  'consumes',
  'produces',
  'auth',
  'generateOperationScopedModels',
  'swaggerVersion',
  'swaggerUI'
] as const

/** The given options that have no effect. */
export const withoutEffect = (options: ExplorerOptions): string[] => ignored.filter(name => options[name] !== undefined)

/**
 * What of the explorer's options is about the document: for those who make the same one without a server.
 *
 * ```js
 * const document = openApiDocument(app.registry, documentOptions({ version: '2.0.0', openapi: '3.0' }))
 * ```
 */
export function documentOptions ({
  openapi,
  info,
  apiInfo,
  version,
  basePath,
  restApiRoot
}: ExplorerOptions): DocumentOptions {
  return {
    info: { ...(version === undefined ? {} : { version }), ...infoOf(apiInfo), ...info },
    ...(openapi === undefined ? {} : { openapi }),
    ...(basePath === undefined ? {} : { basePath }),
    ...(restApiRoot === undefined ? {} : { restApiRoot })
  }
}

/** What LoopBack's explorer was told of the API, which it did not look at, in the shapes of OpenAPI's Info Object. */
function infoOf (apiInfo: Readonly<Record<string, unknown>> = {}): Info {
  return Object.fromEntries(Object.entries(apiInfo).flatMap(([name, value]): Array<[string, unknown]> => {
    if (value === undefined || value === null) return []
    if (name === 'contact' || name === 'license') return [[name, typeof value === 'object' ? value : { name: String(value) }]]
    if (!texts.has(name)) return [[name, value]]
    return [[name, Array.isArray(value) ? value.join('\n') : String(value)]]
  }))
}

const texts: ReadonlySet<string> = new Set(['title', 'version', 'description', 'termsOfService'])
