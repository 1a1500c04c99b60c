import { COLUMNS, makeData } from '../data.js'
import { TOKEN } from '../seed.js'

// The tables of a database server, which are the same on each: those of SQLite with the types a person would choose.

/** `Guarded` is a second model over the same rows. */
const SOURCES = { Category: 'Category', Product: 'Product', Guarded: 'Product', Review: 'Review' }

const KINDS = {
  price: 'double', available: 'boolean', releasedAt: 'moment', createdAt: 'moment',
  name: 'text', sku: 'text', description: 'text', text: 'text', author: 'text'
}

const TOKEN_COLUMNS = { id: 'token', ttl: 'whole', created: 'moment', userId: 'whole' }

/** Each as `{ name, columns: [[column, kind]], rows }`; the first column is the key. */
export function tables () {
  const data = makeData()
  const made = Object.entries(SOURCES).map(([name, source]) => {
    const columns = COLUMNS[source].map(column => [column, column === 'id' ? 'key' : KINDS[column] ?? 'whole'])
    return { name, columns, rows: data[source].map(row => columns.map(([column, kind]) => toValue(row[column], kind))) }
  })
  const { id, ttl, userId } = TOKEN
  return [...made, { name: 'BenchToken', columns: Object.entries(TOKEN_COLUMNS), rows: [[id, ttl, new Date(), userId]] }]
}

const toValue = (value, kind) => kind === 'moment' ? new Date(value) : value

/** What a person who knows the loads would have; the same as in SQLite. */
export const INDEXES = { Product: ['categoryId', 'price'], Review: ['productId'] }

/** Rows of one INSERT. */
export const BATCH = 500

/** The database of one server, of this process: two benches may run at once. */
export const databaseName = name => `fastback_bench_${process.pid}_${name.replaceAll('-', '_')}`

/** The same server with another database. */
export function withDatabase (url, name) {
  const changed = new URL(url)
  changed.pathname = `/${name}`
  return changed.href
}
