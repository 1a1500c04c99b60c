/** A store that is gone with the process: for tests, and for pages that need not outlive a reload. */
import type { Id, Store } from '../store.js'

/**
 * ```js
 * const client = createClient({ baseUrl: '/api', models: { Note: {} }, store: memoryStore() })
 * ```
 * @param name of the store. Default: one that no other has
 */
export function memoryStore (name: string = crypto.randomUUID()): Store {
  const tables = new Map<string, Map<Id, string>>()
  let revision = 0
  const tableOf = (name: string): Map<Id, string> => {
    const known = tables.get(name)
    if (known !== undefined) return known
    const made = new Map<Id, string>()
    tables.set(name, made)
    return made
  }
  return {
    name,
    async open () {},
    async revision () { return revision },
    async get (table, key) {
      const text = tableOf(table).get(key)
      return text === undefined ? undefined : JSON.parse(text) as unknown
    },
    async list (table, { after, limit = Infinity } = {}) {
      const keys = [...tableOf(table).keys()].sort(compareKeys)
      const from = after === undefined ? 0 : keys.findIndex(key => compareKeys(key, after) > 0)
      const wanted = from < 0 ? [] : keys.slice(from, from + limit)
      return wanted.map(key => [key, JSON.parse(tableOf(table).get(key) as string) as unknown] as const)
    },
    async write (expected, changes) {
      if (expected !== revision) return false
      // What is no JSON fails before anything is written.
      const texts = changes.map(({ value }) => value === undefined ? undefined : JSON.stringify(value))
      changes.forEach(({ table, key }, i) => {
        const text = texts[i]
        if (text === undefined) tableOf(table).delete(key)
        else tableOf(table).set(key, text)
      })
      revision++
      return true
    },
    async wipe () {
      tables.clear()
      revision++
    },
    async close () {}
  }
}

function compareKeys (a: Id, b: Id): number {
  if (typeof a !== typeof b) return typeof a === 'number' ? -1 : 1
  return a < b ? -1 : a > b ? 1 : 0
}
