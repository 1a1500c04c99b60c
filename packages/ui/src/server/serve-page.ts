/** A page of the server's own at the prefix of a Fastify context. */
import type {} from '@fastback/core'
import { loginWaysIn } from '@fastback/core/remote'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { PageFiles } from './page-files.js'
import { sendFile, type ServedFile } from './served-file.js'

/**
 * Serves `index.html` at the prefix, and the other files beside it; the page loads nothing from elsewhere, and logins
 * that it begins come back to it.
 *
 * ```js
 * servePage(scope, files, { basePath: undefined })
 * ```
 * @param api where the page's requests go, if that is another server
 */
export function servePage (app: FastifyInstance, files: PageFiles, api: { basePath?: string | undefined }): void {
  const { prefix } = app
  loginWaysIn(app.registry).pages.add(`${prefix}/`)
  const policy = contentPolicy(api.basePath)
  // Relative, so that it stays below a prefix that a proxy takes away.
  const folder = `./${prefix.slice(prefix.lastIndexOf('/') + 1)}/`

  app.get('/', async (request, reply) => {
    // The page's own addresses are relative to its folder.
    if (!pathOf(request).endsWith('/')) return reply.redirect(folder, 301)
    return page(request, reply)
  })
  app.get<{ Params: { file: string } }>('/:file', async (request, reply) => {
    const { file } = request.params
    return file === 'index.html' ? page(request, reply) : sendListed(request, reply, files, file)
  })

  async function page (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    reply.headers({ 'content-security-policy': policy, 'referrer-policy': 'no-referrer' })
    return sendFile(request, reply, await files.get('index.html') as ServedFile)
  }
}

/**
 * Sends a file of a page; 404 for names that are not listed.
 *
 * ```js
 * app.get('/explorer/:file', (request, reply) => sendListed(request, reply, files, request.params.file))
 * ```
 */
export async function sendListed (
  request: FastifyRequest, reply: FastifyReply, files: PageFiles, name: string
): Promise<FastifyReply | void> {
  const found = await files.get(name)
  return found === undefined ? reply.callNotFound() : sendFile(request, reply, found)
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
