/** The rows of a user's factors (`UserFactor`). */
import type { ModelClass, Row } from '@fastback/core'
import { deleteRows, findRows, insertRow, updateRows } from '@fastback/core/remote'
import { digest } from './account.js'

const quiet = { notify: false }

/** What a row is: `passkey` is the kind that users and clients know as `webauthn`, `handle` their name of the user. */
export type RowKind = 'totp' | 'recovery' | 'passkey' | 'device' | 'handle'

/** A row of `UserFactor`. */
export interface FactorRow extends Row {
  readonly id: string
  readonly userId: string
  readonly principalType: string
  readonly kind: RowKind
  readonly name: string | null | undefined
  readonly secret: string | null | undefined
  readonly data: string | null | undefined
  readonly confirmed: boolean | null | undefined
  readonly lastStep: number | null | undefined
  readonly counter: number | null | undefined
  readonly created: Date
  readonly lastUsed: Date | null | undefined
}

/**
 * Rows of one user model's users. Every read and write names model and user (security.md, S-44); `change` and `remove`
 * say whether they found the row, so that of several at once one wins.
 *
 * ```js
 * await rows.change(row, { lastStep: { lt: step } }, { lastStep: step }) // false: another was faster
 * ```
 */
export class FactorRows {
  constructor (readonly Model: ModelClass, readonly find: () => ModelClass) {}

  /** The id of a row there is one of for each user, or for each user and `part` (a credential's id, a token's text). */
  idOf (userId: unknown, kind: RowKind, part = ''): string {
    return digest(JSON.stringify([this.Model.modelName, String(userId), kind, part]))
  }

  async of (userId: unknown, kinds?: readonly RowKind[]): Promise<FactorRow[]> {
    const kind = kinds === undefined ? [] : [{ kind: { inq: kinds } }]
    const where = { and: [...this.#owner(userId), ...kind] }
    return await findRows(this.find().compiled, { where, order: 'created ASC' }, quiet) as FactorRow[]
  }

  /** @throws RequestError 409 or DUPLICATE_ID where there is a row with the id */
  async add (userId: unknown, kind: RowKind, row: Readonly<Partial<FactorRow>> & { id: string }): Promise<void> {
    await insertRow(this.find().compiled, {
      created: new Date(), ...row, kind, userId: String(userId), principalType: this.Model.modelName
    }, quiet)
  }

  /** Changes a row that is still as `condition` says. */
  async change (
    row: Pick<FactorRow, 'id' | 'userId'>, condition: object, changes: Readonly<Partial<FactorRow>>
  ): Promise<boolean> {
    const where = { and: [...this.#owner(row.userId), { id: row.id }, condition] }
    return (await updateRows(this.find().compiled, where, changes, quiet)).count === 1
  }

  async remove (row: Pick<FactorRow, 'id' | 'userId'>, condition: object = {}): Promise<boolean> {
    const where = { and: [...this.#owner(row.userId), { id: row.id }, condition] }
    return (await deleteRows(this.find().compiled, where, quiet)).count === 1
  }

  /** @param options with the transaction of the change that ends them, where there is one */
  async removeAll (userIds: readonly unknown[], kinds?: readonly RowKind[], options: object = {}): Promise<number> {
    const kind = kinds === undefined ? [] : [{ kind: { inq: kinds } }]
    const where = {
      and: [{ principalType: this.Model.modelName }, { userId: { inq: userIds.map(String) } }, ...kind]
    }
    return (await deleteRows(this.find().compiled, where, { ...options, ...quiet })).count
  }

  #owner (userId: unknown): object[] {
    return [{ principalType: this.Model.modelName }, { userId: String(userId) }]
  }
}
