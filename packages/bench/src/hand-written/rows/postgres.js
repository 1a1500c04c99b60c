import pg from 'pg'
import { TASK_COLUMNS } from '../../tasks.js'

const TASK = TASK_COLUMNS.map(name => `"${name}"`).join(', ')

/** Connections, as many as Fastback's pool has unless told otherwise. */
const POOL = 10

// count(*) is a bigint, which pg gives as text; the numbers here are small.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

const TEXTS = {
  token: 'SELECT "ttl", "created", "userId" FROM "BenchToken" WHERE "id" = $1',
  list: `SELECT ${TASK} FROM "Task" WHERE "ownerId" = $1 ORDER BY "id" LIMIT $2 OFFSET $3`,
  get: `SELECT ${TASK} FROM "Task" WHERE "id" = $1 AND "ownerId" = $2`,
  count: 'SELECT count(*) AS "count" FROM "Task"'
}

/** What the hand-written server asks of PostgreSQL; a statement with a name is prepared once on each connection. */
export function openStatements () {
  const pool = new pg.Pool({ connectionString: process.env.BENCH_URL, max: POOL })
  const all = async (name, values = []) => (await pool.query({ name, text: TEXTS[name], values })).rows
  const one = async (name, values) => (await all(name, values))[0]
  return {
    token: id => one('token', [id]),
    list: (owner, limit, skip) => all('list', [owner, limit, skip]),
    get: (id, owner) => one('get', [id, owner]),
    count: () => one('count'),
    close: () => pool.end()
  }
}
