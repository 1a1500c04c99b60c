/** `fastback openapi`: the description of an application's REST API. */
import { documentOptions, openApiDocument, type ExplorerOptions, type OpenApiDocument } from '@fastback/explorer'
import { withApplication, type LoadOptions } from './load-application.js'

export interface DescribeOptions extends LoadOptions {
  /** Version of OpenAPI. Default: 3.1. */
  readonly version?: '3.0' | '3.1' | undefined
}

/**
 * The OpenAPI document that the explorer of the folder serves; also for folders without an explorer.
 *
 * ```js
 * const { paths } = await describeApi('my-app')
 * ```
 * @throws the coded errors of `@fastback/boot` and `@fastback/core`
 */
export async function describeApi (
  dir: string,
  { version, ...options }: DescribeOptions = {}
): Promise<OpenApiDocument> {
  return await withApplication(dir, options, ({ fastify, app }) => {
    const explorer = (app.get('loopback-component-explorer') ?? {}) as ExplorerOptions
    return openApiDocument(fastify.registry, {
      ...documentOptions(explorer),
      underPressure: fastify.hasDecorator('isUnderPressure'),
      ...(version === undefined ? {} : { openapi: version })
    })
  })
}
