import pg from 'pg'
import { COLUMNS } from '../data.js'

const list = names => names.map(name => `"${name}"`).join(', ')
const PRODUCT = list(COLUMNS.Product)
const WRITABLE = COLUMNS.Product.slice(1)

/** Connections, as many as Fastback's pool has unless told otherwise. */
const POOL = 10

// count(*) is a bigint, which pg gives as text; the numbers here are small.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

/** Every statement the hand-written server needs; one with a name is prepared once on each connection. */
export function openStatements (url) {
  const pool = new pg.Pool({ connectionString: url, max: POOL })
  const all = async (name, text, values) => (await pool.query({ name, text, values })).rows
  const one = async (name, text, values) => (await pool.query({ name, text, values })).rows[0]
  const updates = new Map()

  const TEXTS = {
    get: `SELECT ${PRODUCT} FROM "Product" WHERE "id" = $1`,
    guarded: `SELECT ${PRODUCT} FROM "Guarded" WHERE "id" = $1`,
    token: 'SELECT "ttl", "created", "userId" FROM "BenchToken" WHERE "id" = $1',
    filtered: `SELECT ${PRODUCT} FROM "Product" WHERE "categoryId" = $1 AND "price" > $2 ORDER BY "price" DESC LIMIT $3`,
    page: `SELECT ${PRODUCT} FROM "Product" ORDER BY "id" LIMIT $1 OFFSET $2`,
    categories: `SELECT ${list(COLUMNS.Category)} FROM "Category" WHERE "id" = ANY ($1::int[])`,
    reviews: `SELECT ${list(COLUMNS.Review)} FROM "Review" WHERE "productId" = ANY ($1::int[]) ORDER BY "id"`,
    insert: `INSERT INTO "Product" (${list(WRITABLE)}) VALUES (${WRITABLE.map((_, i) => `$${i + 1}`).join(', ')}) ` +
      `RETURNING ${PRODUCT}`,
    count: 'SELECT count(*) AS "count" FROM "Product" WHERE "categoryId" = $1'
  }

  /** One statement per set of columns; the body schema bounds how many there can be. */
  function updateOf (names) {
    const key = names.join()
    let text = updates.get(key)
    if (!text) {
      const set = names.map((name, i) => `"${name}" = $${i + 2}`).join(', ')
      updates.set(key, text = `UPDATE "Product" SET ${set} WHERE "id" = $1 RETURNING ${PRODUCT}`)
    }
    return text
  }

  return {
    get: id => one('get', TEXTS.get, [id]),
    guarded: id => one('guarded', TEXTS.guarded, [id]),
    token: id => one('token', TEXTS.token, [id]),
    filtered: (categoryId, above, limit) => all('filtered', TEXTS.filtered, [categoryId, above, limit]),
    page: (limit, skip) => all('page', TEXTS.page, [limit, skip]),
    categories: ids => all('categories', TEXTS.categories, [ids]),
    reviews: ids => all('reviews', TEXTS.reviews, [ids]),
    insert: body => one('insert', TEXTS.insert, WRITABLE.map(name => body[name])),
    count: categoryId => one('count', TEXTS.count, [categoryId]),
    update (id, body) {
      const names = Object.keys(body)
      return one(`update ${names.join()}`, updateOf(names), [id, ...names.map(name => body[name])])
    },
    close: () => pool.end()
  }
}
