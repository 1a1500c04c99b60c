/** What a client that registers itself may be (OI-193 to OI-195). */
import { redirectUriFault } from '../checks/redirect-uri.js'
import { parseScope } from '../checks/scope.js'
import { InvalidScope } from '../errors.js'
import { deviceGrant } from '../grant-types.js'
import { frontChannelFault } from '../openid/logout/front-channel.js'
import { sectorOf } from '../openid/subject.js'
import type { Settings } from '../settings.js'
import { InvalidRedirectUri, InvalidSoftwareStatement } from './errors.js'
import { faulty, fieldsOf, isPlainUri, readFields, type Metadata } from './fields.js'
import type { RegistrationSettings } from './options.js'

/** The part of a client's row that its registration decides; null: it has none. */
export type ClientRow = Record<string, unknown> & {
  readonly redirectURIs: readonly string[]
  readonly tokenEndpointAuthMethod: string
  readonly clientType: 'public' | 'confidential'
  readonly grantTypes: readonly string[]
  readonly responseTypes: readonly string[]
  readonly scopes: readonly string[]
}

export interface CheckSettings {
  readonly server: Pick<Settings, 'openId' | 'pushed' | 'dpop' | 'jwtAlgorithms'>
  readonly registration: Pick<RegistrationSettings, 'allowedScopes' | 'allowedGrantTypes'>
}

const grantOfResponse: Readonly<Record<string, string>> = { code: 'authorization_code', token: 'implicit' }
const methods = ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt']

/**
 * The whole row of a client, of what it registers: what is left out has its default (OI-199).
 *
 * ```js
 * checkClient({ redirect_uris: ['https://shop.example/cb'] }, settings).grantTypes // ['authorization_code']
 * ```
 * @throws InvalidClientMetadata, InvalidRedirectUri, InvalidSoftwareStatement
 */
export function checkClient (given: Metadata, { server, registration }: CheckSettings): ClientRow {
  if (given.software_statement !== undefined) {
    throw new InvalidSoftwareStatement('No software statement is trusted here.')
  }
  const fields = fieldsOf(server)
  const read = readFields(fields, given)
  const method = checkMethod(read.tokenEndpointAuthMethod ?? 'client_secret_basic')
  checkKeys(read, method, given, server.jwtAlgorithms)
  const { grantTypes, responseTypes } = checkGrants(read, method, registration.allowedGrantTypes)
  const applicationType = read.applicationType ?? 'web'
  if (applicationType !== 'web' && applicationType !== 'native') throw faulty('application_type', 'must be web or native')
  const redirectURIs = checkRedirects((read.redirectURIs ?? []) as unknown[], applicationType)
  if (redirectURIs.length === 0 && responseTypes.length > 0) {
    throw new InvalidRedirectUri('redirect_uris needs at least one address.')
  }
  for (const uri of (read.postLogoutRedirectURIs ?? []) as string[]) {
    const fault = redirectFault(uri, applicationType)
    if (fault !== undefined) throw faulty('post_logout_redirect_uris', fault)
  }
  const frontChannel = read.frontchannelLogoutURI
  const unframed = frontChannel === undefined ? undefined : frontChannelFault(frontChannel, redirectURIs)
  if (unframed !== undefined) throw faulty('frontchannel_logout_uri', unframed)
  const row = {
    ...Object.fromEntries(fields.map(({ property }) => [property, null])),
    ...read,
    applicationType,
    redirectURIs,
    tokenEndpointAuthMethod: method,
    clientType: method === 'none' ? 'public' as const : 'confidential' as const,
    grantTypes,
    responseTypes,
    scopes: checkScopes(given.scope, registration.allowedScopes)
  }
  if (server.openId !== undefined) checkSubjects(row, server.openId.subject)
  return row
}

function checkMethod (method: unknown): string {
  if (!methods.includes(method as string)) throw faulty('token_endpoint_auth_method', `must be one of ${methods.join(', ')}`)
  return method as string
}

