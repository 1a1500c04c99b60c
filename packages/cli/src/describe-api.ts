/** `fastback openapi`: the description of an application's REST API. */
import { documentOptions, openApiDocument, toSwagger, type OpenApiDocument } from '@fastback/explorer'
import type { ApplicationSource, LoadOptions } from './application.js'
import { withApplication } from './load-application.js'

export interface DescribeOptions extends LoadOptions {
  /** Version of OpenAPI. Default: 3.1. */
  readonly version?: '3.0' | '3.1' | undefined
  /** Whether related rows are described at any depth, for compilers of types. Default: false. */
  readonly nested?: boolean | undefined
}

/**
 * The OpenAPI document that the explorer of the application serves; also for those without an explorer.
 *
 * ```js
 * const { paths } = await describeApi('my-app')
 * ```
 * @param source a folder, a module that exports an application, or the application
 * @throws the coded errors of `@fastback/boot` and `@fastback/core`
 */
export async function describeApi (
  source: ApplicationSource,
  { version, nested = false, ...options }: DescribeOptions = {}
): Promise<OpenApiDocument> {
  return await withApplication(source, options, ({ fastify, registry, explorer }) =>
    openApiDocument(registry, {
      ...documentOptions(explorer),
      nested,
      underPressure: fastify.hasDecorator('isUnderPressure'),
      ...(version === undefined ? {} : { openapi: version })
    })
  )
}

/**
 * The same description in Swagger 2.0, for tools made for LoopBack's.
 *
 * ```js
 * const { paths } = await describeApiAsSwagger('my-app')
 * ```
 * @throws as `describeApi`
 */
export async function describeApiAsSwagger (source: ApplicationSource, options: LoadOptions = {}): Promise<object> {
  return toSwagger(await describeApi(source, { ...options, version: '3.0' }))
}
