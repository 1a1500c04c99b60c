/** The page where users see and end what is open for them: applications and sessions (OI-115). */
import type { FastifyInstance } from 'fastify'
import { Parameters } from '../http/parameters.js'
import { withoutTraces } from '../pages/send-page.js'
import type { Provider } from '../provider.js'
import { endRight, rightsOf, saidOf } from './open-rights.js'
import { formOfPage, pageOf } from './page-caller.js'

export function grantsEndpoints (scope: FastifyInstance, provider: Provider, path: string): void {
  const page = pageOf(provider, 'grants', async ({ session, user, userId }, request, reply) =>
    await provider.pages.send(request, reply, 'grants', {
      action: path,
      csrfToken: provider.csrf.create(session.data.csrf),
      user: provider.users.nameFor(user),
      done: saidOf(Parameters.ofQuery(request.url).get('ended')),
      ...await rightsOf(provider, session, userId)
    }, { session, formAction: ["'self'"] }))
  scope.get(path, { exposeHeadRoute: false }, page)
  scope.post(path, formOfPage(provider, 'grants', async ({ session, userId }, body, _request, reply) => {
    const ended = await endRight(provider, session, userId, body)
    return withoutTraces(reply).redirect(`${path}?${new URLSearchParams({ ended }).toString()}`, 303)
  }))
}
