/**
 * Challenges (OI-213): random texts that prove a first step. The data source has only their digest, and conditional
 * changes of its rows decide who was first, so that one works once, over all processes.
 */
import { randomBytes } from 'node:crypto'
import type { ModelClass, Row } from '@fastback/core'
import { deleteRows, findRowById, insertRow, updateRows } from '@fastback/core/remote'
import { challengeInvalid } from '../errors.js'
import { isSameText } from '../same-text.js'
import { digest, idOfUser, versionOf } from './account.js'

/** Seconds. */
export const challengeTtl = 300
/** Wrong proofs after which a challenge is none. */
const maxTries = 5

const quiet = { notify: false }

/** A challenge that was read. */
export interface Challenge {
  /** Undefined: it is not about a user that is known already. */
  readonly userId: string | undefined
  readonly data: Readonly<Record<string, unknown>>
  /** Whether the account has the password and the address that it had. */
  fits (user: Readonly<Row>): boolean
  /**
   * Uses it up. Before something is given out for it.
   * @throws RequestError 401 CHALLENGE_INVALID where another request was faster
   */
  use (): Promise<void>
}

/**
 * Challenges of one user model. `secondFactors(Model).challenges`.
 *
 * ```js
 * const challenge = await challenges.make('login', user, { ttl: 3600 }) // 43 characters, good for 300 s
 * const found = await challenges.take('login', challenge) // counts as one of five tries
 * if (isRight) await found.use()
 * ```
 */
export class Challenges {
  /** @param rows the model UserChallenge */
  constructor (readonly Model: ModelClass, readonly rows: () => ModelClass) {}

  /**
   * Makes one: 256 random bits, base64url.
   * @param purpose one of another purpose is none (at most 32 characters)
   * @param user whose it is; undefined: a user is found later
   * @param data what the next step needs to know; no secrets
   */
  async make (purpose: string, user?: Readonly<Row>, data: Readonly<Record<string, unknown>> = {}): Promise<string> {
    const text = randomBytes(32).toString('base64url')
    await insertRow(this.rows().compiled, {
      id: digest(text), principalType: this.Model.modelName, purpose,
      ...(user === undefined ? {} : { userId: String(idOfUser(this.Model, user)), version: versionOf(user) }),
      data: JSON.stringify(data), tries: 0, expires: new Date(Date.now() + challengeTtl * 1000)
    }, quiet)
    return text
  }

  /**
   * Reads one, and counts a try before the proof is judged: a proof of many at once counts like those one after the
   * other.
   * @throws RequestError 401 CHALLENGE_INVALID for one that is unknown, used, over, of another purpose or user model,
   * or that had five wrong proofs
   */
  async take (purpose: string, text: unknown): Promise<Challenge> {
    if (typeof text !== 'string' || text.length !== 43) throw challengeInvalid()
    const id = digest(text)
    const row = await this.#counted(id)
    const { Model } = this
    const isOurs = row !== undefined && isSameText(row.id, id) && row.purpose === purpose &&
      row.principalType === Model.modelName && (row.expires as Date).getTime() > Date.now()
    if (!isOurs) throw challengeInvalid()
    const { userId, version } = row
    return {
      userId: typeof userId === 'string' ? userId : undefined,
      data: JSON.parse(row.data as string) as Record<string, unknown>,
      fits: user => String(idOfUser(Model, user)) === userId && isSameText(version, versionOf(user)),
      use: async () => {
        const { count } = await deleteRows(this.rows().compiled, { id }, quiet)
        if (count !== 1) throw challengeInvalid()
      }
    }
  }

  /** The row, once one more try is counted there. Requests that come together count one after the other. */
  async #counted (id: string): Promise<Row | undefined> {
    const { compiled } = this.rows()
    for (let round = 0; round <= maxTries; round++) {
      const row = await findRowById(compiled, id, undefined, quiet)
      if (row === undefined) return undefined
      const tries = Number(row.tries)
      if (tries >= maxTries) break
      const { count } = await updateRows(compiled, { and: [{ id }, { tries }] }, { tries: tries + 1 }, quiet)
      if (count === 1) return row
    }
    await deleteRows(compiled, { and: [{ id }, { tries: { gte: maxTries } }] }, quiet)
    return undefined
  }

  /** Ends all of a user. */
  async end (userIds: readonly unknown[], options: object = quiet): Promise<void> {
    const where = { and: [{ principalType: this.Model.modelName }, { userId: { inq: userIds.map(String) } }] }
    await deleteRows(this.rows().compiled, where, { ...options, ...quiet })
  }

  /** Removes those whose time is over (OI-278). */
  async sweep (): Promise<void> {
    await deleteRows(this.rows().compiled, { expires: { lte: new Date() } }, quiet)
  }
}
