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

/** common/models/note.json */
export type NoteDefinition = {
  name: 'Note'
  properties: {
    id: { type: 'string', id: true, default: unknown }
    title: { type: 'string', required: true }
    done: { type: 'boolean', default: unknown }
    ownerId: { type: 'number' }
  }
  relations: {
    owner: { type: 'belongsTo', model: 'User', foreignKey: 'ownerId' }
  }
  statics: {
    /** Create a checkpoint. */
    checkpoint: () => Promise<Record<string, unknown>>
    /** Get the current checkpoint. */
    currentCheckpoint: () => Promise<number>
    /** Get the changes to a model since a given checkpoint. Provide a filter object to reduce the number of results returned. */
    changes: (since?: number, filter?: Record<string, unknown>, options?: fastback.OperationOptions) => Promise<Array<Record<string, unknown>>>
    /** Get a set of deltas and conflicts since the given checkpoint. */
    diff: (since?: number, remoteChanges?: unknown, options?: fastback.OperationOptions) => Promise<Record<string, unknown>>
    /** Create an update list from a delta list. */
    createUpdates: (deltas?: unknown, options?: fastback.OperationOptions) => Promise<Array<Record<string, unknown>>>
    /** Run multiple updates at once. Note: this is not atomic. */
    bulkUpdate: (updates: unknown[], options?: fastback.OperationOptions) => Promise<void>
    /** Get the most recent change record for this instance. */
    findLastChange: (id: unknown, options?: fastback.OperationOptions) => Promise<Record<string, unknown> | null>
    /** Update the properties of the most recent change record kept for this instance: "prev". */
    updateLastChange: (id: unknown, data?: Record<string, unknown>, options?: fastback.OperationOptions) => Promise<Record<string, unknown>>
    /** What changed since the cursor of last time, in pages. */
    syncPull: (after?: string, limit?: number, filter?: Record<string, unknown>, version?: number, options?: fastback.OperationOptions) => Promise<{
      changes: Array<{
        /** The id of a row */
        id: string | number
        /** The revision of the row */
        rev?: string
        /** A row, without its hidden properties */
        data?: Record<string, unknown>
        /** The row is gone */
        deleted?: true
        /** The row is none of the filter or of the caller any more */
        left?: true
        /** When it was */
        at?: string
      }>
      /** What to send as "after" next time */
      cursor: string
      /** Whether there is more by now */
      more: boolean
    }>
    /** Writes of a client, each upon the revision that it knew. */
    syncPush: (changes: {
      /** At most 1,000; each with one of "data", "fields" and "deleted" */
      changes: Array<{
        /** The id of a row */
        id: string | number
        /** The revision written upon; null: there was no row */
        base?: string | null
        /** A row, without its hidden properties */
        data?: Record<string, unknown>
        /** Some properties */
        fields?: Record<string, unknown>
        deleted?: true
      }>
      /** All or none. Default: false */
      atomic?: boolean
      /** The version of the rows that the client was made for */
      version?: number
    }, argument2?: string, options?: fastback.OperationOptions) => Promise<{
      /** In the order of the changes */
      results: Array<{
        /** The id of a row */
        id: string | number
        ok?: true
        /** null: the row is gone */
        rev?: string
        /** A row, without its hidden properties */
        data?: Record<string, unknown>
        deleted?: true
        /** There was a conflict, which the server settled: whose row it is by now */
        resolved?: "client" | "server" | "fields" | "hook"
        /** The row as it is instead */
        conflict?: {
          rev: string
          /** A row, without its hidden properties */
          data?: Record<string, unknown>
          deleted?: true
        }
        /** Why the row was refused */
        error?: {
          statusCode: number
          code?: string
          message: string
          details?: unknown
          [property: string]: unknown
        }
        /** Not written, as another change of an atomic push was not */
        skipped?: true
      }>
    }>
    /** Events "changed" when there may be something to pull. */
    syncLive: (after?: string, filter?: Record<string, unknown>, version?: number, options?: fastback.OperationOptions) => Promise<unknown>
  }
  calls: {
    checkpoint: { args: {}, result: Record<string, unknown> }
    currentCheckpoint: { args: {}, result: number }
    changes: { args: { since?: number, filter?: Record<string, unknown>, options?: fastback.OperationOptions }, result: Array<Record<string, unknown>> }
    diff: { args: { since?: number, remoteChanges?: unknown, options?: fastback.OperationOptions }, result: Record<string, unknown> }
    createUpdates: { args: { deltas?: unknown, options?: fastback.OperationOptions }, result: Array<Record<string, unknown>> }
    bulkUpdate: { args: { updates: unknown[], options?: fastback.OperationOptions }, result: unknown }
    findLastChange: { args: { id: unknown, options?: fastback.OperationOptions }, result: Record<string, unknown> | null }
    updateLastChange: { args: { id: unknown, data?: Record<string, unknown>, options?: fastback.OperationOptions }, result: Record<string, unknown> }
    syncPull: { args: { after?: string, limit?: number, filter?: Record<string, unknown>, version?: number, options?: fastback.OperationOptions }, result: {
      changes: Array<{
        /** The id of a row */
        id: string | number
        /** The revision of the row */
        rev?: string
        /** A row, without its hidden properties */
        data?: Record<string, unknown>
        /** The row is gone */
        deleted?: true
        /** The row is none of the filter or of the caller any more */
        left?: true
        /** When it was */
        at?: string
      }>
      /** What to send as "after" next time */
      cursor: string
      /** Whether there is more by now */
      more: boolean
    } }
    syncPush: { args: { changes: {
      /** At most 1,000; each with one of "data", "fields" and "deleted" */
      changes: Array<{
        /** The id of a row */
        id: string | number
        /** The revision written upon; null: there was no row */
        base?: string | null
        /** A row, without its hidden properties */
        data?: Record<string, unknown>
        /** Some properties */
        fields?: Record<string, unknown>
        deleted?: true
      }>
      /** All or none. Default: false */
      atomic?: boolean
      /** The version of the rows that the client was made for */
      version?: number
    }, 'Idempotency-Key'?: string, options?: fastback.OperationOptions }, result: {
      /** In the order of the changes */
      results: Array<{
        /** The id of a row */
        id: string | number
        ok?: true
        /** null: the row is gone */
        rev?: string
        /** A row, without its hidden properties */
        data?: Record<string, unknown>
        deleted?: true
        /** There was a conflict, which the server settled: whose row it is by now */
        resolved?: "client" | "server" | "fields" | "hook"
        /** The row as it is instead */
        conflict?: {
          rev: string
          /** A row, without its hidden properties */
          data?: Record<string, unknown>
          deleted?: true
        }
        /** Why the row was refused */
        error?: {
          statusCode: number
          code?: string
          message: string
          details?: unknown
          [property: string]: unknown
        }
        /** Not written, as another change of an atomic push was not */
        skipped?: true
      }>
    } }
    syncLive: { args: { after?: string, filter?: Record<string, unknown>, version?: number, options?: fastback.OperationOptions }, result: { events: unknown } }
  }
}
export type Note = fastback.RowType<NoteDefinition>
export type NoteInstance = fastback.Instance<NoteDefinition>
export type NoteModel = fastback.FolderModel<NoteDefinition>

