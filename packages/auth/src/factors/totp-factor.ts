/** Codes of an authenticator application as a factor of an account (OI-220 … OI-224). */
import type { Row } from '@fastback/core'
import { totpExists } from '../errors.js'
import { idOfUser } from './account.js'
import type { FactorRow, FactorRows } from './factor-rows.js'
import type { FactorWay } from './factor-way.js'
import type { SealedTexts } from './sealed-texts.js'
import { base32, newTotpSecret, stepOfCode, totpUri } from './totp.js'

/**
 * One secret for each user: made, then confirmed by a code.
 *
 * ```js
 * const { secret, uri } = await totp.enrol(user, 'Shop') // the only time that it is shown
 * await totp.confirm(user, '492039') // true
 * ```
 */
export class TotpFactor implements FactorWay {
  readonly kind = 'totp'
  readonly amr = ['otp', 'mfa']

  constructor (readonly rows: FactorRows, readonly sealed: () => SealedTexts) {}

  /**
   * Makes a secret; one that was not confirmed is replaced.
   * @throws RequestError 409 TOTP_EXISTS for a confirmed one
   */
  async enrol (user: Readonly<Row>, issuer: string): Promise<{ secret: string, uri: string }> {
    const { rows } = this
    const userId = idOfUser(rows.Model, user)
    const bytes = newTotpSecret()
    const texts = this.sealed()
    const written = { secret: await texts.seal(bytes.toString('base64url')), keyId: texts.keyId, confirmed: false }
    const row = await this.#row(userId)
    if (row?.confirmed === true) throw totpExists()
    const isStored = row === undefined
      ? await this.#added(userId, { counter: 1, ...written })
      : await rows.change(row, { and: [{ confirmed: false }, { counter: row.counter }] }, {
        ...written, counter: Number(row.counter) + 1, created: new Date()
      })
    // Another request was faster: what this one would show is not what is stored.
    if (!isStored) throw totpExists()
    const account = [user.email, user.username, userId].find(name => typeof name === 'string' && name !== '') ?? userId
    return { secret: base32(bytes), uri: totpUri(issuer, String(account), bytes) }
  }

  /** Makes it a factor by its first code, which counts as used. False for a wrong one, and where none waits. */
  async confirm (user: Readonly<Row>, otp: unknown): Promise<boolean> {
    const row = await this.#row(idOfUser(this.rows.Model, user))
    if (row === undefined || row.confirmed === true) return false
    const lastStep = await this.#step(row, otp)
    if (lastStep === undefined) return false
    return await this.rows.change(row, { and: [{ confirmed: false }, { counter: row.counter }] }, {
      confirmed: true, lastStep, lastUsed: new Date()
    })
  }

  /** A right code is used up, and all codes of before with it: of several at the same time one is right. */
  async prove (user: Readonly<Row>, otp: unknown): Promise<boolean> {
    const row = await this.#row(idOfUser(this.rows.Model, user))
    if (row?.confirmed !== true) return false
    const lastStep = await this.#step(row, otp)
    return lastStep !== undefined && await this.rows.change(row, {
      and: [{ confirmed: true }, { lastStep: { lt: lastStep } }, { counter: row.counter }]
    }, { lastStep, lastUsed: new Date() })
  }

  async #added (userId: unknown, row: Partial<FactorRow>): Promise<boolean> {
    try {
      await this.rows.add(userId, 'totp', { id: this.rows.idOf(userId, 'totp'), ...row })
      return true
    } catch (error) {
      if (await this.#row(userId) === undefined) throw error
      return false
    }
  }

  async #step (row: FactorRow, otp: unknown): Promise<number | undefined> {
    const secret = await this.sealed().open(row.secret)
    if (secret === undefined) return undefined
    return stepOfCode(Buffer.from(secret, 'base64url'), otp, Date.now(), row.lastStep)
  }

  async #row (userId: unknown): Promise<FactorRow | undefined> {
    return (await this.rows.of(userId, ['totp']))[0]
  }
}
