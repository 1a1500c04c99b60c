/** Client authentication at the token, revocation and introspection endpoints (O-080 to O-094). */
import type { Attempt } from '@fastback/auth'
import { accountId, accountName } from '@fastback/auth/service'
import type { FastifyRequest } from 'fastify'
import { InvalidClient, InvalidRequest } from '../errors.js'
import { Parameters } from '../http/parameters.js'
import type { Provider } from '../provider.js'
import { BadAssertion } from './assertion.js'
import { basicCredentials, type IdAndSecret } from './basic-credentials.js'
import type { Client } from './client.js'

const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

/** An assertion, what an id and a secret may be (one of them is meant), or an id alone. */
type Credentials =
  | { readonly id: string, readonly assertion: string }
  | { readonly meanings: readonly IdAndSecret[] }
  | { readonly id: string }

/** The same words for an unknown client and for a wrong secret. */
const failed = (detail: string): InvalidClient => new InvalidClient('The client authentication failed.', detail)

/**
 * The client that sends a request.
 * @throws InvalidClient 401, InvalidRequest for several methods at once, TooManyAttempts 429, TemporarilyUnavailable
 * 503
 */
export async function authenticateClient (
  provider: Provider,
  request: FastifyRequest,
  body: Parameters
): Promise<Client> {
  const credentials = credentialsOf(provider, request, body)
  if (provider.settings.keysOnly && !('assertion' in credentials)) throw failed('the profile takes private_key_jwt only')
  if ('assertion' in credentials) {
    return await checkAssertion(provider, request, credentials.id, credentials.assertion)
  }
  if ('meanings' in credentials) return await checkSecret(provider, request, credentials.meanings)
  const client = await provider.clients.find(credentials.id)
  if (client?.authMethod !== 'none') throw failed('a client that must authenticate sends only its id')
  return client
}

function credentialsOf (
  { assertions, settings }: Provider, request: FastifyRequest, body: Parameters
): Credentials {
  refuseInQuery(request.url)
  const basic = readBasic(request.headers.authorization, settings.rawBasicCredentials)
  const [id, secret, assertion] = [body.get('client_id'), body.get('client_secret'), body.get('client_assertion')]
  const ways = Number(basic !== undefined) + Number(secret !== undefined) + Number(assertion !== undefined)
  if (ways > 1) throw new InvalidRequest('The client authenticates in more than one way.')
  if (basic !== undefined) {
    const meanings = id === undefined ? basic : basic.filter(each => each.id === id)
    if (meanings.length === 0) throw new InvalidRequest('The client_id is not the one that authenticates.')
    return { meanings }
  }
  if (assertion !== undefined) {
    if (body.get('client_assertion_type') !== assertionType) {
      throw new InvalidRequest('The client_assertion_type is not supported.')
    }
    const issuer = assertions.issuerOf(assertion)
    if (issuer === undefined) throw failed('the client assertion is no JWT')
    if (id !== undefined && id !== issuer) throw new InvalidRequest('The client_id is not the one that authenticates.')
    return { id: issuer, assertion }
  }
  if (id === undefined) throw failed('no credentials')
  return secret === undefined ? { id } : { meanings: [{ id, secret }] }
}

/** @throws InvalidRequest */
function refuseInQuery (url: string): void {
  if (!url.includes('?')) return
  const query = Parameters.ofQuery(url)
  if (['client_id', 'client_secret', 'client_assertion'].some(name => query.has(name))) {
    throw new InvalidRequest('Client credentials must not be sent in the query.')
  }
}

/** Another scheme is no client authentication. */
function readBasic (header: string | undefined, allowsRaw: boolean): readonly IdAndSecret[] | undefined {
  if (header === undefined) return undefined
  const meanings = basicCredentials(header, allowsRaw)
  if (meanings === undefined) throw failed('an authorization scheme other than Basic')
  if (meanings.length === 0) throw failed('a malformed Basic header')
  return meanings
}

/** What attempts on a client are counted by (O-094; security.md, S-77). */
function attemptOn (
  {
    models: {
      Client: { modelName }
    }
  }: Provider,
  { ip: address }: FastifyRequest,
  id: string,
  client: Client | undefined
): Attempt {
  return {
    what: 'oauth client',
    name: accountName(modelName, { id }),
    id: client === undefined ? undefined : accountId(modelName, client.id),
    address
  }
}

/**
 * Unknown clients take as long as known ones. A public client has no secret that could be right. However many meanings
 * a header has, it is one attempt.
 */
async function checkSecret (
  provider: Provider, request: FastifyRequest, meanings: readonly IdAndSecret[]
): Promise<Client> {
  const { attempts, secrets } = provider
  const { id, client } = await clientAmong(provider, meanings)
  const given = [...new Set(meanings.filter(each => each.id === id).map(({ secret }) => secret))]
    .map(secret => secrets.given(client, secret))
  const attempt = attemptOn(provider, request, id, client)
  // What was right lately, or is being compared just now, is no further guess: many requests of one client at once are
  // none.
  const known = given.find(each => each.known !== undefined)
  if (known !== undefined) await attempts?.check(attempt)
  const reservation = known === undefined ? await attempts?.reserve(attempt) : undefined
  let right = false
  for (const secret of given) right ||= await secret.verify()
  if (client === undefined || client.authMethod !== 'secret' || !right) throw failed('unknown client, or wrong secret')
  await reservation?.succeeded()
  return client
}

/** The first client that one of the meanings names; where there is none, the first id. */
async function clientAmong (
  { clients }: Provider, meanings: readonly IdAndSecret[]
): Promise<{ readonly id: string, readonly client: Client | undefined }> {
  const ids = [...new Set(meanings.map(({ id }) => id))]
  for (const id of ids) {
    const client = await clients.find(id)
    if (client !== undefined) return { id, client }
  }
  return { id: ids[0] as string, client: undefined }
}

/** An assertion cannot be guessed: those that fail are counted when they have failed. */
async function checkAssertion (
  provider: Provider,
  request: FastifyRequest,
  id: string,
  assertion: string
): Promise<Client> {
  const { assertions, attempts, audience } = provider
  const attempt = attemptOn(provider, request, id, await provider.clients.find(id))
  await attempts?.check(attempt)
  try {
    const verified = await assertions.verify(assertion, audience(request), ['jti'])
    const { client, claims } = verified
    if (client.authMethod !== 'private_key_jwt') {
      throw new BadAssertion('the client is not registered for private_key_jwt')
    }
    if (claims.sub !== client.id) throw new BadAssertion('issuer and subject differ')
    if (!(await assertions.use(assertion, verified))) throw new BadAssertion('it was used before')
    return client
  } catch (error) {
    if (!(error instanceof BadAssertion)) throw error
    await attempts?.reserve(attempt)
    throw failed(error.message)
  }
}
