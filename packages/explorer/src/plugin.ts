import { RequestError } from '@fastback/core'
import { checkOptions, graphqlEndpointIn, withoutEndSlashes } from '@fastback/core/remote'
import { sendFile, servePage, uiFiles, type PageConfig } from '@fastback/ui'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { callersByMethod } from './callers.js'
import { describedIn, type ModelsFile } from './description.js'
import { toSwagger } from './document/swagger.js'
import { InvalidOptionsError, MissingRegistryError } from './errors.js'
import { rememberOptions } from './options-registry.js'
import { documentOptions, ExplorerSchema, withoutEffect, type ExplorerOptions } from './options.js'

/**
 * Serves the description of the context's models (`openapi.json`) and a page to try them with: `await
 * app.register(explorer)` puts both at `/explorer`. Register it after `@fastback/core`, beside `@fastback/rest`.
 * Nothing is made or read before it is asked for.
 *
 * Not wrapped with `fastify-plugin`: it brings routes, which are below `prefix`.
 *
 * ```js
 * await app.register(rest, { prefix: '/api' })
 * await app.register(explorer, { info: { title: 'Notes', version: '1.0.0' } })
 * // GET /explorer/openapi.json
 * ```
 * @throws FBK_EXPLORER_INVALID_OPTIONS, FBK_EXPLORER_MISSING_REGISTRY
 */
export async function explorer (app: FastifyInstance, options: ExplorerOptions): Promise<void> {
  checkOptions(ExplorerSchema, options, InvalidOptionsError)
  if (!app.hasDecorator('registry')) throw new MissingRegistryError()
  const unused = withoutEffect(options)
  rememberOptions(app.registry, options)
  if (unused.length > 0) app.log.warn({ options: unused }, 'options of the explorer that have no effect')
  const { mountPath = options.prefix === undefined ? '/explorer' : '' } = options
  await app.register(async scope => { addRoutes(scope, options) }, { prefix: withoutEndSlashes(mountPath) })
}

function addRoutes (app: FastifyInstance, options: ExplorerOptions): void {
  const { prefix } = app
  const { hiddenHeaders, resourcePath = 'swagger.json' } = options
  const swaggerPath = `/${resourcePath.replace(/^\/+/, '')}`
  // As @fastify/under-pressure says that it is there.
  const described = { ...documentOptions(options), underPressure: app.hasDecorator('isUnderPressure') }
  const forms: ReadonlyMap<string, ModelsFile> = new Map([
    ['3.1', describedIn(app.registry, { ...described, openapi: '3.1' })],
    ['3.0', describedIn(app.registry, { ...described, openapi: '3.0' })],
    ['2.0', describedIn(app.registry, { ...described, openapi: '3.0' }, toSwagger)]
  ])
  const sendForm = async (request: FastifyRequest, reply: FastifyReply, version: unknown): Promise<FastifyReply> => {
    const form = forms.get(version as string)
    if (form === undefined) throw new RequestError(400, `"version" must be one of ${[...forms.keys()].join(', ')}`)
    return await sendFile(request, reply, form.file)
  }
  // Without a schema: one that is compiled makes Fastify compile the schema of schemas first, at each start.
  app.get<{ Querystring: { version?: unknown } }>('/openapi.json', (request, reply) =>
    sendForm(request, reply, request.query.version ?? described.openapi ?? '3.1'))
  app.get(swaggerPath, (request, reply) => sendForm(request, reply, '2.0'))
  const { callers = process.env.NODE_ENV !== 'production' } = options
  app.get('/callers.json', async () => callers ? await callersByMethod(app.registry) : {})
  app.get('/config.json', () => ({
    url: prefix + swaggerPath,
    ...(hiddenHeaders === undefined ? {} : { hiddenHeaders })
  }))
  app.get('/ui.json', (): PageConfig => {
    const { address } = graphqlEndpointIn(app.registry)
    return {
      views: ['api'], development: false, ...(hiddenHeaders === undefined ? {} : { hiddenHeaders }),
      ...(address === undefined ? {} : { graphql: address })
    }
  })
  servePage(app, uiFiles(), described)
}
