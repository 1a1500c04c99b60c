/** Decision endpoint (oauth2.md, section 5.2). */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AuthorizationRequest } from '../checks/authorization-request.js'
import { parseScope } from '../checks/scope.js'
import { AccessDenied, InvalidRequest } from '../errors.js'
import { consentsOf } from '../grants/consents.js'
import { formOf } from '../http/forms.js'
import { checkOrigin } from '../http/origin-check.js'
import { Parameters } from '../http/parameters.js'
import type { Provider } from '../provider.js'
import { respondToClient, issue, sendToLogin } from './authorize.js'
import { loginOf } from '../session/sessions.js'
import { checkFormToken } from '../http/page-token.js'

export function decisionEndpoint (provider: Provider) {
  const { sessions, users, clients, transactions, permissions } = provider
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    checkOrigin(request, provider.issuerOf)
    const body = request.body === undefined ? new Parameters([]) : formOf(request)
    const session = await sessions.load(request)
    const userId = loginOf(session)
    const user = userId === undefined ? undefined : await users.byId(userId)
    if (session === undefined || user === undefined) return await sendToLogin(provider, request, reply, undefined)
    const id = body.get('transaction_id') ?? Parameters.ofQuery(request.url).get('transaction_id')
    if (id === undefined || body.repeated.size > 0) throw new InvalidRequest('The parameter transaction_id is missing.')
    checkFormToken(provider, session, body)
    const asked = await transactions.take(session, id)
    const client = asked === undefined ? undefined : await clients.find(asked.clientId)
    if (asked === undefined || client === undefined) {
      throw new AccessDenied('The request is unknown, too old, or was decided before.')
    }
    return await respondToClient(provider, request, reply, asked, async () => {
      if (body.has('cancel')) throw new AccessDenied('The user refused.')
      const scopes = approvedScopes(asked, body)
      const approved = { ...asked, scopes }
      await permissions.add(client.id, users.idOf(user), consentsOf(approved))
      return await issue(provider, request, reply, session, client, user, approved)
    })
  }
}

/**
 * What the user allows, and never more than was asked for (O-054): all of it, what a page of the application names, or
 * what stayed ticked on the built-in one.
 * @throws AccessDenied for an openid request without `openid` (OI-112)
 */
function approvedScopes ({ scopes, openId }: AuthorizationRequest, body: Parameters): readonly string[] {
  if (openId !== undefined && body.get('choice') === 'yes') {
    return scopes.filter(scope => scope === 'openid' || body.get(`scope.${scope}`) === 'yes')
  }
  const given = parseScope(body.get('scope'))
  const approved = given === undefined ? scopes : scopes.filter(scope => given.includes(scope))
  if (openId !== undefined && !approved.includes('openid')) throw new AccessDenied('The user refused to be known.')
  return approved
}
