/**
 * `@fastback/connector-openapi`: APIs that OpenAPI describes as data sources, their operations as methods of models.
 *
 * ```js
 * const pets = registry.defineDataSource('pets', { connector: openapiConnector, spec: './petstore.yaml' })
 * await registry.start()
 * const pet = await pets.getPetById({ petId: 7 })
 * ```
 */
import type { ConnectorContext, ConnectorFactory, DataSourceSettings } from '@fastback/core'
import { OpenApiConnector } from './openapi-connector.js'

export * as errors from './errors.js'
export type { OpenApiConnector } from './openapi-connector.js'
export type { OpenApiSettings } from './settings.js'

/**
 * Makes a connector of a described service.
 *
 * ```js
 * registry.defineDataSource('pets', { connector: openapiConnector, spec: 'https://pets.example/openapi.json' })
 * ```
 * @param settings `spec`, `url`, `credentials`, `validateResponses`; the others are in the README
 * @throws FBK_CORE_DATA_SOURCE_SETTINGS
 */
export const openapiConnector: ConnectorFactory = (
  settings: DataSourceSettings, context: ConnectorContext
): OpenApiConnector => new OpenApiConnector(settings, context)

export default openapiConnector
