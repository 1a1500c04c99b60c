import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)
const [major, minor] = process.versions.node.split('.').map(Number)

/** Node's own SQLite where it needs no flag, else the package with the same interface. */
export const driver = major > 22 || (major === 22 && minor >= 13) ? 'node:sqlite' : '@photostructure/sqlite'

/**
 * Opens a file the way every SQLite server of the benchmark does: WAL, synchronous NORMAL.
 * @param {string} file
 */
export function openDatabase (file) {
  const { DatabaseSync } = require(driver)
  const db = new DatabaseSync(file)
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA busy_timeout = 5000')
  return db
}
