// Written by "fastback types" from the model definitions: a change here is lost. Run it again after a change of the models.
import type * as fastback from '@fastback/cli'

export type ACLDefinition = {
  name: 'ACL'
  base: 'ACL'
  properties: {
    model: { type: 'string' }
    property: { type: 'string' }
    accessType: { type: 'string' }
    permission: { type: 'string' }
    principalType: { type: 'string' }
    principalId: { type: 'string' }
    id: { type: 'number', id: true, generated: true }
  }
  relations: {}
}
export type ACL = fastback.RowType<ACLDefinition>
export type ACLInstance = fastback.Instance<ACLDefinition>
export type ACLModel = fastback.FolderModel<ACLDefinition>

export type AccessTokenDefinition = {
  name: 'AccessToken'
  base: 'AccessToken'
  properties: {
    id: { type: 'string', id: true }
    ttl: { type: 'number', default: unknown }
    scopes: { type: ['string'] }
    created: { type: 'date', default: unknown }
    userId: { type: 'number' }
  }
  relations: {
    user: { type: 'belongsTo', model: 'User', foreignKey: 'userId' }
  }
}
export type AccessToken = fastback.RowType<AccessTokenDefinition>
export type AccessTokenInstance = fastback.Instance<AccessTokenDefinition>
export type AccessTokenModel = fastback.FolderModel<AccessTokenDefinition>

export type RoleDefinition = {
  name: 'Role'
  base: 'Role'
  properties: {
    id: { type: 'number', id: true, generated: true }
    name: { type: 'string', required: true }
    description: { type: 'string' }
    created: { type: 'date', default: unknown }
    modified: { type: 'date', default: unknown }
  }
  relations: {
    principals: { type: 'hasMany', model: 'RoleMapping', foreignKey: 'roleId' }
  }
}
export type Role = fastback.RowType<RoleDefinition>
export type RoleInstance = fastback.Instance<RoleDefinition>
export type RoleModel = fastback.FolderModel<RoleDefinition>

export type RoleMappingDefinition = {
  name: 'RoleMapping'
  base: 'RoleMapping'
  properties: {
    id: { type: 'number', id: true, generated: true }
    principalType: { type: 'string' }
    principalId: { type: 'string' }
    roleId: { type: 'number' }
  }
  relations: {
    role: { type: 'belongsTo', model: 'Role', foreignKey: 'roleId' }
  }
}
export type RoleMapping = fastback.RowType<RoleMappingDefinition>
export type RoleMappingInstance = fastback.Instance<RoleMappingDefinition>
export type RoleMappingModel = fastback.FolderModel<RoleMappingDefinition>

export type UserDefinition = {
  name: 'User'
  base: 'User'
  properties: {
    realm: { type: 'string' }
    username: { type: 'string' }
    password: { type: 'string', required: true }
    email: { type: 'string', required: true }
    emailVerified: { type: 'boolean' }
    verificationToken: { type: 'string' }
    id: { type: 'number', id: true, generated: true }
  }
  relations: {
    accessTokens: { type: 'hasMany', model: 'AccessToken', foreignKey: 'userId' }
  }
}
export type User = fastback.RowType<UserDefinition>
export type UserInstance = fastback.Instance<UserDefinition>
export type UserModel = fastback.FolderModel<UserDefinition>

/** The model classes by name, as in `app.models`. */
export interface Models {
  ACL: ACLModel
  AccessToken: AccessTokenModel
  Role: RoleModel
  RoleMapping: RoleMappingModel
  User: UserModel
}

/** What boot scripts are called with. */
export type Application = fastback.Application<Models>

declare module '@fastback/cli' {
  /** Where relations find the definitions of other models. */
  interface ModelTypes {
    ACL: ACLDefinition
    AccessToken: AccessTokenDefinition
    Role: RoleDefinition
    RoleMapping: RoleMappingDefinition
    User: UserDefinition
  }
}