function checkKeys (read: Metadata, method: string, given: Metadata, algorithms: readonly string[]): void {
  const { jwks, jwksURI } = read
  if (jwks !== undefined && jwksURI !== undefined) throw faulty('jwks', 'and jwks_uri must not both be there')
  if (method === 'private_key_jwt' && jwks === undefined && jwksURI === undefined) {
    throw faulty('jwks', 'or jwks_uri is needed for private_key_jwt')
  }
  const algorithm = given.token_endpoint_auth_signing_alg
  if (algorithm !== undefined && algorithm !== null && !algorithms.includes(algorithm as string)) {
    throw faulty('token_endpoint_auth_signing_alg', `must be one of ${algorithms.join(', ')}`)
  }
}

/** An empty list in a row would mean that there is no restriction: there is none of grants. */
function checkGrants (read: Metadata, method: string, allowed: ReadonlySet<string>): {
  readonly grantTypes: readonly string[], readonly responseTypes: readonly string[]
} {
  const grantTypes = (read.grantTypes ?? ['authorization_code']) as string[]
  const responses = Object.keys(grantOfResponse)
  const responseTypes = (read.responseTypes ??
    responses.filter(response => grantTypes.includes(grantOfResponse[response] as string))) as string[]
  if (grantTypes.length === 0) throw faulty('grant_types', 'must not be empty')
  if (!grantTypes.every(grant => allowed.has(grant))) {
    throw faulty('grant_types', `must be of ${[...allowed].join(', ')}`)
  }
  if (!responseTypes.every(response => responses.includes(response))) {
    throw faulty('response_types', `must be of ${responses.join(', ')}`)
  }
  for (const response of responses) {
    if (responseTypes.includes(response) !== grantTypes.includes(grantOfResponse[response] as string)) {
      throw faulty('response_types', `and grant_types do not fit: ${response} goes with ${grantOfResponse[response] as string}`)
    }
  }
  if (method === 'none' && grantTypes.includes('client_credentials')) {
    throw faulty('grant_types', 'client_credentials needs a client that authenticates')
  }
  return { grantTypes, responseTypes }
}

/** OI-194. */
function redirectFault (uri: unknown, type: 'web' | 'native'): string | undefined {
  const fault = isPlainUri(uri) ? redirectUriFault(uri, false) : 'must be absolute URIs of plain characters'
  if (fault !== undefined) return fault
  const { protocol } = new URL(uri as string)
  if (type === 'web') return protocol === 'https:' ? undefined : 'must be https for a web application'
  return protocol === 'http:' || protocol.includes('.')
    ? undefined
    : 'must be loopback addresses, or have a scheme with a dot, for a native application'
}

function checkRedirects (uris: readonly unknown[], type: 'web' | 'native'): readonly string[] {
  for (const uri of uris) {
    const fault = redirectFault(uri, type)
    if (fault !== undefined) throw new InvalidRedirectUri(`redirect_uris ${fault}.`)
  }
  return uris as string[]
}

/** An empty list in a row would mean all scopes: it is refused, not stored (OI-195). */
function checkScopes (given: unknown, allowed: readonly string[]): readonly string[] {
  if (given === undefined || given === null) return allowed
  const asked = scopesIn(given)
  const scopes = allowed.filter(scope => asked.includes(scope))
  if (scopes.length === 0) throw faulty('scope', `must have one of ${allowed.join(', ')}`)
  return scopes
}

function scopesIn (given: unknown): readonly string[] {
  try {
    return typeof given === 'string' ? parseScope(given) ?? [] : []
  } catch (error) {
    if (error instanceof InvalidScope) throw faulty('scope', 'is malformed')
    throw error
  }
}

/**
 * Users are the same for all clients of a sector: nobody may register themselves into another's. The document at
 * `sector_identifier_uri` is not fetched, so that the one host of the redirect URIs has to be its host. That somebody
 * may name a host shows where a login ends there: with the device flow, none has to.
 */
function checkSubjects (row: ClientRow, usual: string): void {
  const own = sectorOf({ redirectURIs: row.redirectURIs })
  const named = row.sectorIdentifierURI
  if (typeof named === 'string' && new URL(named).host !== own) {
    throw faulty('sector_identifier_uri', 'must be of the one host of all redirect_uris')
  }
  const isPairwise = (row.subjectType ?? usual) === 'pairwise'
  if (isPairwise && (own === undefined || own === '')) {
    throw faulty('subject_type', 'pairwise needs redirect_uris of one host')
  }
  if (isPairwise && row.grantTypes.includes(deviceGrant)) {
    throw faulty('subject_type', 'pairwise does not go with the grant of devices')
  }
}
