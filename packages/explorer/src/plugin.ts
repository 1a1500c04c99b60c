import { checkOptions, loginWaysIn } from '@fastback/core/remote'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { callersByMethod } from './callers.js'
import { Description } from './description.js'
import { toSwagger } from './document/swagger.js'
import { InvalidOptionsError, MissingRegistryError } from './errors.js'
import { keepOptions } from './kept-options.js'
import { documentOptions, ExplorerSchema, withoutEffect, type ExplorerOptions } from './options.js'
import { PageFiles } from './page-files.js'
import { sendFile } from './served-file.js'

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
  keepOptions(app.registry, options)
  if (unused.length > 0) app.log.warn({ options: unused }, 'options of the explorer that have no effect')
  const { mountPath = options.prefix === undefined ? '/explorer' : '' } = options
  await app.register(async scope => { addRoutes(scope, options) }, { prefix: mountPath.replace(/\/+$/, '') })
}

function addRoutes (app: FastifyInstance, options: ExplorerOptions): void {
  const { prefix } = app
  const { hiddenHeaders, resourcePath = 'swagger.json' } = options
  const swaggerPath = `/${resourcePath.replace(/^\/+/, '')}`
  // As @fastify/under-pressure says that it is there.
  const described = { ...documentOptions(options), underPressure: app.hasDecorator('isUnderPressure') }
  const forms: ReadonlyMap<string, Description> = new Map([
    ['3.1', new Description(app.registry, { ...described, openapi: '3.1' })],
    ['3.0', new Description(app.registry, { ...described, openapi: '3.0' })],
    ['2.0', new Description(app.registry, { ...described, openapi: '3.0' }, toSwagger)]
  ])
  const sendForm = (request: FastifyRequest, reply: FastifyReply, version: string): Promise<FastifyReply> =>
    sendFile(request, reply, (forms.get(version) as Description).file)
  const files = new PageFiles()
  // Logins that the page begins come back to it.
  loginWaysIn(app.registry).pages.add(`${prefix}/`)
  const policy = contentPolicy(described.basePath)

  app.get('/', async (request, reply) => {
    // The page's own addresses are relative to its folder.
    if (!pathOf(request).endsWith('/')) return reply.redirect(`${prefix}/`, 301)
    return page(request, reply)
  })
  const version = { type: 'string', enum: [...forms.keys()], default: described.openapi ?? '3.1' }
  app.get<{ Querystring: { version: string } }>(
    '/openapi.json',
    { schema: { querystring: { type: 'object', properties: { version } } } },
    (request, reply) => sendForm(request, reply, request.query.version)
  )
  app.get(swaggerPath, (request, reply) => sendForm(request, reply, '2.0'))
  const { callers = process.env.NODE_ENV !== 'production' } = options
  app.get('/callers.json', async () => callers ? await callersByMethod(app.registry) : {})
  app.get('/config.json', () => ({
    url: prefix + swaggerPath,
    ...(hiddenHeaders === undefined ? {} : { hiddenHeaders })
  }))
  app.get<{ Params: { file: string } }>('/:file', async (request, reply) => {
    const { file } = request.params
    if (file === 'index.html') return page(request, reply)
    const found = await files.get(file)
    return found === undefined ? reply.callNotFound() : sendFile(request, reply, found)
  })

  async function page (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    reply.headers({ 'content-security-policy': policy, 'referrer-policy': 'no-referrer' })
    return sendFile(request, reply, await files.get('index.html') as NonNullable<Awaited<ReturnType<PageFiles['get']>>>)
  }
}

/** The page loads nothing from elsewhere, and talks to the API alone. */
function contentPolicy (basePath: string | undefined): string {
  const api = basePath !== undefined && URL.canParse(basePath) ? ` ${new URL(basePath).origin}` : ''
  return [
    "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'", `connect-src 'self'${api}`,
    "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"
  ].join('; ')
}

const pathOf = ({ originalUrl }: FastifyRequest): string => originalUrl.split('?', 1)[0] as string
