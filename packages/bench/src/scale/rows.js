// The rows of `--scale`, made by the database itself: ten million are there in half a minute.
import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
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

const LAYOUTS = {
  sqlite: rows => `
    PRAGMA journal_mode = OFF;
    CREATE TABLE "Row" ("id" INTEGER PRIMARY KEY AUTOINCREMENT, "group" INTEGER, "price" REAL, "name" TEXT);
    INSERT INTO "Row" (${COLUMNS})
      WITH RECURSIVE numbers (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM numbers WHERE i < ${rows - 1}) SELECT ${VALUES} FROM numbers;
    CREATE INDEX "Row_group" ON "Row" ("group");
    ANALYZE;
    PRAGMA journal_mode = WAL`,
  postgres: rows => `
    DROP TABLE IF EXISTS "Row";
    CREATE TABLE "Row" ("id" bigserial PRIMARY KEY, "group" bigint, "price" double precision, "name" text);
    INSERT INTO "Row" (${COLUMNS}) SELECT ${VALUES} FROM generate_series(0, ${rows - 1}) AS i;
    CREATE INDEX "Row_group" ON "Row" ("group");
    VACUUM ANALYZE "Row"`
}

/**
 * Fills a store with rows numbered from 1.
 * @param {{ kind: 'sqlite' | 'postgres', url: string }} store
 * @param {number} rows
 */
export function fill ({ kind, url }, rows) {
  if (kind === 'sqlite') {
    const file = url.slice('sqlite:'.length)
    remove(file)
    const db = openDatabase(file)
    db.exec(LAYOUTS.sqlite(rows))
    db.close()
  } else execFileSync('psql', ['-q', '-v', 'ON_ERROR_STOP=1', url], { input: LAYOUTS.postgres(rows), stdio: ['pipe', 'ignore', 'inherit'] })
}

/** Takes the rows away again. */
export function clear ({ kind, url }) {
  if (kind === 'sqlite') remove(url.slice('sqlite:'.length))
  else execFileSync('psql', ['-q', url, '-c', 'DROP TABLE IF EXISTS "Row"'])
}

function remove (file) {
  for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true })
}
