import type { ModelRegistry } from '@fastback/core'
import { checkOptions, withoutEndSlashes } from '@fastback/core/remote'
import {
  documentOptions, explorerOptionsOf, openApiDocument, type ExplorerOptions, type OpenApiDocument
} from '@fastback/explorer'
import { explorerFiles, ModelsFile, sendFile, sendListed, servePage } from '@fastback/explorer/host'
import type { FastifyInstance } from 'fastify'
import { InvalidOptionsError, MissingRegistryError } from './errors.js'
import { factsOf } from './facts.js'
import { modelsToRead } from './readable.js'
import { AdminSchema, pathOf, type AdminOptions } from './options.js'
import { adminFiles } from './page-files.js'

/**
 * Serves a page with the rows of the context's public models at `/admin`: lists, forms, users and roles. The page asks
 * the public API with the token of who logged in, and can do no more than that user. With `NODE_ENV=production` it is
 * there only with `enabled: true`.
 *
 * Not wrapped with `fastify-plugin`: it brings routes, which are below `prefix`.
 *
 * ```js
 * await app.register(rest, { prefix: '/api' })
 * await app.register(admin, { path: '/admin' })
 * // GET /admin/
 * ```
 * @throws FBK_ADMIN_INVALID_OPTIONS, FBK_ADMIN_MISSING_REGISTRY; at start FBK_ADMIN_INVALID_OPTIONS for a title that no
 * model has
 */
export async function admin (app: FastifyInstance, options: AdminOptions): Promise<void> {
  checkOptions(AdminSchema, options, InvalidOptionsError)
  if (!app.hasDecorator('registry')) throw new MissingRegistryError()
  const path = pathOf(options)
  if (path === undefined) {
    app.log.info('the admin page is not served in production: the option "enabled" switches it on')
    return
  }
  await app.register(async scope => { addRoutes(scope, options) }, { prefix: withoutEndSlashes(path) })
}

function addRoutes (app: FastifyInstance, options: AdminOptions): void {
  const { title, titles, basePath, restApiRoot } = options
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
  // The page's modules import the explorer's from this folder.
  const shared = explorerFiles()
  app.get<{ Params: { file: string } }>('/explorer/:file', async (request, reply) => {
    const { file } = request.params
    // That page is not this one's.
    return file === 'index.html' ? reply.callNotFound() : sendListed(request, reply, shared, file)
  })
  servePage(app, adminFiles(), { basePath })
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
