/** `fastback openapi`: the description of an application's REST API. */
import { openApiDocument, type OpenApiDocument } from '@fastback/explorer'
import { withApplication, type LoadOptions } from './load-application.js'

export interface DescribeOptions extends LoadOptions {
  /** Version of OpenAPI. Default: 3.1. */
  readonly version?: '3.0' | '3.1' | undefined
}

/** What of the explorer's options belongs in the document. */
interface Explorer { readonly info?: object, readonly apiInfo?: object, readonly version?: string }

/**
 * The OpenAPI document that the explorer of the folder serves; also for folders without an explorer.
 *
 * ```js
 * const { paths } = await describeApi('my-app')
 * ```
 * @throws the coded errors of `@fastback/boot` and `@fastback/core`
 */
export async function describeApi (dir: string, { version, ...options }: DescribeOptions = {}): Promise<OpenApiDocument> {
  return await withApplication(dir, options, ({ fastify, app }) => {
    const { info, apiInfo, version: ofApi } = (app.get('loopback-component-explorer') ?? {}) as Explorer
    return openApiDocument(fastify.registry, {
      info: { ...(ofApi === undefined ? {} : { version: ofApi }), ...apiInfo, ...info },
      ...(version === undefined ? {} : { openapi: version })
    })
  })
}
