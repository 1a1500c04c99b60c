/** What users have consented to (O-052, O-053). */
import {
  UniqueIndexError,
  ValidationError,
  type HookContext,
  type MaybePromise,
  type ModelClass,
  type Row
} from '@fastback/core'
import { createInstance, deleteRows, findOneRow, findRows, updateRows } from '@fastback/core/remote'
import { covers } from '../checks/scope.js'
import type { Grants } from './grants.js'

const quiet = { notify: false }

/** A consent. */
export interface Permission {
  /** The client. */
  readonly appId: string
  readonly scopes: readonly string[]
  readonly issuedAt: Date | undefined
}

const isPast = ({ expiredAt }: Row): boolean => expiredAt instanceof Date && expiredAt.getTime() <= Date.now()

export class Permissions {
  constructor (readonly Model: ModelClass, grants: Grants) {
    // A consent that is taken back takes the tokens with it.
    Model.observe('before delete', async (context: HookContext) => {
      context.hookState.oauth2Withdrawn = await findRows(Model.compiled, { where: context.where ?? {} }, quiet)
    })
    Model.observe('after delete', async (context: HookContext) => {
      for (const { appId, userId } of (context.hookState.oauth2Withdrawn ?? []) as Row[]) {
        await grants.revokeAllOf(appId, userId)
      }
    })
  }

  /** The scopes that a user gave to a client; undefined without any consent. */
  async of (appId: string, userId: unknown): Promise<readonly string[] | undefined> {
    const row = await this.#find(appId, userId)
    if (row === undefined || isPast(row)) return undefined
    return Array.isArray(row.scopes) ? row.scopes as string[] : []
  }

  /** Adds scopes to what was given before. */
  async add (appId: string, userId: unknown, scopes: readonly string[]): Promise<void> {
    const known = await this.#find(appId, userId)
    if (known === undefined) {
      try {
        await createInstance(this.Model.compiled, { appId, userId, scopes, issuedAt: new Date() })
        return
      } catch (error) {
        // Somebody else was quicker: theirs is added to.
        if (!(error instanceof ValidationError) && !(error instanceof UniqueIndexError)) throw error
      }
    }
    const row = await this.#find(appId, userId)
    const before = Array.isArray(row?.scopes) ? row.scopes as string[] : []
    if (row === undefined || covers(before, scopes)) return
    await updateRows(
      this.Model.compiled,
      { id: row.id },
      { scopes: [...new Set([...before, ...scopes])], issuedAt: new Date() },
      quiet
    )
  }

  /** What a user has given to clients, the oldest first. */
  async ofUser (userId: unknown): Promise<Permission[]> {
    const rows: Row[] = await findRows(this.Model.compiled, { where: { userId }, order: ['issuedAt ASC'] }, quiet)
    return rows.filter(row => !isPast(row)).map(({ appId, scopes, issuedAt }) => ({
      appId: String(appId),
      scopes: Array.isArray(scopes) ? scopes as string[] : [],
      issuedAt: issuedAt instanceof Date ? issuedAt : undefined
    }))
  }

  /** Takes a consent back, and the tokens with it. */
  async withdraw (appId: string, userId: unknown): Promise<void> {
    await deleteRows(this.Model.compiled, { appId, userId })
  }

  #find (appId: string, userId: unknown): MaybePromise<Row | undefined> {
    return findOneRow(this.Model.compiled, { where: { appId, userId } }, quiet)
  }
}
