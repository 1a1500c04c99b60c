/**
 * When logins of users ended before their time. Our own sessions are rows, and go; those of the application's session
 * middleware are out of reach: each is asked for here when it comes (security.md, S-154).
 */
import type { LoggedIn } from './logged-in.js'
import { digest, type Records } from './records.js'

/** Milliseconds that an end is remembered. A session that is as old is over anyway. */
const remembered = 400 * 86_400_000
/** Users whose end is stored by one statement. */
const batch = 500

const keyOf = (model: string, id: string): string => `ended ${JSON.stringify([model, id])}`

export class EndedLogins {
  constructor (readonly records: Records) {}

  /** Logins of these users until a moment are over. */
  async note (model: string, userIds: readonly unknown[], at: number): Promise<void> {
    const keys = [...new Set(userIds.map(id => keyOf(model, String(id))))]
    const row = { kind: 'ended', data: { at }, created: new Date(at), expiredAt: new Date(at + remembered) }
    for (let from = 0; from < keys.length; from += batch) {
      const some = keys.slice(from, from + batch)
      await this.records.removeAll({ id: { inq: some.map(digest) } })
      for (const key of await this.records.addMany(some, row) ? [] : some) {
        // Another process noted one of them in between.
        if (!await this.records.add(key, row)) await this.records.change(key, row)
      }
    }
  }

  async has ({ model, id, at }: LoggedIn): Promise<boolean> {
    if (typeof at !== 'number' || at < Date.now() - remembered) return true
    const row = await this.records.get(keyOf(model, id))
    return row !== undefined && at <= (row.data as { at: number }).at
  }
}
