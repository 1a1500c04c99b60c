/** The store of browsers. */
import { deleteDB, openDB, type IDBPDatabase } from 'idb'
import { ClientError } from '../errors.js'
import type { Id, Store } from '../store.js'

export interface IndexedDbOptions {
  /** Of the database. Default: `fastback`. */
  readonly name?: string
}

const records = 'records'
const meta = 'meta'
const revisionKey = 'revision'

/**
 * A store in IndexedDB: one database, shared by all tabs of the origin.
 *
 * ```js
 * import { indexedDbStore } from '@fastback/client/indexeddb'
 *
 * const store = indexedDbStore({ name: 'notes' })
 * ```
 */
export function indexedDbStore ({ name = 'fastback' }: IndexedDbOptions = {}): Store {
  let opened: IDBPDatabase | undefined
  const database = (): IDBPDatabase => {
    if (opened === undefined) throw new ClientError('CLOSED', `The database "${name}" is not open.`)
    return opened
  }
  /** All records of a table stand between these: lists come after texts, and texts after numbers. */
  const within = (table: string, after: Id | undefined): IDBKeyRange =>
    IDBKeyRange.bound([table, after ?? -Infinity], [table, []], after !== undefined)
  const changed = async (
    expected: number | undefined, work: (store: { put: Put, delete: Remove, clear: () => unknown }) => void
  ): Promise<boolean> => {
    const transaction = database().transaction([records, meta], 'readwrite', { durability: 'strict' })
    try {
      const revision = (await transaction.objectStore(meta).get(revisionKey) as number | undefined) ?? 0
      if (expected !== undefined && expected !== revision) {
        await transaction.done
        return false
      }
      // Requests fail with their transaction, whose end is what is waited for.
      const quiet = (request: Promise<unknown>): void => { request.catch(() => {}) }
      const store = transaction.objectStore(records)
      work({
        put: (value, key) => { quiet(store.put(value, key)) },
        delete: key => { quiet(store.delete(key)) },
        clear: () => { quiet(store.clear()) }
      })
      quiet(transaction.objectStore(meta).put(revision + 1, revisionKey))
      await transaction.done
      return true
    } catch (error) {
      quietly(() => { transaction.abort() })
      transaction.done.catch(() => {})
      throw told(transaction.error ?? error)
    }
  }
  return {
    name,
    async open () {
      opened = await openDB(name, 1, {
        upgrade (made) {
          made.createObjectStore(records)
          made.createObjectStore(meta)
        },
        terminated () { opened = undefined }
      })
    },
    async revision () {
      return (await database().get(meta, revisionKey) as number | undefined) ?? 0
    },
    async get (table, key) {
      return await database().get(records, [table, key]) as unknown
    },
    async list (table, { after, limit } = {}) {
      const range = within(table, after)
      // In one transaction both lists are of the same records.
      const store = database().transaction(records).store
      const [keys, values] = await Promise.all([store.getAllKeys(range, limit), store.getAll(range, limit)])
      return keys.map((key, i) => [(key as [string, Id])[1], values[i] as unknown] as const)
    },
    async write (revision, changes) {
      return await changed(revision, store => {
        for (const { table, key, value } of changes) {
          if (value === undefined) store.delete([table, key])
          else store.put(value, [table, key])
        }
      })
    },
    async wipe () {
      await changed(undefined, store => store.clear())
    },
    async close () {
      opened?.close()
      opened = undefined
    }
  }
}

type Put = (value: unknown, key: [string, Id]) => void
type Remove = (key: [string, Id]) => void

/**
 * Removes the database itself, for an application that is not used here any more.
 *
 * ```js
 * await client.close()
 * await deleteIndexedDb('notes')
 * ```
 */
export async function deleteIndexedDb (name: string): Promise<void> {
  await deleteDB(name)
}

function told (error: unknown): unknown {
  return (error as { name?: unknown } | null)?.name === 'QuotaExceededError'
    ? new ClientError('QUOTA_EXCEEDED', 'There is no room for this in the browser: remove something, or ask for more.', { cause: error })
    : error
}

function quietly (work: () => void): void {
  try { work() } catch { /* It has ended already. */ }
}
