/** Asks the user (oauth2.md, section 5.1). */
import type { Row } from '@fastback/core'
import { findRows } from '@fastback/core/remote'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AuthorizationRequest } from '../checks/authorization-request.js'
import { withoutSecrets, type Client } from '../clients/client.js'
import { ServerError } from '../errors.js'
import { seeOther } from '../http/authorization-response.js'
import { sourceOf, withoutTraces } from '../pages/send-page.js'
import type { Provider } from '../provider.js'
import { describeResources } from '../resource/indicators.js'
import type { Session } from '../session/sessions.js'

export interface Question {
  readonly session: Session
  readonly client: Client
  readonly user: Row
  readonly asked: AuthorizationRequest
}

export async function askUser (
  provider: Provider, request: FastifyRequest, reply: FastifyReply, question: Question
): Promise<FastifyReply> {
  const { settings: { decisionPage: url, paths }, transactions, users } = provider
  const { session, client, user, asked } = question
  const transactionId = await transactions.begin(session, asked)
  if (url !== undefined) {
    const query = new URLSearchParams({ transactionId, userId: String(users.idOf(user)), clientId: client.id })
    for (const scope of asked.scopes) query.append('scope', scope)
    query.append('redirectURI', asked.redirectUri)
    return withoutTraces(reply).redirect(`${url}${url.includes('?') ? '&' : '?'}${query.toString()}`, seeOther(request))
  }
  const { decision } = paths
  if (decision === undefined) throw new ServerError('Consent is needed, and the decision endpoint is switched off.')
  const csrfToken = provider.csrf.create(session.data.csrf)
  const scopes = await describeScopes(provider, asked.scopes)
  const identity = asked.openId === undefined
    ? undefined
    : { claims: provider.openId?.claims.byScope(asked.scopes) ?? {}, named: asked.openId.named }
  const resources = describeResources(asked.resources ?? [], provider.settings.indicators)
  return await provider.pages.send(request, reply, 'decision', {
    action: decision,
    csrfToken,
    transactionId,
    client: client.name,
    user: users.nameFor(user),
    scopes,
    destination: destinationOf(asked.redirectUri),
    resources,
    identity
  }, {
    session,
    formAction: ["'self'", sourceOf(asked.redirectUri)],
    // The names of the original component.
    values: {
      transactionId,
      user: shown(user, ['password', 'verificationToken']),
      client: withoutSecrets(client),
      scopes: [...asked.scopes],
      redirectURI: asked.redirectUri,
      csrfToken,
      action: decision,
      ...(resources.length === 0 ? {} : { resources }),
      ...(identity === undefined ? {} : { claims: { ...identity.claims, ...named(identity.named) } }),
      scopeDescriptions: Object.fromEntries(scopes.map(({ scope, description }) => [scope, description]))
    }
  })
}

/** Claims without a scope stand under an empty one. */
const named = (claims: readonly string[]): Record<string, readonly string[]> =>
  claims.length === 0 ? {} : { '': claims }

const destinationOf = (uri: string): string => {
  const { protocol, host } = new URL(uri)
  return host === '' ? protocol : host
}

const shown = (row: Readonly<Row>, hidden: readonly string[]): Row =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !hidden.includes(name)))

/** Scopes with what the model `OAuthScope` says about them. */
export async function describeScopes (
  { models }: Provider, scopes: readonly string[]
): Promise<Array<{ scope: string, description: string | undefined }>> {
  const rows = scopes.length === 0
    ? []
    : await findRows(models.Scope.compiled, { where: { scope: { inq: [...scopes] } } }, { notify: false })
  return scopes.map(scope => {
    const description = rows.find(row => row.scope === scope)?.description
    return { scope, description: typeof description === 'string' ? description : undefined }
  })
}
