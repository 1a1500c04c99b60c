/**
 * Remembered devices: a text that stands in place of a second factor for a time, at a login with the right password.
 */
import { randomBytes } from 'node:crypto'
import type { Row } from '@fastback/core'
import { isSameText } from '../same-text.js'
import { digest, idOfUser, versionOf } from './account.js'
import type { FactorRow, FactorRows } from './factor-rows.js'

/** More than these and the oldest are forgotten. */
const most = 20

/**
 * Devices of a user model's users. The data source has the digest of what the device has, bound to the account's
 * password and address.
 *
 * ```js
 * const deviceToken = await devices.remember(user) // 43 characters; undefined where devices are not remembered
 * await devices.knows(user, deviceToken) // true, until the password or a factor changes
 * ```
 */
export class Devices {
  /** @param seconds that one is remembered; 0: none is */
  constructor (readonly rows: FactorRows, readonly seconds: number) {}

  async remember (user: Readonly<Row>, name?: unknown): Promise<string | undefined> {
    if (this.seconds === 0) return undefined
    const userId = idOfUser(this.rows.Model, user)
    const known = await this.rows.of(userId, ['device'])
    for (const row of known.slice(0, Math.max(0, known.length - most + 1))) await this.rows.remove(row)
    const text = randomBytes(32).toString('base64url')
    await this.rows.add(userId, 'device', {
      id: this.#idOf(userId, text), data: versionOf(user), confirmed: true, lastUsed: new Date(),
      ...(typeof name === 'string' && name !== '' ? { name: name.slice(0, 255) } : {})
    })
    return text
  }

  async knows (user: Readonly<Row>, text: unknown): Promise<boolean> {
    if (this.seconds === 0 || typeof text !== 'string' || text.length !== 43) return false
    const userId = idOfUser(this.rows.Model, user)
    const id = this.#idOf(userId, text)
    const row = (await this.rows.of(userId, ['device'])).find(each => isSameText(each.id, id))
    if (row === undefined || !this.#isGood(row) || !isSameText(row.data, versionOf(user))) return false
    return await this.rows.change(row, { data: row.data }, { lastUsed: new Date() })
  }

  /** Those that still count. */
  async of (userId: unknown): Promise<FactorRow[]> {
    return (await this.rows.of(userId, ['device'])).filter(row => this.#isGood(row))
  }

  #isGood = ({ created }: FactorRow): boolean => created.getTime() + this.seconds * 1000 > Date.now()
  #idOf = (userId: unknown, text: string): string => this.rows.idOf(userId, 'device', digest(text))
}
