/**
 * What the page reads of an application beyond its API: its description, facts of its models, which of them the caller
 * may list.
 */
import type { ModelRegistry } from '@fastback/core'
import {
  documentOptions, explorerOptionsOf, openApiDocument, type ExplorerOptions, type OpenApiDocument
} from '@fastback/explorer'
import { ModelsFile } from '@fastback/explorer/host'
import { sendFile } from '@fastback/ui'
import type { FastifyInstance } from 'fastify'
import { InvalidOptionsError } from './errors.js'
import { factsOf } from './facts.js'
import type { AdminOptions } from './options.js'
import { modelsToRead } from './readable.js'

/**
 * Adds `openapi.json`, `models.json` and `readable.json` to a context: what the page with the rows of models reads.
 *
 * ```js
 * await app.register(async scope => { dataRoutes(scope, { title: 'Notes' }) }, { prefix: '/studio' })
 * ```
 * @throws at start FBK_ADMIN_INVALID_OPTIONS for a title that no model has
 */
export function dataRoutes (
  app: FastifyInstance,
  { title, titles, basePath, restApiRoot }: Pick<AdminOptions, 'title' | 'titles' | 'basePath' | 'restApiRoot'>
): void {
  /** What the explorer of the application was told holds here, too; it may be registered later than this. */
  const told = (): ExplorerOptions => ({
    ...explorerOptionsOf(app.registry),
    ...(basePath === undefined ? {} : { basePath }),
    ...(restApiRoot === undefined ? {} : { restApiRoot })
  })
  const describe = (): OpenApiDocument => {
    const { info, ...rest } = documentOptions(told())
    return openApiDocument(app.registry, {
      ...rest,
      info: { ...info, ...(title === undefined ? {} : { title }) },
      openapi: '3.1',
      underPressure: app.hasDecorator('isUnderPressure')
    })
  }
  const description = new ModelsFile(app.registry, describe)
  const facts = new ModelsFile(app.registry, () =>
    factsOf(app.registry, { restApiRoot: told().restApiRoot, titles }))
  app.addHook('onReady', async () => { mustBeThere(app.registry, titles) })

  app.get('/openapi.json', (request, reply) => sendFile(request, reply, description.file))
  app.get('/models.json', (request, reply) => sendFile(request, reply, facts.file))
  app.get('/readable.json', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    return { models: await modelsToRead(app.registry, told().restApiRoot, request, reply) }
  })
}

/** @throws FBK_ADMIN_INVALID_OPTIONS for a title of no model, and for one that is not shown or no property */
function mustBeThere (registry: ModelRegistry, titles: AdminOptions['titles'] = {}): void {
  for (const [name, property] of Object.entries(titles)) {
    const compiled = registry.findModel(name)?.compiled
    if (compiled === undefined) throw new InvalidOptionsError(`"titles" names the model ${name}, which is not there`)
    if (!compiled.propertyByName.has(property) || compiled.hidden.has(property)) {
      throw new InvalidOptionsError(`"titles" names ${name}.${property}, which is no property that is shown`)
    }
  }
}
