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

export type ApplicationDefinition = {
  name: 'Application'
  base: 'Application'
  properties: {
    id: { type: 'string', id: true }
    realm: { type: 'string' }
    name: { type: 'string', required: true }
    description: { type: 'string' }
    icon: { type: 'string' }
    owner: { type: 'string' }
    collaborators: { type: ['string'] }
    email: { type: 'string' }
    emailVerified: { type: 'boolean' }
    url: { type: 'string' }
    callbackUrls: { type: ['string'] }
    permissions: { type: ['string'] }
    clientKey: { type: 'string' }
    javaScriptKey: { type: 'string' }
    restApiKey: { type: 'string' }
    windowsKey: { type: 'string' }
    masterKey: { type: 'string' }
    pushSettings: { type: 'object' }
    authenticationEnabled: { type: 'boolean', default: unknown }
    anonymousAllowed: { type: 'boolean', default: unknown }
    authenticationSchemes: { type: ['object'] }
    status: { type: 'string', default: unknown }
    created: { type: 'date', default: unknown }
    modified: { type: 'date', default: unknown }
  }
  relations: {}
}
export type ApplicationRow = fastback.RowType<ApplicationDefinition>
export type ApplicationInstance = fastback.Instance<ApplicationDefinition>
export type ApplicationModel = fastback.FolderModel<ApplicationDefinition>

export type InstallationDefinition = {
  name: 'Installation'
  properties: {
    appId: { type: 'string', required: true }
    appVersion: { type: 'string' }
    badge: { type: 'number' }
    created: { type: 'date', default: unknown }
    deviceToken: { type: 'string', required: true }
    deviceType: { type: 'string', required: true }
    modified: { type: 'date' }
    status: { type: 'string' }
    subscriptions: { type: ['string'] }
    timeZone: { type: 'string' }
    userId: { type: 'string' }
    lastSeen: { type: 'date' }
    failures: { type: 'number' }
    topic: { type: 'string' }
    deviceKey: { type: 'string' }
    id: { type: 'number', id: true, generated: true }
  }
  relations: {}
}
export type Installation = fastback.RowType<InstallationDefinition>
export type InstallationInstance = fastback.Instance<InstallationDefinition>
export type InstallationModel = fastback.FolderModel<InstallationDefinition>

export type NotificationDefinition = {
  name: 'Notification'
  properties: {
    alert: { type: 'any' }
    badge: { type: 'any' }
    category: { type: 'string' }
    collapseKey: { type: 'string' }
    contentAvailable: { type: 'boolean' }
    created: { type: 'date', default: unknown }
    delayWhileIdle: { type: 'boolean' }
    deviceToken: { type: 'string', required: true }
    deviceType: { type: 'string', required: true }
    expirationInterval: { type: 'number' }
    expirationTime: { type: 'date' }
    modified: { type: 'date' }
    scheduledTime: { type: 'date' }
    sound: { type: 'string' }
    status: { type: 'string' }
    urlArgs: { type: ['string'] }
    id: { type: 'number', id: true, generated: true }
  }
  relations: {}
}
export type Notification = fastback.RowType<NotificationDefinition>
export type NotificationInstance = fastback.Instance<NotificationDefinition>
export type NotificationModel = fastback.FolderModel<NotificationDefinition>

/** common/models/push.json */
export type PushDefinition = {
  name: 'Push'
  base: 'Model'
  idInjection: false
  properties: {}
  relations: {}
  statics: {
    /** The key that browsers subscribe with */
    webKey: (appId: string) => Promise<string>
    /** Sends a notification to the browsers of the caller */
    notifyMe: (text: string, options?: fastback.OperationOptions) => Promise<number>
  }
  calls: {
    webKey: { args: { appId: string }, result: { publicKey: string } }
    notifyMe: { args: { text: string, options?: fastback.OperationOptions }, result: { sent: number } }
  }
}
export type Push = fastback.RowType<PushDefinition>
export type PushInstance = fastback.Instance<PushDefinition>
export type PushModel = fastback.FolderModel<PushDefinition>

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
  Application: ApplicationModel
  Installation: InstallationModel
  Notification: NotificationModel
  Push: PushModel
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
    Application: ApplicationDefinition
    Installation: InstallationDefinition
    Notification: NotificationDefinition
    Push: PushDefinition
    Role: RoleDefinition
    RoleMapping: RoleMappingDefinition
    User: UserDefinition
  }
}
