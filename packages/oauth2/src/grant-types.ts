/** The grants by the names of the option `supportedGrantTypes`, with the values of the protocol. */

export const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

export const grantTypes = {
  authorizationCode: 'authorization_code',
  implicit: 'implicit',
  clientCredentials: 'client_credentials',
  resourceOwnerPasswordCredentials: 'password',
  refreshToken: 'refresh_token',
  jwt: jwtBearer
} as const

export type GrantName = keyof typeof grantTypes
export type GrantType = typeof grantTypes[GrantName]

export const grantNames = Object.keys(grantTypes) as GrantName[]

/** What `generateToken` is told, in the words of LoopBack's component. */
export const grantWords: Readonly<Record<GrantType, string>> = {
  authorization_code: 'Authorization Code',
  implicit: 'Implicit',
  client_credentials: 'Client Credentials',
  password: 'Resource Owner Password Credentials',
  refresh_token: 'Refresh Token',
  [jwtBearer]: 'JWT'
}
