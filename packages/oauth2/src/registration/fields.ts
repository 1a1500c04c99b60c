/**
 * The metadata of clients that are known here: their names in the protocol, their properties, and what they may be
 * (OI-192, OI-196). Whatever else a registration has is neither read nor stored.
 */
import type { Settings } from '../settings.js'
import { InvalidClientMetadata } from './errors.js'

export type Metadata = Readonly<Record<string, unknown>>

const longestText = 200
const longestUri = 2000
const longestList = 20

export const faulty = (name: string, fault: string): InvalidClientMetadata =>
  new InvalidClientMetadata(`${name} ${fault}.`)

/** Control, format and separating characters, and halves of pairs: they make a name look like another. */
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u

type Read = (name: string, value: unknown) => unknown

const text: Read = (name, value) => {
  if (typeof value !== 'string' || value.trim() === '' || value.length > longestText || hidden.test(value)) {
    throw faulty(name, `must be a text of at most ${longestText} characters without control characters`)
  }
  return value
}

/** What an address can be written with: nothing that a parser drops, and a header or a policy takes for its end. */
const plainUri = /^[\x21\x23-\x3b\x3d\x3f-\x5b\x5d\x5f\x61-\x7a\x7e]+$/

export const isPlainUri = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= longestUri && plainUri.test(value) && URL.canParse(value)

/** Shown to people, opened by browsers or fetched. */
const httpsUri: Read = (name, value) => {
  const url = isPlainUri(value) ? new URL(value) : undefined
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '') throw faulty(name, 'must be an https URI')
  return value
}

const listOf = (read: Read): Read => (name, value) => {
  if (!Array.isArray(value) || value.length > longestList) throw faulty(name, `must be a list of at most ${longestList}`)
  return [...new Set(value.map(each => read(name, each)))]
}

const flag: Read = (name, value) => {
  if (typeof value !== 'boolean') throw faulty(name, 'must be true or false')
  return value
}

const seconds: Read = (name, value) => {
  if (!Number.isSafeInteger(value) || (value as number) < 0) throw faulty(name, 'must be a whole number of seconds')
  return value
}

const object: Read = (name, value) => {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) throw faulty(name, 'must be an object')
  return value
}

export interface Field {
  /** In a registration. */
  readonly name: string
  /** Of the client model. */
  readonly property: string
  /** @throws InvalidClientMetadata */
  readonly read: Read
}

const field = (name: string, property: string, read: Read): Field => ({ name, property, read })

const always: readonly Field[] = [
  field('redirect_uris', 'redirectURIs', listOf((_name, value) => value)),
  field('token_endpoint_auth_method', 'tokenEndpointAuthMethod', text),
  field('grant_types', 'grantTypes', listOf(text)),
  field('response_types', 'responseTypes', listOf(text)),
  field('application_type', 'applicationType', text),
  field('client_name', 'clientName', text),
  field('client_uri', 'clientURI', httpsUri),
  field('logo_uri', 'logoURI', httpsUri),
  field('tos_uri', 'tosURI', httpsUri),
  field('policy_uri', 'policyURI', httpsUri),
  field('contacts', 'contacts', listOf(text)),
  field('jwks_uri', 'jwksURI', httpsUri),
  field('jwks', 'jwks', object),
  field('software_id', 'softwareId', text),
  field('software_version', 'softwareVersion', text)
]

const ofOpenId: readonly Field[] = [
  field('post_logout_redirect_uris', 'postLogoutRedirectURIs', listOf((name, value) => {
    if (!isPlainUri(value)) throw faulty(name, 'must be absolute URIs')
    return value
  })),
  field('backchannel_logout_uri', 'backchannelLogoutURI', httpsUri),
  field('backchannel_logout_session_required', 'backchannelLogoutSessionRequired', flag),
  field('initiate_login_uri', 'initiateLoginURI', httpsUri),
  field('id_token_signed_response_alg', 'idTokenSignedResponseAlg', text),
  field('userinfo_signed_response_alg', 'userinfoSignedResponseAlg', text),
  field('subject_type', 'subjectType', text),
  field('sector_identifier_uri', 'sectorIdentifierURI', httpsUri),
  field('default_max_age', 'defaultMaxAge', seconds),
  field('require_auth_time', 'requireAuthTime', flag),
  field('default_acr_values', 'defaultAcrValues', listOf(text))
]

const ofFrontChannel: readonly Field[] = [
  field('frontchannel_logout_uri', 'frontchannelLogoutURI', httpsUri),
  field('frontchannel_logout_session_required', 'frontchannelLogoutSessionRequired', flag)
]

/** RFC 9449, section 5.2. */
const ofDpop: readonly Field[] = [field('dpop_bound_access_tokens', 'dpopBoundAccessTokens', flag)]

const ofPushed: readonly Field[] = [
  field('require_pushed_authorization_requests', 'requirePushedAuthorizationRequests', flag)
]

/**
 * What can be registered here.
 *
 * ```js
 * fieldsOf(settings).map(({ name }) => name) // ['redirect_uris', …]
 * ```
 */
export const fieldsOf = (
  { openId, pushed, dpop }: Pick<Settings, 'openId' | 'pushed' | 'dpop'>
): readonly Field[] => [
  ...always,
  ...openId === undefined ? [] : ofOpenId,
  ...openId?.frontchannelLogout === true ? ofFrontChannel : [],
  ...dpop === undefined ? [] : ofDpop,
  ...pushed === undefined ? [] : ofPushed
]

/**
 * A registration by the properties of the client model: those that it has a value for.
 *
 * ```js
 * readFields(fields, { client_name: 'Shop', trusted: true }) // { clientName: 'Shop' }
 * ```
 * @throws InvalidClientMetadata
 */
export function readFields (fields: readonly Field[], given: Metadata): Record<string, unknown> {
  const found: Record<string, unknown> = {}
  for (const { name, property, read } of fields) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined
    if (value !== undefined && value !== null) found[property] = read(name, value)
  }
  return found
}
