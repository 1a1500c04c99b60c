/** A client application as the endpoints see it. */
import type { Row } from '@fastback/core'

export interface Client {
  readonly id: string
  /** What the owner of the data is shown. */
  readonly name: string
  /** Cannot keep a secret. */
  readonly isPublic: boolean
  readonly authMethod: 'none' | 'secret' | 'private_key_jwt'
  readonly secretHash: string | undefined
  /** Key of a record of LoopBack's that has no secret. */
  readonly restApiKey: string | undefined
  readonly redirectUris: readonly string[]
  /** Undefined: all. */
  readonly grantTypes: readonly string[] | undefined
  readonly responseTypes: readonly string[] | undefined
  readonly scopes: readonly string[] | undefined
  /** Sees the tokens of all clients at introspection. */
  readonly isResourceServer: boolean
  readonly requirePkce: boolean
  /** Origins of its pages, as browsers write them. */
  readonly allowedOrigins: readonly string[]
  readonly row: Readonly<Row>
}

export function clientOf (row: Readonly<Row>, idName: string): Client {
  const method = row.tokenEndpointAuthMethod
  const isPublic = row.clientType === 'public' || (method === 'none' && row.clientType !== 'confidential')
  const secret = text(row.clientSecret)
  return {
    id: String(row[idName]),
    name: text(row.clientName) ?? text(row.name) ?? String(row[idName]),
    isPublic,
    authMethod: isPublic ? 'none' : method === 'private_key_jwt' ? 'private_key_jwt' : 'secret',
    secretHash: secret,
    restApiKey: secret === undefined ? text(row.restApiKey) : undefined,
    redirectUris: list(row.callbackUrls) ?? list(row.redirectUris) ?? list(row.redirectURIs) ?? [],
    grantTypes: list(row.grantTypes),
    responseTypes: list(row.responseTypes),
    scopes: list(row.scopes),
    isResourceServer: row.resourceServer === true,
    requirePkce: row.requirePkce === true,
    allowedOrigins: list(row.allowedOrigins) ?? [],
    row
  }
}

/** A client's record as views, callbacks and handlers see it. */
export function withoutSecrets ({ row }: Client): Row {
  const {
    clientSecret, registrationAccessToken, clientKey, javaScriptKey, restApiKey, windowsKey, masterKey, ...shown
  } = row
  return shown
}

const text = (value: unknown): string | undefined => typeof value === 'string' && value !== '' ? value : undefined

/** An empty list in a client's record means no restriction. */
const list = (value: unknown): readonly string[] | undefined =>
  Array.isArray(value) && value.length > 0 ? value.map(String) : undefined

/** Whether a client may use a grant. */
export const mayUse = ({ grantTypes }: Client, grantType: string): boolean =>
  grantTypes === undefined || grantTypes.includes(grantType)
