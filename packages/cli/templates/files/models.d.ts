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

/** common/models/document.json */
export type DocumentDefinition = {
  name: 'Document'
  properties: {
    title: { type: 'string', required: true }
    file: { type: 'string', required: true }
    type: { type: 'string' }
    size: { type: 'number', required: true }
    createdAt: { type: 'date', default: unknown }
    id: { type: 'number', id: true, generated: true }
    ownerId: { type: 'number' }
  }
  relations: {
    owner: { type: 'belongsTo', model: 'User', foreignKey: 'ownerId' }
  }
}
export type Document = fastback.RowType<DocumentDefinition>
export type DocumentInstance = fastback.Instance<DocumentDefinition>
export type DocumentModel = fastback.FolderModel<DocumentDefinition>

/** common/models/folder.json */
export type FolderDefinition = {
  name: 'Folder'
  base: 'Model'
  idInjection: false
  properties: {}
  relations: {}
  statics: {
    /** Lists the containers */
    getContainers: (filter?: Record<string, unknown>, options?: fastback.OperationOptions) => Promise<Array<Record<string, unknown>>>
    /** Makes a container of the given name */
    createContainer: (data: unknown, options?: fastback.OperationOptions) => Promise<Record<string, unknown>>
    /** Tells about a container */
    getContainer: (container: string, options?: fastback.OperationOptions) => Promise<Record<string, unknown>>
    /** Removes a container with its files */
    destroyContainer: (container: string, options?: fastback.OperationOptions) => Promise<Record<string, unknown>>
    /** Lists the files of a container */
    getFiles: (container: string, filter?: Record<string, unknown>, options?: fastback.OperationOptions) => Promise<Array<Record<string, unknown>>>
    /** Tells about a file */
    getFile: (container: string, file: string, options?: fastback.OperationOptions) => Promise<Record<string, unknown>>
    /** Removes a file */
    removeFile: (container: string, file: string, options?: fastback.OperationOptions) => Promise<Record<string, unknown>>
    /** Takes the files of a form (multipart/form-data) */
    upload: (container: string, req?: any, res?: any) => Promise<Record<string, unknown>>
    /** Sends a file */
    download: (container: string, file: string, req?: any, res?: any) => Promise<void>
    /** Begins an upload that can go on after a cut (tus 1.0) */
    beginUpload: (container: string, req?: any, res?: any, argument4?: string, argument5?: string, argument6?: string) => Promise<void>
    /** Tells how far an upload is */
    statUpload: (container: string, upload: string, req?: any, res?: any, argument5?: string) => Promise<void>
    /** Takes the next bytes of an upload */
    continueUpload: (container: string, upload: string, req?: any, res?: any, argument5?: string, argument6?: string) => Promise<void>
    /** Gives an upload up */
    cancelUpload: (container: string, upload: string, req?: any, res?: any, argument5?: string) => Promise<void>
    /** Tells what is offered of the protocol */
    describeUpload: (container: string, req?: any, res?: any) => Promise<void>
  }
  calls: {
    getContainers: { args: { filter?: Record<string, unknown>, options?: fastback.OperationOptions }, result: Array<Record<string, unknown>> }
    createContainer: { args: { data: unknown, options?: fastback.OperationOptions }, result: Record<string, unknown> }
    getContainer: { args: { container: string, options?: fastback.OperationOptions }, result: Record<string, unknown> }
    destroyContainer: { args: { container: string, options?: fastback.OperationOptions }, result: { result: Record<string, unknown> } }
    getFiles: { args: { container: string, filter?: Record<string, unknown>, options?: fastback.OperationOptions }, result: Array<Record<string, unknown>> }
    getFile: { args: { container: string, file: string, options?: fastback.OperationOptions }, result: Record<string, unknown> }
    removeFile: { args: { container: string, file: string, options?: fastback.OperationOptions }, result: { result: Record<string, unknown> } }
    upload: { args: { container: string, req?: any, res?: any }, result: { result: Record<string, unknown> } }
    download: { args: { container: string, file: string, req?: any, res?: any }, result: unknown }
    beginUpload: { args: { container: string, req?: any, res?: any, 'Tus-Resumable'?: string, 'Upload-Length'?: string, 'Upload-Metadata'?: string }, result: unknown }
    statUpload: { args: { container: string, upload: string, req?: any, res?: any, 'Tus-Resumable'?: string }, result: unknown }
    continueUpload: { args: { container: string, upload: string, req?: any, res?: any, 'Tus-Resumable'?: string, 'Upload-Offset'?: string }, result: unknown }
    cancelUpload: { args: { container: string, upload: string, req?: any, res?: any, 'Tus-Resumable'?: string }, result: unknown }
    describeUpload: { args: { container: string, req?: any, res?: any }, result: unknown }
  }
}
export type Folder = fastback.RowType<FolderDefinition>
export type FolderInstance = fastback.Instance<FolderDefinition>
export type FolderModel = fastback.FolderModel<FolderDefinition>

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
  Document: DocumentModel
  Folder: FolderModel
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
    Document: DocumentDefinition
    Folder: FolderDefinition
    Role: RoleDefinition
    RoleMapping: RoleMappingDefinition
    User: UserDefinition
  }
}
