/** The grants by the names of the option `supportedGrantTypes`, with the values of the protocol. */

export const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

/** RFC 8628. Only with the option `deviceFlow`: `supportedGrantTypes` does not name it. */
export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'

export const grantTypes = {
  authorizationCode: 'authorization_code',
  implicit: 'implicit',
  clientCredentials: 'client_credentials',
  resourceOwnerPasswordCredentials: 'password',
  refreshToken: 'refresh_token',
  jwt: jwtBearer
} as const

export type GrantName = keyof typeof grantTypes
export type GrantType = typeof grantTypes[GrantName] | typeof deviceGrant

export const grantNames = Object.keys(grantTypes) as GrantName[]

/** The profiles that have a grant (option `profile`): no other may be on with one. */
export const grantProfiles: Readonly<Record<GrantType, ReadonlyArray<'oauth2.1' | 'fapi2'>>> = {
  authorization_code: ['oauth2.1', 'fapi2'],
  implicit: [],
  client_credentials: ['oauth2.1', 'fapi2'],
  password: [],
  refresh_token: ['oauth2.1', 'fapi2'],
  [jwtBearer]: ['oauth2.1'],
  [deviceGrant]: ['oauth2.1', 'fapi2']
}

/** What `generateToken` is told, in the words of LoopBack's component. */
export const grantWords: Readonly<Record<GrantType, string>> = {
  authorization_code: 'Authorization Code',
  implicit: 'Implicit',
  client_credentials: 'Client Credentials',
  password: 'Resource Owner Password Credentials',
  refresh_token: 'Refresh Token',
  [jwtBearer]: 'JWT',
  [deviceGrant]: 'Device Code'
}
