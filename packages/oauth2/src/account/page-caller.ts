import type { Row } from '@fastback/core'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sendToLoginFor } from '../endpoints/login.js'
import { formOf } from '../http/forms.js'
import { checkOrigin } from '../http/origin-check.js'
import { requireFormToken } from '../http/page-token.js'
import type { Parameters } from '../http/parameters.js'
import type { Provider } from '../provider.js'
import { loginOf, type PageName, type Session } from '../session/sessions.js'

/** Somebody at a page of their own. */
export interface PageCaller {
  readonly session: Session
  readonly user: Row
  readonly userId: unknown
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/** Shows a page to who is logged in; others log in and come back to it. */
export const pageOf = (provider: Provider, name: PageName,
  show: (caller: PageCaller, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>): Handler =>
  async (request, reply) => {
    const caller = await callerOf(provider, request)
    return caller === undefined
      ? await sendToLoginFor(provider, request, reply, name)
      : await show(caller, request, reply)
  }

/**
 * Takes a form of such a page: of this site, with its token.
 * @throws AccessDenied, InvalidRequest
 */
export const formOfPage = (provider: Provider, name: PageName,
  take: (caller: PageCaller, body: Parameters, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>
): Handler =>
  async (request, reply) => {
    checkOrigin(request, provider.issuerOf)
    const body = formOf(request)
    body.refuseRepeated()
    const caller = await callerOf(provider, request)
    if (caller === undefined) return await sendToLoginFor(provider, request, reply, name)
    requireFormToken(provider, caller.session, body)
    return await take(caller, body, request, reply)
  }

/** Who is logged in at a page; undefined: nobody. */
export async function callerOf (
  { sessions, users }: Provider, request: FastifyRequest
): Promise<PageCaller | undefined> {
  const session = await sessions.load(request)
  const userId = loginOf(session)
  const user = userId === undefined ? undefined : await users.byId(userId)
  return session === undefined || user === undefined ? undefined : { session, user, userId: users.idOf(user) }
}
