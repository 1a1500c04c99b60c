import { TASK_COLUMNS } from '../../tasks.js'
import { openDatabase } from '../../sqlite.js'

const TASK = TASK_COLUMNS.map(name => `"${name}"`).join(', ')

/** What the hand-written server asks of SQLite, prepared once. */
export function openStatements () {
  const db = openDatabase(process.env.BENCH_FILE)
  const token = db.prepare('SELECT "ttl", "created", "userId" FROM "BenchToken" WHERE "id" = ?')
  const list = db.prepare(`SELECT ${TASK} FROM "Task" WHERE "ownerId" = ? ORDER BY "id" LIMIT ? OFFSET ?`)
  const get = db.prepare(`SELECT ${TASK} FROM "Task" WHERE "id" = ? AND "ownerId" = ?`)
  const count = db.prepare('SELECT count(*) AS "count" FROM "Task"')
  return {
    token: id => token.get(id),
    list: (owner, limit, skip) => list.all(owner, limit, skip),
    get: (id, owner) => get.get(id, owner),
    count: () => count.get(),
    close: () => db.close()
  }
}
