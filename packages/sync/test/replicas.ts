/** Replicas with the simplest client that there is, for histories of chance (sync-protocol.md). */
import type { Answer, Request, Site } from './history-sites.js'
import type { Loose } from './support.js'

interface Kept { rev: string | null, data: Loose }
interface Pending { base: string | null, data?: Loose, deleted?: true }

/** A client: the server's rows as it knows them, its own writes, and a request whose answer may have been lost. */
export class Replica {
  readonly rows = new Map<string, Kept>()
  readonly pending = new Map<string, Pending>()
  /** Writes of rows that were sent. */
  readonly sent: Array<{ id: string, title: string }> = []
  /** Conflicts that were reported. */
  readonly conflicts: Array<{ id: string, title: string }> = []
  /** All that came from the server. */
  readonly seen: Array<{ id: string, title: string }> = []
  #cursor: string | undefined
  #sent: { key: string, changes: Loose[] } | undefined
  #requests = 0

  /** @param server the number of the one that it asks first; the next request goes to the next one */
  constructor (readonly name: string, readonly site: Site, readonly server: number) {}

  get (id: string): Loose | undefined {
    const pending = this.pending.get(id)
    return pending === undefined ? this.rows.get(id)?.data : pending.data
  }

  write (id: string, title: string | undefined): void {
    // What is on its way may have been done: it is settled before the row is written again.
    if (this.#sent?.changes.some(change => change.id === id) === true) return
    const base = this.pending.get(id)?.base ?? this.rows.get(id)?.rev ?? null
    if (title === undefined && base === null) { this.pending.delete(id); return }
    this.pending.set(id, title === undefined ? { base, deleted: true } : { base, data: { id, title } })
  }

  /** @param isCut the response is lost: the same is sent again next time */
  async push (isCut: boolean): Promise<void> {
    if (this.#sent === undefined && this.pending.size === 0) return
    this.#sent ??= this.#gather()
    const { key, changes } = this.#sent
    const answer = await this.#ask('POST', '/Notes/sync/push', { changes }, { 'idempotency-key': key })
    if (answer === undefined || isCut) return
    this.#sent = undefined
    for (const [index, result] of answer.body.results.entries()) this.#settle(changes[index], result)
  }

  #gather (): { key: string, changes: Loose[] } {
    const changes = [...this.pending].map(([id, pending]) => ({ id, ...pending }))
    for (const { id, data } of changes) if (data !== undefined) this.sent.push({ id, title: data.title })
    return { key: `${this.name} ${String(this.#requests++)}`, changes }
  }

  #settle (change: Loose, result: Loose): void {
    const { id } = change
    const { statusCode } = result.error ?? {}
    // It may be tried again: it stays pending.
    if (statusCode === 409 || statusCode >= 500) return
    this.pending.delete(id)
    const now = result.ok === true ? { rev: result.rev, data: result.data ?? change.data } : result.conflict
    if (now === undefined) throw new Error(JSON.stringify(result))
    if (result.ok !== true) this.conflicts.push({ id, title: change.data?.title ?? 'deleted' })
    if (now.rev === null) this.rows.delete(id)
    else this.#keep(id, now)
  }

  #keep (id: string, { rev, data }: Kept): void {
    this.rows.set(id, { rev, data })
    this.seen.push({ id, title: data.title })
  }

  /**
   * Whether it came to the end.
   * @param pages at most so many; the line is cut then, and the rest comes another time
   */
  async pull (limit: number, pages = Infinity): Promise<boolean> {
    for (; pages > 0; pages--) {
      const after = this.#cursor === undefined ? '' : `&after=${encodeURIComponent(this.#cursor)}`
      const answer = await this.#ask('GET', `/Notes/sync/pull?limit=${String(limit)}${after}`)
      if (answer === undefined) return false
      if (answer.status === 410) { this.#cursor = undefined; continue }
      // The beginning tells of no deletes: what was pushed before it is told again, or is gone.
      if (this.#cursor === undefined) this.rows.clear()
      for (const { id, rev, data, deleted, left } of answer.body.changes) {
        if (deleted === true || left === true) this.rows.delete(id)
        else this.#keep(id, { rev, data })
      }
      this.#cursor = answer.body.cursor
      if (answer.body.more !== true) return true
    }
    return false
  }

  /** Undefined where no response came, or the server could not for now. @throws Error for any other refusal */
  async #ask (
    method: 'GET' | 'POST', url: string, body?: object, headers?: Request['headers']
  ): Promise<Answer | undefined> {
    const answer = await this.site.ask(this.server + this.#requests++, { method, url, body, headers })
    if (answer === undefined || answer.status >= 500) return undefined
    if (answer.status !== 200 && answer.status !== 410) throw new Error(JSON.stringify(answer.body))
    return answer
  }
}
