import { rmSync } from 'node:fs'
import { ARTICLE_COLUMNS, makeArticles } from './articles.js'
import { COLUMNS, COUNTS, makeData } from './data.js'
import { openDatabase } from './sqlite.js'
import { TASK_COLUMNS, makeTasks } from './tasks.js'
import { TRUSTED_RECORDS, TRUSTED_TABLES, trimStatements } from './trusted.js'

/** The token of the loads that need one, where the server lets us put it into the file. */
export const TOKEN = { id: 'benchmark0token0'.repeat(4), ttl: 1_209_600, userId: 1 }

const milliseconds = text => Date.parse(text)

/** What Platformatic reads relations and booleans from, as they would stand in a migration of its own. */
const DECLARED = {
  available: 'bool', categoryId: 'INTEGER REFERENCES "Category" ("id")', productId: 'INTEGER REFERENCES "Product" ("id")'
}

/**
 * How a server lays the data out in the file. `fastback` is also the layout of the hand-written server and of Feathers;
 * LoopBack's connector wants lower-case names and dates as milliseconds; `existing` has such dates in tables of others;
 * `declared` says which columns are booleans and foreign keys.
 */
const LAYOUTS = {
  fastback: { name: name => name, date: text => text },
  declared: { name: name => name, date: text => text, types: DECLARED },
  existing: { name: name => name, date: milliseconds },
  loopback: { name: name => name.toLowerCase(), date: milliseconds }
}

const TYPES = {
  id: 'INTEGER PRIMARY KEY', price: 'REAL', stock: 'INTEGER', available: 'INTEGER', categoryId: 'INTEGER',
  productId: 'INTEGER', rating: 'INTEGER', position: 'INTEGER', views: 'INTEGER',
  isDone: 'INTEGER', priority: 'INTEGER', ownerId: 'INTEGER'
}

/** What a person who knows the loads would have; the same for every server. */
const INDEXES = { Product: ['categoryId', 'price'], Review: ['productId'] }

/** The tables and where their rows come from; `Guarded` is a second model over the same rows. */
const TABLES = { Category: 'Category', Product: 'Product', Guarded: 'Product', Review: 'Review' }

function createTable (db, table, columns, layout) {
  const definition = columns.map(column => {
    const isDate = column.endsWith('At')
    const type = layout.types?.[column] ?? TYPES[column] ?? (isDate && layout.date === milliseconds ? 'INTEGER' : 'TEXT')
    return `"${layout.name(column)}" ${type}`
  })
  db.exec(`CREATE TABLE "${layout.name(table)}" (${definition.join(', ')})`)
}

function fillTable (db, table, columns, layout, rows) {
  const names = columns.map(column => `"${layout.name(column)}"`)
  const marks = columns.map(() => '?')
  const insert = db.prepare(`INSERT INTO "${layout.name(table)}" (${names.join(', ')}) VALUES (${marks.join(', ')})`)
  for (const row of rows) {
    insert.run(...columns.map(column => {
      const value = row[column]
      if (typeof value === 'boolean') return value ? 1 : 0
      return column.endsWith('At') ? layout.date(value) : value
    }))
  }
  if (INDEXES[table]) {
    const indexed = INDEXES[table].map(column => `"${layout.name(column)}"`)
    db.exec(`CREATE INDEX "${table}_bench" ON "${layout.name(table)}" (${indexed.join(', ')})`)
  }
}

/**
 * Writes a fresh SQLite file with the whole data set.
 * @param {string} file
 * @param {keyof typeof LAYOUTS} layoutName
 */
export function seedFile (file, layoutName) {
  const data = makeData()
  const tables = Object.entries(TABLES).map(([name, source]) => [name, COLUMNS[source], data[source]])
  writeFile(file, LAYOUTS[layoutName], tables)
}

/** Writes a fresh SQLite file with the data of the loads q1 to q5. */
export function seedArticles (file) {
  const { Category, Article } = makeArticles()
  writeFile(file, LAYOUTS.fastback, [['Category', COLUMNS.Category, Category], ['Article', ARTICLE_COLUMNS, Article]])
}

/** Writes a fresh SQLite file with the data of the loads r1 and r2. */
export function seedTasks (file) {
  writeFile(file, LAYOUTS.fastback, [['Task', TASK_COLUMNS, makeTasks().Task]])
}

/** Writes a fresh SQLite file with the data of the loads t1 to t6. */
export function seedTrusted (file) {
  const data = makeData()
  const tables = Object.entries(TRUSTED_TABLES).map(([name, source]) => [name, COLUMNS[source], data[source]])
  writeFile(file, LAYOUTS.fastback, tables)
}

function writeFile (file, layout, tables) {
  for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true })
  const db = openDatabase(file)
  db.exec('BEGIN')
  for (const [table, columns, rows] of tables) {
    createTable(db, table, columns, layout)
    fillTable(db, table, columns, layout, rows)
  }
  db.exec('COMMIT; ANALYZE; PRAGMA wal_checkpoint(TRUNCATE)')
  db.close()
}

/** Adds a token table for the servers that read theirs from the file and have no such model of their own. */
export function seedToken (file, layoutName = 'fastback') {
  const { name } = LAYOUTS[layoutName]
  const columns = ['id', 'ttl', 'created', 'userId'].map(column => `"${name(column)}"`)
  const db = openDatabase(file)
  db.exec(`CREATE TABLE "${name('BenchToken')}" (${columns[0]} TEXT PRIMARY KEY, ${columns.slice(1).join(', ')})`)
  db.prepare(`INSERT INTO "${name('BenchToken')}" VALUES (?, ?, ?, ?)`).run(
    TOKEN.id,
    TOKEN.ttl,
    Date.now(),
    TOKEN.userId
  )
  db.close()
}

/** Takes away what the create load added, so that every block works on a table of the same size. */
export function trimFile (file) {
  const db = openDatabase(file)
  db.exec(`DELETE FROM "Product" WHERE "id" > ${COUNTS.products}`)
  db.close()
}

/** The same for what the loads t1 to t6 added. */
export function trimTrusted (file) {
  const db = openDatabase(file)
  const made = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all().map(({ name }) => name)
  const tables = [...Object.keys(TRUSTED_TABLES), ...TRUSTED_RECORDS].filter(name => made.includes(name))
  for (const statement of trimStatements(tables)) db.exec(statement)
  db.close()
}
