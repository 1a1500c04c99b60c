import pg from 'pg'
import { ARTICLE_COLUMNS } from '../../articles.js'
import { VECTOR, word } from './indexes.js'

const ARTICLE = ARTICLE_COLUMNS.map(name => `"${name}"`).join(', ')

/** Connections, as many as Fastback's pool has unless told otherwise. */
const POOL = 10

// count(*) and sum() of integers are bigints, which pg gives as texts; the numbers here are small.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

const TEXTS = {
  get: `SELECT ${ARTICLE} FROM "Article" WHERE "id" = $1`,
  ofCategory: `SELECT ${ARTICLE} FROM "Article" WHERE EXISTS ` +
    '(SELECT 1 FROM "Category" WHERE "Category"."id" = "Article"."categoryId" AND "Category"."name" = $1) ' +
    'ORDER BY "id" LIMIT $2',
  months: 'SELECT date_trunc(\'month\', "createdAt" AT TIME ZONE \'UTC\') AT TIME ZONE \'UTC\' AS "createdAt", ' +
    'count(*) AS "n", sum("views") AS "total" FROM "Article" ' +
    'WHERE "categoryId" = $1 AND "createdAt" >= $2 AND "createdAt" < $3 GROUP BY 1 ORDER BY 1',
  first: `SELECT ${ARTICLE} FROM "Article" ORDER BY "createdAt" DESC, "id" LIMIT $1`,
  after: `SELECT ${ARTICLE} FROM "Article" WHERE "createdAt" <= $1 AND ("createdAt" < $1 OR "id" > $2) ` +
    'ORDER BY "createdAt" DESC, "id" LIMIT $3'
}

/** Searches of so many words. */
function searchText (count) {
  const query = Array.from({ length: count }, (_, i) => word(`$${i + 1}`)).join(' && ')
  return `SELECT ${ARTICLE} FROM "Article" WHERE ${VECTOR} @@ (${query}) ` +
    `ORDER BY ts_rank(${VECTOR}, ${query}) DESC, "id" LIMIT $${count + 1}`
}

/** What the hand-written server asks of PostgreSQL; a statement with a name is prepared once on each connection. */
export function openStatements () {
  const pool = new pg.Pool({ connectionString: process.env.BENCH_URL, max: POOL })
  const all = async (name, values, text = TEXTS[name]) => (await pool.query({ name, text, values })).rows
  return {
    get: async id => (await all('get', [id]))[0],
    ofCategory: (name, limit) => all('ofCategory', [name, limit]),
    months: (categoryId, from, to) => all('months', [categoryId, from, to]),
    search: (words, limit) => all(`search ${words.length}`, [...words, limit], searchText(words.length)),
    first: limit => all('first', [limit]),
    after: ({ at, id }, limit) => all('after', [at, id, limit]),
    close: () => pool.end()
  }
}
