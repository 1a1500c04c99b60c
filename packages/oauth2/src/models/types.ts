/** The built-in models of this package as types: what models that extend them, and `app.models`, have. */
import type { Definition } from '@fastback/core'
import type { keyDefinition, openIdClientProperties } from '../openid/models.js'
import type {
  accessTokenDefinition,
  authorizationCodeDefinition,
  clientDefinition,
  permissionDefinition,
  scopeDefinition,
  scopeMappingDefinition,
  stateDefinition
} from './definitions.js'

/** What of a definition its types are made of. */
type Shape<D extends Definition> = Pick<D, keyof D & ('name' | 'base' | 'properties' | 'relations')>

export interface OAuthAccessTokenTypes extends Shape<typeof accessTokenDefinition> {
  readonly [setting: string]: unknown
}
export interface OAuthAuthorizationCodeTypes extends Shape<typeof authorizationCodeDefinition> {
  readonly [setting: string]: unknown
}
/** With the fields that the option `openid` adds. */
interface ClientShape extends Omit<Shape<typeof clientDefinition>, 'properties'> {
  readonly properties: typeof clientDefinition.properties & typeof openIdClientProperties
}
export interface OAuthClientApplicationTypes extends ClientShape {
  readonly [setting: string]: unknown
}
export interface OAuthKeyTypes extends Shape<typeof keyDefinition> {
  readonly [setting: string]: unknown
}
export interface OAuthPermissionTypes extends Shape<typeof permissionDefinition> {
  readonly [setting: string]: unknown
}
export interface OAuthScopeTypes extends Shape<typeof scopeDefinition> {
  readonly [setting: string]: unknown
}
export interface OAuthScopeMappingTypes extends Shape<typeof scopeMappingDefinition> {
  readonly [setting: string]: unknown
}
export interface OAuthStateTypes extends Shape<typeof stateDefinition> {
  readonly [setting: string]: unknown
}

declare module '@fastback/core' {
  interface BuiltinModelTypes {
    OAuthAccessToken: OAuthAccessTokenTypes
    OAuthAuthorizationCode: OAuthAuthorizationCodeTypes
    OAuthClientApplication: OAuthClientApplicationTypes
    OAuthKey: OAuthKeyTypes
    OAuthPermission: OAuthPermissionTypes
    OAuthScope: OAuthScopeTypes
    OAuthScopeMapping: OAuthScopeMappingTypes
    OAuthState: OAuthStateTypes
  }
}
