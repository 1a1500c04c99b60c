/** The rows of keys. Every change is conditional: of several processes one makes it (OI-37). */
import { UniqueIndexError, ValidationError, RequestError, type ModelClass } from '@fastback/core'
import { createInstance, deleteRows, findRows, updateRows } from '@fastback/core/remote'
import type { JWK } from 'jose'
import type { SigningAlgorithm } from './options.js'

const quiet = { notify: false }

export type KeyState = 'next' | 'current' | 'past'

export interface KeyRow {
  /** The key id. */
  readonly id: string
  readonly alg: SigningAlgorithm
  readonly generation: number
  readonly publicKey: JWK
  /** Sealed. */
  readonly privateKey: string
  readonly salt: string
  readonly state: KeyState
  readonly createdAt: Date
  readonly currentFrom?: Date | null
  readonly pastFrom?: Date | null
}

export class KeyRows {
  constructor (readonly Model: ModelClass) {}

  /** All, the newest of each algorithm first. */
  async all (): Promise<readonly KeyRow[]> {
    const rows = await findRows(this.Model.compiled, { order: ['generation DESC', 'id ASC'] }, quiet)
    return rows as unknown as readonly KeyRow[]
  }

  /** Stores a key unless there is one of its algorithm and generation: false when there is. */
  async insert (row: KeyRow): Promise<boolean> {
    try {
      await createInstance(this.Model.compiled, { ...row }, quiet)
      return true
    } catch (error) {
      const isThere = error instanceof UniqueIndexError || error instanceof ValidationError ||
        (error instanceof RequestError && error.statusCode === 409)
      if (isThere) return false
      throw error
    }
  }

  /** Takes a key from one state to another: true for one caller only. */
  async move (id: string, from: KeyState, to: KeyState): Promise<boolean> {
    const changes = to === 'past' ? { state: to, pastFrom: new Date() } : { state: to, currentFrom: new Date() }
    const { count } = await updateRows(this.Model.compiled, { id, state: from }, changes, quiet)
    return count === 1
  }

  /** Writes a key that was sealed anew, unless somebody else did. */
  async reseal ({ id, privateKey: before }: KeyRow, { sealed, salt }: { sealed: string, salt: string }): Promise<void> {
    await updateRows(this.Model.compiled, { id, privateKey: before }, { privateKey: sealed, salt }, quiet)
  }

  /** Removes a key: true for one caller only. */
  async remove (id: string): Promise<boolean> {
    return (await deleteRows(this.Model.compiled, { id }, quiet)).count === 1
  }
}
