/** The client credentials grant: the client has authenticated, and its token is about nobody else (O-140 to O-144). */
import type { Row } from '@fastback/core'
import { checkScope, parseScope } from '../checks/scope.js'
import type { Client } from '../clients/client.js'
import { InvalidGrant } from '../errors.js'
import type { Parameters } from '../http/parameters.js'
import type { Provider } from '../provider.js'
import type { Issued } from '../stores/tokens.js'
import { consentWords, isConsented } from './consents.js'
import { targeted, type Wishes } from './wishes.js'

export async function clientCredentialsGrant (
  provider: Provider, client: Client, body: Parameters, wishes: Wishes
): Promise<Issued> {
  const { settings, users, tokens } = provider
  const given = checkScope(client, parseScope(body.get('scope')), settings.defaultScopes)
  // There is nobody whom an id_token, or userinfo, could be about (OI-61).
  const scopes = provider.openId === undefined ? given : given.filter(scope => scope !== 'openid')
  const subject = settings.clientCredentialsSubject
    ? (body.get('sub') ?? body.get('subject') ?? body.get('username'))
    : undefined
  const words = consentWords(scopes, wishes.resources)
  const user = subject === undefined ? undefined : await permittingUser(provider, client, subject, words)
  const userId = user === undefined ? undefined : users.idOf(user)
  return await tokens.issue({
    client, user, userId, grantType: 'client_credentials', refreshable: false, ...targeted(provider, wishes, scopes)
  })
}

/** The user that the option `clientCredentialsSubject` lets the token act for: one who consented to the scopes. */
async function permittingUser (
  { users, permissions }: Provider,
  client: Client,
  name: string,
  words: readonly string[]
): Promise<Row> {
  const user = await users.byName(name)
  const permitted = user === undefined ? undefined : await permissions.of(client.id, users.idOf(user))
  if (user === undefined || permitted === undefined || !isConsented(permitted, words)) {
    throw new InvalidGrant('The user did not permit this.')
  }
  return user
}
