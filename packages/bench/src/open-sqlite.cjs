'use strict'

// CommonJS, for the application folders as well, which LoopBack 3 boots too.
const { createRequire } = require('node:module')
const { join } = require('node:path')

/** Where `npm run bench -- --install` puts better-sqlite3. */
const BETTER = join(__dirname, '../peers/better-sqlite3/package.json')

const OPEN = {
  'node:sqlite': file => new (require('node:sqlite').DatabaseSync)(file),
  '@photostructure/sqlite': file => new (require('@photostructure/sqlite').DatabaseSync)(file),
  'better-sqlite3': file => new (createRequire(BETTER)('better-sqlite3'))(file)
}

exports.DRIVERS = Object.keys(OPEN)

/** Whether a version of Node is this one or a later one. */
exports.isAtLeast = function isAtLeast (version, wantedMajor, wantedMinor) {
  const [major, minor] = version.split('.').map(Number)
  return major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)
}

/** Node's own SQLite where it needs no flag, else the package with the same interface: what Fastback itself takes. */
exports.defaultDriver = function defaultDriver (version = process.versions.node) {
  return exports.isAtLeast(version, 22, 13) ? 'node:sqlite' : '@photostructure/sqlite'
}

/**
 * Opens a file the way every SQLite server of the benchmark does: WAL, synchronous NORMAL, and the sizes that Fastback
 * sets by itself, so that nothing is compared but the servers (better-sqlite3 keeps as many pages without being told).
 */
exports.openDatabase = function openDatabase (file, driver = process.env.BENCH_DRIVER || exports.defaultDriver()) {
  const db = OPEN[driver](file)
  // First of all: a connection that wrote the file may still be closing it.
  db.exec('PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
  db.exec('PRAGMA cache_size = -16000; PRAGMA wal_autocheckpoint = 16000')
  return db
}

/**
 * What `datasources.local.js` of the folders says: nothing, but for a driver that Fastback would not take by itself,
 * the open database.
 */
exports.handedIn = function handedIn (migrate) {
  const { BENCH_HAND_IN: driver, BENCH_FILE: file } = process.env
  return driver ? { db: { connector: 'sql', database: exports.openDatabase(file, driver), migrate } } : {}
}
