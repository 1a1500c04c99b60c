// The rows of `--scale`, made by the database itself: ten million are there in half a minute.
import { rmSync } from 'node:fs'
import path from 'node:path'
import { DATA_FOLDER } from '../paths.js'
import { openDatabase } from '../sqlite.js'

/** A row has a number, a group of about twenty rows, and a text. */
export const ROW = {
  name: 'Row',
  options: { validateUpsert: true },
  properties: {
    id: { type: 'number', id: true, generated: true },
    group: { type: 'number', index: true },
    price: 'number',
    name: 'string'
  }
}

const COLUMNS = '"group", "price", "name"'
const VALUES = 'i / 20, (i * 7919 % 100000) / 100.0, \'row \' || i'

/**
 * Where the tables are that rows are asked of: a place for each number of rows, all of them at once.
 * @typedef {object} Rows
 * @property {string} title
 * @property {(rows: number) => Promise<{ url: string, table: string }>} fill makes them, unless they are there
 * @property {() => Promise<number[]>} processes of the database server
 * @property {() => Promise<void>} close takes them away
 */

/**
 * @param {string} [url] of a PostgreSQL server, where a database is made for it; undefined: files of SQLite
 * @returns {Promise<Rows>}
 */
export async function openRows (url) {
  return url === undefined ? sqliteRows() : await postgresRows(url)
}

const tableOf = rows => `Row_${rows}`

function sqliteRows () {
  const files = new Map()
  return {
    title: 'SQLite',
    async fill (rows) {
      const file = files.get(rows) ?? path.join(DATA_FOLDER, `scale-${rows}.sqlite`)
      if (!files.has(rows)) {
        remove(file)
        const db = openDatabase(file)
        db.exec(`
          PRAGMA journal_mode = OFF;
          CREATE TABLE "${tableOf(rows)}" ("id" INTEGER PRIMARY KEY AUTOINCREMENT, "group" INTEGER, "price" REAL, "name" TEXT);
          INSERT INTO "${tableOf(rows)}" (${COLUMNS})
            WITH RECURSIVE numbers (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM numbers WHERE i < ${rows - 1}) SELECT ${VALUES} FROM numbers;
          CREATE INDEX "${tableOf(rows)}_group" ON "${tableOf(rows)}" ("group");
          ANALYZE;
          PRAGMA journal_mode = WAL`)
        db.close()
        files.set(rows, file)
      }
      return { url: `sqlite:${file}`, table: tableOf(rows) }
    },
    processes: async () => [],
    close: async () => { for (const file of files.values()) remove(file) }
  }
}

function remove (file) {
  for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true })
}

async function postgresRows (url) {
  const { backendsOf, makeDatabase } = await import('../stores/postgres.js')
  // One of its own: the time of its backends is nobody else's.
  const { client, url: own, remove } = await makeDatabase(url, 'scale')
  const filled = new Set()
  return {
    title: 'PostgreSQL',
    async fill (rows) {
      const table = tableOf(rows)
      if (!filled.has(rows)) {
        filled.add(rows)
        const statements = [
          `CREATE TABLE "${table}" ("id" bigserial PRIMARY KEY, "group" bigint, "price" double precision, "name" text)`,
          `INSERT INTO "${table}" (${COLUMNS}) SELECT ${VALUES} FROM generate_series(0::bigint, ${rows - 1}) AS i`,
          `CREATE INDEX ON "${table}" ("group")`,
          `VACUUM ANALYZE "${table}"`
        ]
        for (const statement of statements) await client.query(statement)
      }
      return { url: own, table }
    },
    processes: async () => await backendsOf(client),
    close: remove
  }
}
