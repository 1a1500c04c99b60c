/**
 * Small rows that all processes see and that end by themselves. What may be used once is taken out by a delete that
 * says whether it found the row, so that of several processes one gets it.
 */
import { randomBytes } from 'node:crypto'
import { sha256 } from '@fastback/core/connector'
import { isSameText } from '@fastback/auth/service'
import type { ModelClass, Row } from '@fastback/core'
import {
  createInstance, createInstances, deleteRows, findRowById, findRows, isIdTaken, updateRows
} from '@fastback/core/remote'

const quiet = { notify: false }

/** 256 random bits as 43 characters. */
export const randomText = (): string => randomBytes(32).toString('base64url')

export const digest = (text: string): string => sha256(text)

export class Records {
  constructor (readonly find: () => ModelClass) {}

  get Model (): ModelClass {
    return this.find()
  }

  /** Stores a row unless there is one: false when there was. */
  async add (key: string, row: Row): Promise<boolean> {
    try {
      await createInstance(this.Model.compiled, { ...row, id: digest(key) }, quiet)
      return true
    } catch (error) {
      if (isIdTaken(error)) return false
      throw error
    }
  }

  /** Stores the same for several keys: false when one of them was there, and then perhaps none. */
  async addMany (keys: readonly string[], row: Row): Promise<boolean> {
    try {
      await createInstances(this.Model.compiled, keys.map(key => ({ ...row, id: digest(key) })), quiet)
      return true
    } catch (error) {
      if (isIdTaken(error)) return false
      throw error
    }
  }

  get (key: string): Promise<Row | undefined> {
    return this.byDigest(digest(key))
  }

  async byDigest (id: string): Promise<Row | undefined> {
    const row = await findRowById(this.Model.compiled, id, undefined, quiet)
    // A column may take other letters for the same (security.md, S-79).
    if (row === undefined || !isSameText(row.id, id)) return undefined
    return (row.expiredAt as Date).getTime() > Date.now() ? row : undefined
  }

  async where (where: object, order = 'created ASC'): Promise<Row[]> {
    return await findRows(this.Model.compiled, { where, order, limit: 200 }, quiet)
  }

  async change (key: string, changes: Row): Promise<boolean> {
    const { count } = await updateRows(this.Model.compiled, { id: digest(key) }, changes, quiet)
    return count === 1
  }

  /** Takes a row out whose time is over. */
  async removeExpired (key: string): Promise<void> {
    await this.removeAll({ id: digest(key), expiredAt: { lte: new Date() } })
  }

  /** Takes a row out: false when another was faster, or there was none. */
  remove (key: string): Promise<boolean> {
    return this.removeDigest(digest(key))
  }

  async removeDigest (id: string): Promise<boolean> {
    return await this.removeAll({ id }) === 1
  }

  async removeAll (where: object): Promise<number> {
    return (await deleteRows(this.Model.compiled, where, quiet)).count
  }
}
