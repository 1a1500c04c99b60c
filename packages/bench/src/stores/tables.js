import { ARTICLE_COLUMNS, makeArticles } from '../articles.js'
import { COLUMNS, makeData } from '../data.js'
import { TOKEN } from '../seed.js'
import { TASK_COLUMNS, makeTasks } from '../tasks.js'
import { TRUSTED_TABLES } from '../trusted.js'

// The tables of a database server, which are the same on each: those of SQLite with the types a person would choose.

/** `Guarded` is a second model over the same rows. */
const SOURCES = { Category: 'Category', Product: 'Product', Guarded: 'Product', Review: 'Review' }

const KINDS = {
  price: 'double', available: 'boolean', isDone: 'boolean', releasedAt: 'moment', createdAt: 'moment',
  name: 'text', sku: 'text', description: 'text', text: 'text', author: 'text', title: 'text', body: 'text'
}

const TOKEN_COLUMNS = { id: 'token', ttl: 'whole', created: 'moment', userId: 'whole' }

function makeTable (name, names, rows) {
  const columns = names.map(column => [column, column === 'id' ? 'key' : KINDS[column] ?? 'whole'])
  return { name, columns, rows: rows.map(row => columns.map(([column, kind]) => toValue(row[column], kind))) }
}

/**
 * Each as `{ name, columns: [[column, kind]], rows }`; the first column is the key.
 * @param {'articles' | 'tasks' | 'trusted'} [dataSet] of the loads q1 to q5, r1 and r2, t1 to t6
 */
export function tables (dataSet) {
  if (dataSet === 'articles') {
    const { Category, Article } = makeArticles()
    return [makeTable('Category', COLUMNS.Category, Category), makeTable('Article', ARTICLE_COLUMNS, Article)]
  }
  if (dataSet === 'tasks') return [makeTable('Task', TASK_COLUMNS, makeTasks().Task), tokenTable()]
  if (dataSet === 'trusted') return tablesOf(TRUSTED_TABLES)
  return [...tablesOf(SOURCES), tokenTable()]
}

function tablesOf (sources) {
  const data = makeData()
  return Object.entries(sources).map(([name, source]) => makeTable(name, COLUMNS[source], data[source]))
}

/** For the hand-written server. */
function tokenTable () {
  const { id, ttl, userId } = TOKEN
  return { name: 'BenchToken', columns: Object.entries(TOKEN_COLUMNS), rows: [[id, ttl, new Date(), userId]] }
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
