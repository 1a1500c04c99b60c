/**
 * What all processes on a data source must agree on: small records that end by themselves. Nothing about single use
 * lives in memory.
 */
import type { ModelClass, Row } from '@fastback/core'
import { createInstance, deleteRows, findRowById, findRows, isIdTaken, updateRows } from '@fastback/core/remote'
import { withDigest, type Digest } from '../digest.js'

export type StateKind =
  'session' | 'transaction' | 'jti' | 'grant' | 'login' | 'login grant' | 'logout' |
  'device' | 'user code' | 'device decision' | 'pushed' | 'dpop'

/** A record as it is listed: its id is a digest, and opens nothing. */
export interface StateRow {
  readonly id: string
  readonly data: Row
  readonly issuedAt: Date
  readonly expiredAt: Date
}

const quiet = { notify: false }

export class States {
  constructor (readonly Model: ModelClass, readonly digest: Digest) {}

  idOf (kind: StateKind, key: string): string {
    return this.digest(`${kind}:${key}`)
  }

  /**
   * Stores a record unless there is one: false when there was. The store decides, so only one of several processes gets
   * true.
   * @param userId the user whom it is about: it ends when that one's credentials change
   */
  async add (kind: StateKind, key: string, expiredAt: Date, data: object = {}, userId?: unknown): Promise<boolean> {
    try {
      await createInstance(this.Model.compiled, {
        id: this.idOf(kind, key), kind, data, issuedAt: new Date(), expiredAt,
        ...(userId === undefined ? {} : { userId: String(userId) })
      }, quiet)
      return true
    } catch (error) {
      if (isIdTaken(error)) return false
      throw error
    }
  }

  async get (kind: StateKind, key: string): Promise<{ data: Row, expiredAt: Date } | undefined> {
    const id = this.idOf(kind, key)
    const row = withDigest(await findRowById(this.Model.compiled, id, undefined, quiet), 'id', id)
    if (row === undefined || row.kind !== kind || (row.expiredAt as Date).getTime() <= Date.now()) return undefined
    return { data: row.data as Row, expiredAt: row.expiredAt as Date }
  }

  /** All records of a kind about a user that have not expired, the oldest first. */
  async ofUser (kind: StateKind, userId: unknown): Promise<StateRow[]> {
    const where = { userId: String(userId), kind, expiredAt: { gt: new Date() } }
    const rows: Row[] = await findRows(this.Model.compiled, { where, order: ['issuedAt ASC'] }, quiet)
    return rows.map(({ id, data, issuedAt, expiredAt }) =>
      ({ id: String(id), data: data as Row, issuedAt: issuedAt as Date, expiredAt: expiredAt as Date }))
  }

  /** Removes a record that was listed: false when it was gone already. */
  async removeRow ({ id }: Pick<StateRow, 'id'>): Promise<boolean> {
    const { count } = await deleteRows(this.Model.compiled, { id }, quiet)
    return count === 1
  }

  /** @param expiredAt default: as it was */
  async change (kind: StateKind, key: string, data: object, expiredAt?: Date): Promise<void> {
    const changes = { data, ...(expiredAt === undefined ? {} : { expiredAt }) }
    await updateRows(this.Model.compiled, { id: this.idOf(kind, key) }, changes, quiet)
  }

  /** Removes a record: false when it was gone already. */
  async remove (kind: StateKind, key: string): Promise<boolean> {
    const { count } = await deleteRows(this.Model.compiled, { id: this.idOf(kind, key) }, quiet)
    return count === 1
  }
}
