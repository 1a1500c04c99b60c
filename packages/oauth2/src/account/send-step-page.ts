import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FactorPage } from '../pages/factor-pages.js'
import type { Sent } from '../pages/pages.js'
import type { Provider } from '../provider.js'
import type { Outcome } from './factor-steps.js'

/** Sends the page that follows a step with a factor. */
export async function sendStepPage (
  { pages }: Provider, request: FastifyRequest, reply: FastifyReply,
  page: Exclude<Outcome['page'], { readonly changed: string }>, common: FactorPage, sent: Sent
): Promise<FastifyReply> {
  switch (page.name) {
    case 'authenticator':
      return await pages.send(request, reply, page.name, { ...common, ...page }, sent)
    case 'recoveryCodes':
      return await pages.send(request, reply, page.name, { ...common, ...page }, sent)
    case 'newPasskey':
      return await pages.send(request, reply, page.name, { ...common, ...page }, { ...sent, script: "'self'" })
  }
}