export type NoteChangeDefinition = {
  name: 'Note-change'
  properties: {
    id: { type: 'string', id: true }
    rev: { type: 'string' }
    prev: { type: 'string' }
    checkpoint: { type: 'number' }
    modelName: { type: 'string' }
    modelId: { type: 'string' }
  }
  relations: {}
}
export type NoteChange = fastback.RowType<NoteChangeDefinition>
export type NoteChangeInstance = fastback.Instance<NoteChangeDefinition>
export type NoteChangeModel = fastback.FolderModel<NoteChangeDefinition>

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

export type SyncDefinition = {
  name: 'Sync'
  base: 'Model'
  idInjection: false
  properties: {}
  relations: {}
  statics: {
    /** What changed in several models since the cursors of last time. */
    pull: (models: {
      /** For each model the cursor of last time, or null */
      models: Record<string, unknown>
      filters?: Record<string, unknown>
      /** Changes of each model. Default: 500 */
      limit?: number
      version?: number
    }, options?: fastback.OperationOptions) => Promise<{
      models: Record<string, unknown>
    }>
  }
  calls: {
    pull: { args: { models: {
      /** For each model the cursor of last time, or null */
      models: Record<string, unknown>
      filters?: Record<string, unknown>
      /** Changes of each model. Default: 500 */
      limit?: number
      version?: number
    }, options?: fastback.OperationOptions }, result: {
      models: Record<string, unknown>
    } }
  }
}
export type Sync = fastback.RowType<SyncDefinition>
export type SyncInstance = fastback.Instance<SyncDefinition>
export type SyncModel = fastback.FolderModel<SyncDefinition>

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
  Note: NoteModel
  'Note-change': NoteChangeModel
  Role: RoleModel
  RoleMapping: RoleMappingModel
  Sync: SyncModel
  User: UserModel
}

/** What boot scripts are called with. */
export type Application = fastback.Application<Models>

declare module '@fastback/cli' {
  /** Where relations find the definitions of other models. */
  interface ModelTypes {
    ACL: ACLDefinition
    AccessToken: AccessTokenDefinition
    Note: NoteDefinition
    'Note-change': NoteChangeDefinition
    Role: RoleDefinition
    RoleMapping: RoleMappingDefinition
    Sync: SyncDefinition
    User: UserDefinition
  }
}
