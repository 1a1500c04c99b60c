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
