/** The store as the client uses it: changes that are made anew where another tab was faster, and what was read kept. */
import { ClientError } from '../errors.js'
import type { Id, Store, StoreChange, StoreRange } from '../store.js'
import { meta, sessionKey, type Session } from './records.js'
import { Tabs } from './tabs.js'

/** Times that a change is made anew. Each time somebody else got something done. */
const mostTries = 100

type Table = Map<Id, unknown>
type Listener = (tables: ReadonlySet<string>) => void

/** A change in the making: what is put is read again; nothing of it is seen by others before it is whole. */
export interface Draft {
  get<T> (table: string, key: Id): Promise<T | undefined>
  all<T> (table: string): Promise<ReadonlyMap<Id, T>>
  /** @param value undefined: removes the record */
  put (table: string, key: Id, value: unknown): void
}

export class Local {
  readonly tabs: Tabs
  readonly #store: Store
  readonly #tables = new Map<string, Table>()
  readonly #listeners = new Set<Listener>()
  readonly #onGone: () => void
  /** What the tables above are of. */
  #revision = -1
  #session: Session | undefined
  #last: Promise<unknown> = Promise.resolve()
  #isClosed = false

  /** @param onGone the store was wiped by another tab */
  constructor (store: Store, name: string, onGone: () => void) {
    this.#store = store
    this.#onGone = onGone
    this.tabs = new Tabs(name, tables => {
      // Reading the revision drops what is old.
      this.#current().then(() => { this.#tell(new Set(tables)) }).catch(() => {})
    })
  }

  /** The store, which may have been closed while something else was waited for. @throws ClientError CLOSED */
  get #open (): Store {
    if (this.#isClosed) throw closed()
    return this.#store
  }

  /** Calls a listener with the tables that changed, here or in another tab. @returns what ends that */
  listen (listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => { this.#listeners.delete(listener) }
  }

  /** From now on the store must be that of this session. */
  bind (session: Session): void { this.#session = session }

  async get<T> (table: string, key: Id): Promise<T | undefined> {
    await this.#current()
    const known = this.#tables.get(table)
    if (known !== undefined) return known.get(key) as T | undefined
    return await this.#read(async () => await this.#open.get(table, key)) as T | undefined
  }

  /** All records of a table, kept until somebody else writes. */
  async all<T> (table: string): Promise<ReadonlyMap<Id, T>> {
    for (let tries = 1; ; tries++) {
      const revision = await this.#current()
      const known = this.#tables.get(table)
      if (known !== undefined) return known as Map<Id, T>
      const read: Table = new Map(await this.#open.list(table))
      // Anyone who writes all the time is not waited for: what was read is of one moment, if of one that has passed.
      const now = await this.#current()
      if (now !== revision && tries < mostTries) continue
      if (now === revision) this.#tables.set(table, read)
      return read as Map<Id, T>
    }
  }

  /** Whether `all` need not read. */
  async has (table: string): Promise<boolean> {
    await this.#current()
    return this.#tables.has(table)
  }

  async page<T> (table: string, range: StoreRange): Promise<Array<readonly [Id, T]>> {
    return await this.#read(async () => await this.#open.list(table, range)) as Array<readonly [Id, T]>
  }

  /**
   * Makes one atomic change. `work` may run several times and must do nothing but read and put.
   * @throws ClientError QUOTA_EXCEEDED, STORE_BUSY, CLOSED, and what `work` throws
   */
  async change<T> (work: (draft: Draft) => Promise<T>): Promise<T> {
    const own = this.#last.then(async () => await this.#attempt(work))
    this.#last = own.catch(() => {})
    return await own
  }

  async #attempt<T> (work: (draft: Draft) => Promise<T>): Promise<T> {
    for (let tries = 0; tries < mostTries; tries++) {
      const revision = await this.#current()
      const changes = new Map<string, StoreChange>()
      const result = await work(this.#draft(changes))
      const list = [...changes.values()]
      if (list.length === 0) return result
      if (!await this.#open.write(revision, list)) continue
      this.#apply(revision, list)
      const tables = new Set(list.map(({ table }) => table))
      this.tabs.tell([...tables])
      this.#tell(tables)
      return result
    }
    throw new ClientError('STORE_BUSY', 'Other tabs write to the store all the time. Try again.')
  }

  #draft (changes: Map<string, StoreChange>): Draft {
    const keyOf = (table: string, key: Id): string => JSON.stringify([table, key])
    return {
      get: async <T>(table: string, key: Id) => {
        const changed = changes.get(keyOf(table, key))
        return changed === undefined ? await this.get<T>(table, key) : changed.value as T | undefined
      },
      all: async <T>(table: string) => {
        const records = new Map(await this.all<T>(table))
        for (const { table: changed, key, value } of changes.values()) {
          if (changed !== table) continue
          if (value === undefined) records.delete(key)
          else records.set(key, value as T)
        }
        return records
      },
      put: (table, key, value) => { changes.set(keyOf(table, key), { table, key, value }) }
    }
  }

  #apply (revision: number, changes: readonly StoreChange[]): void {
    if (this.#revision !== revision) return
    this.#revision = revision + 1
    for (const { table, key, value } of changes) {
      const known = this.#tables.get(table)
      if (value === undefined) known?.delete(key)
      else known?.set(key, value)
    }
  }

  /** Reads from the store. Asked of afterwards: what was read while the session was ours is ours (SYD-34). */
  async #read<T> (read: () => Promise<T>): Promise<T> {
    const result = await read()
    await this.#current()
    return result
  }

  /** The revision of the store; what was kept of another is dropped. */
  async #current (): Promise<number> {
    const revision = await this.#open.revision()
    if (revision === this.#revision) return revision
    // Before the revision counts as known: anyone who asks meanwhile must find out for himself.
    await this.#demandSession()
    if (revision !== this.#revision) this.#tables.clear()
    this.#revision = revision
    return revision
  }

  async #demandSession (): Promise<void> {
    if (this.#session === undefined) return
    const session = await this.#open.get(meta, sessionKey) as Session | undefined
    if (session?.id === this.#session.id) return
    this.#tables.clear()
    this.#onGone()
    throw closed()
  }

  #tell (tables: ReadonlySet<string>): void {
    for (const listener of this.#listeners) listener(tables)
  }

  /** Removes everything, here and for the other tabs (SYD-34). */
  async wipe (): Promise<void> {
    await this.#store.wipe()
    this.#tables.clear()
    this.tabs.tell([])
  }

  async close (): Promise<void> {
    if (this.#isClosed) return
    await this.#last
    this.#isClosed = true
    this.tabs.close()
    await this.#store.close()
  }
}

const closed = (): ClientError =>
  new ClientError('CLOSED', 'This client is closed, or was signed out: make another one.')
