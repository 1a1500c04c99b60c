/** `request.user` on Fastify's side, and the token of our own cookie for anyone who reads tokens (LG-07, LG-55). */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Logins } from './logins.js'
import { describeUser } from './user-of-request.js'
import { fastifyVisit } from './visit.js'

type WithUser = FastifyRequest & { user?: unknown }

/** @param reads whether sessions are read here; in a folder middleware has done it */
export function showUser (fastify: FastifyInstance, logins: Logins, reads: boolean): void {
  if (!fastify.hasRequestDecorator('user')) fastify.decorateRequest('user', null)
  fastify.addHook('onRequest', async (request, reply) => {
    const { raw, headers } = request
    const own = raw as typeof raw & { user?: unknown, signedCookies?: Record<string, unknown> }
    if (own.user !== undefined && own.user !== null) (request as WithUser).user = own.user
    if (headers.cookie === undefined || !reads) return
    const visit = fastifyVisit(request, reply, logins.settings.origin)
    const token = logins.cookies.tokenOf(visit)
    if (token !== undefined) own.signedCookies = { ...own.signedCookies, access_token: token }
    const { user } = await logins.sessions.of(visit)
    if (user === undefined || user.model !== logins.models.User.modelName) return
    const row = await logins.userOf(user)
    if (row !== null && await logins.isOpen(user, row)) (request as WithUser).user = await describeUser(logins, row)
  })
}
