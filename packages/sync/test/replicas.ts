/** Replicas with the simplest client that there is, for histories of chance (sync-protocol.md). */
import type { Served, Loose } from './support.js'

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
  #cursor: string | undefined
  #sent: { key: string, changes: Loose[] } | undefined
  #requests = 0

  constructor (readonly name: string, readonly served: Served) {}

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

  /** @param isCut the answer is lost: the same is sent again next time */
  async push (isCut: boolean): Promise<void> {
    if (this.#sent === undefined && this.pending.size === 0) return
    this.#sent ??= this.#gather()
    const { key, changes } = this.#sent
    const { status, body, text } = await this.served.post('/Notes/sync/push', { changes }, { 'idempotency-key': key })
    if (status !== 200) throw new Error(text)
    if (isCut) return
    this.#sent = undefined
    for (const [index, result] of body.results.entries()) this.#settle(changes[index], result)
  }

  #gather (): { key: string, changes: Loose[] } {
    const changes = [...this.pending].map(([id, pending]) => ({ id, ...pending }))
    for (const { id, data } of changes) if (data !== undefined) this.sent.push({ id, title: data.title })
    return { key: `${this.name} ${String(this.#requests++)}`, changes }
  }

  #settle (change: Loose, result: Loose): void {
    const { id } = change
    this.pending.delete(id)
    const now = result.ok === true ? { rev: result.rev, data: result.data ?? change.data } : result.conflict
    if (now === undefined) throw new Error(JSON.stringify(result))
    if (result.ok !== true) this.conflicts.push({ id, title: change.data?.title ?? 'deleted' })
    if (now.rev === null) this.rows.delete(id)
    else this.rows.set(id, { rev: now.rev, data: now.data })
  }

  async pull (limit: number): Promise<void> {
    // The beginning tells of no deletes: what was pushed before it is told again, or is gone.
    if (this.#cursor === undefined) this.rows.clear()
    const { changes, cursor } = await this.served.pull('/Notes', this.#cursor, { limit })
    this.#cursor = cursor
    for (const { id, rev, data, deleted, left } of changes) {
      if (deleted === true || left === true) this.rows.delete(id)
      else this.rows.set(id, { rev, data })
    }
  }
}
