/** What a client keeps its rows in. */

export type Id = string | number

/** One record to be written; `value` undefined removes it. Values are JSON, and keys are told apart by their type. */
export interface StoreChange {
  readonly table: string
  readonly key: Id
  readonly value: unknown
}

/** Which records of a table: those behind a key, at most so many. */
export interface StoreRange {
  readonly after?: Id | undefined
  readonly limit?: number | undefined
}

/**
 * Records by table and key, a number that grows with each write, and one atomic write that only succeeds upon the
 * number that its writer has read: so that several tabs or processes may have the same store open, with or without
 * locks. Rows, waiting writes and cursors go together in one such write (SYD-31).
 */
export interface Store {
  /** Several clients of one page or machine that have the same name share what they hold. Default of `name` there. */
  readonly name: string
  /** Makes what is not there yet. Called once, before everything else. */
  open (): Promise<void>
  /** How often the store was written; 0 for one that is new. */
  revision (): Promise<number>
  get (table: string, key: Id): Promise<unknown>
  /** Records in the order of their keys: numbers by value, then texts by code units. */
  list (table: string, range?: StoreRange): Promise<Array<readonly [key: Id, value: unknown]>>
  /**
   * Writes all or nothing, and adds one to the revision.
   * @returns whether the store still had `revision`; if not, nothing was written
   * @throws ClientError QUOTA_EXCEEDED where there is no room
   */
  write (revision: number, changes: readonly StoreChange[]): Promise<boolean>
  /** Removes every record, and adds one to the revision, so that who has read before cannot write any more (SYD-34). */
  wipe (): Promise<void>
  close (): Promise<void>
}

/** Turns values into what is kept of them, and back: for encryption at rest. */
export interface Codec {
  encode (value: unknown): unknown
  decode (kept: unknown): unknown
}

/**
 * A store whose values are encoded before they are kept. Tables and keys (names of models, ids) stay readable.
 *
 * ```js
 * const store = encoded(indexedDbStore({ name: 'notes' }), {
 *   encode: async value => await encrypt(key, JSON.stringify(value)),
 *   decode: async kept => JSON.parse(await decrypt(key, kept))
 * })
 * ```
 * @param codec both functions may be async; `encode` gives what the store can keep: JSON, for IndexedDB bytes as well
 */
export function encoded (store: Store, { encode, decode }: Codec): Store {
  const decoded = async (value: unknown): Promise<unknown> => value === undefined ? undefined : await decode(value)
  return {
    name: store.name,
    open: async () => { await store.open() },
    revision: async () => await store.revision(),
    get: async (table, key) => await decoded(await store.get(table, key)),
    list: async (table, range) => await Promise.all((await store.list(table, range)).map(async ([key, value]) =>
      [key, await decoded(value)] as const)),
    write: async (revision, changes) => await store.write(revision, await Promise.all(changes.map(async change =>
      change.value === undefined ? change : { ...change, value: await encode(change.value) }))),
    wipe: async () => { await store.wipe() },
    close: async () => { await store.close() }
  }
}
