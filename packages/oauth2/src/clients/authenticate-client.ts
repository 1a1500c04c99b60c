/** Client authentication at the token, revocation and introspection endpoints (O-080 to O-094). */
import type { Attempt } from '@fastback/auth'
import { accountId, accountName } from '@fastback/auth/service'
import type { FastifyRequest } from 'fastify'
import { InvalidClient, InvalidRequest } from '../errors.js'
import { Parameters } from '../http/parameters.js'
import type { Provider } from '../provider.js'
import { BadAssertion } from './assertion.js'
import type { Client } from './client.js'

export const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

interface Credentials {
  readonly id: string
  readonly secret?: string
  readonly assertion?: string
}

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
  if (credentials.assertion !== undefined) {
    return await checkAssertion(provider, request, credentials.id, credentials.assertion)
  }
  const client = await provider.clients.find(credentials.id)
  if (credentials.secret !== undefined) {
    return await checkSecret(provider, request, credentials.id, client, credentials.secret)
  }
  if (client?.authMethod !== 'none') throw failed('a client that must authenticate sends only its id')
  return client
}

function credentialsOf ({ assertions }: Provider, request: FastifyRequest, body: Parameters): Credentials {
  refuseInQuery(request.url)
  const basic = basicCredentials(request.headers.authorization)
  const [id, secret, assertion] = [body.get('client_id'), body.get('client_secret'), body.get('client_assertion')]
  const ways = Number(basic !== undefined) + Number(secret !== undefined) + Number(assertion !== undefined)
  if (ways > 1) throw new InvalidRequest('The client authenticates in more than one way.')
  if (basic !== undefined) {
    if (id !== undefined && id !== basic.id) {
      throw new InvalidRequest('The client_id is not the one that authenticates.')
    }
    return basic
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
  return secret === undefined ? { id } : { id, secret }
}

/** @throws InvalidRequest */
function refuseInQuery (url: string): void {
  if (!url.includes('?')) return
  const query = Parameters.ofQuery(url)
  if (['client_id', 'client_secret', 'client_assertion'].some(name => query.has(name))) {
    throw new InvalidRequest('Client credentials must not be sent in the query.')
  }
}

/** Name and password of the header, each form-decoded (O-085). Another scheme is no client authentication. */
function basicCredentials (header: string | undefined): { id: string, secret: string } | undefined {
  if (header === undefined) return undefined
  const [, encoded] = /^basic +(.*)$/i.exec(header) ?? []
  if (encoded === undefined) throw failed('an authorization scheme other than Basic')
  const text = Buffer.from(encoded, 'base64').toString()
  const at = text.indexOf(':')
  try {
    if (at < 1) throw new URIError('no name')
    return { id: formDecoded(text.slice(0, at)), secret: formDecoded(text.slice(at + 1)) }
  } catch {
    throw failed('a malformed Basic header')
  }
}

/** @throws URIError */
const formDecoded = (text: string): string => /[+%]/.test(text) ? decodeURIComponent(text.replaceAll('+', ' ')) : text

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

/** Unknown clients take as long as known ones. A public client has no secret that could be right. */
async function checkSecret (
  provider: Provider, request: FastifyRequest, id: string, client: Client | undefined, secret: string
): Promise<Client> {
  const { attempts, secrets } = provider
  const attempt = attemptOn(provider, request, id, client)
  // What was right lately, or is being compared just now, is no further guess: many requests of one client at once are
  // none.
  const known = secrets.known(client, secret)
  if (known !== undefined) await attempts?.check(attempt)
  const reservation = known === undefined ? await attempts?.reserve(attempt) : undefined
  const right = await (known ?? secrets.verify(client, secret))
  if (client === undefined || client.authMethod !== 'secret' || !right) throw failed('unknown client, or wrong secret')
  await reservation?.succeeded()
  return client
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
