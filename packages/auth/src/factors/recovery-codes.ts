/** Recovery codes (OI-222, OI-225, OI-226): ten, each works once. A row has the digests of all that are left. */
import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import type { Row } from '@fastback/core'
import { idOfUser } from './account.js'
import type { FactorRow, FactorRows } from './factor-rows.js'
import type { FactorWay } from './factor-way.js'

/** Thirty letters and digits that nobody takes for one another: ten of them are 49 bits. */
const alphabet = '23456789abcdefghjkmnpqrstuvwxyz'
const amount = 10
const length = 10

interface Stored {
  readonly salt: string
  readonly digests: readonly string[]
}

const newCode = (): string => Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')
const shown = (code: string): string => `${code.slice(0, length / 2)}-${code.slice(length / 2)}`
const hash = (salt: string, code: string): Buffer => createHash('sha256').update(`${salt} ${code}`).digest()
const storedIn = (row: FactorRow | undefined): Stored =>
  row === undefined ? { salt: '', digests: [] } : JSON.parse(row.data as string) as Stored

/**
 * The codes of a user model's users.
 *
 * ```js
 * const codes = await recovery.renew(user) // ['x2k4m-9qrst', …]; shown once
 * await recovery.prove(user, codes[0]) // true, and then never again
 * ```
 */
export class RecoveryCodes implements FactorWay {
  readonly kind = 'recovery'
  readonly amr = ['otp', 'mfa']

  constructor (readonly rows: FactorRows) {}

  /** Makes ten new ones; the old ones end. */
  async renew (user: Readonly<Row>): Promise<string[]> {
    const { rows } = this
    const userId = idOfUser(rows.Model, user)
    const codes = Array.from({ length: amount }, newCode)
    const salt = randomBytes(16).toString('base64url')
    const data = JSON.stringify({ salt, digests: codes.map(code => hash(salt, code).toString('base64url')) })
    // Those who do it at the same time: the codes of one of them are there in the end, all of them.
    for (;;) {
      const row = await this.#row(userId)
      const counter = Number(row?.counter ?? 0) + 1
      if (row === undefined) {
        if (await this.#added(userId, data)) break
      } else if (await rows.change(row, { counter: row.counter }, { data, counter, created: new Date() })) break
    }
    return codes.map(shown)
  }

  async #added (userId: unknown, data: string): Promise<boolean> {
    const id = this.rows.idOf(userId, 'recovery')
    try {
      await this.rows.add(userId, 'recovery', { id, data, confirmed: true, counter: 1 })
      return true
    } catch (error) {
      if (await this.#row(userId) === undefined) throw error
      return false
    }
  }

  /** How many are left. */
  async left (userId: unknown): Promise<number> {
    return storedIn(await this.#row(userId)).digests.length
  }

  /** Case, dashes and blanks do not matter. A right one is used up. */
  async prove (user: Readonly<Row>, given: unknown): Promise<boolean> {
    const code = typeof given === 'string' && given.length <= 64 ? given.replace(/[\s-]/g, '').toLowerCase() : ''
    if (code.length !== length) return false
    for (;;) {
      const row = await this.#row(idOfUser(this.rows.Model, user))
      const { salt, digests } = storedIn(row)
      const found = hash(salt, code)
      const left = digests.filter(each => !timingSafeEqual(Buffer.from(each, 'base64url'), found))
      if (row === undefined || left.length === digests.length) return false
      const data = JSON.stringify({ salt, digests: left })
      const changes = { data, counter: Number(row.counter) + 1, lastUsed: new Date() }
      if (await this.rows.change(row, { counter: row.counter }, changes)) return true
    }
  }

  async #row (userId: unknown): Promise<FactorRow | undefined> {
    return (await this.rows.of(userId, ['recovery']))[0]
  }
}
