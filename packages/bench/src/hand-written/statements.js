import { COLUMNS } from '../data.js'

const list = names => names.map(name => `"${name}"`).join(', ')
const PRODUCT = list(COLUMNS.Product)
const WRITABLE = COLUMNS.Product.slice(1)

/** Every statement the hand-written server needs, prepared once. */
export function prepareStatements (db) {
  const updates = new Map()

  return {
    get: db.prepare(`SELECT ${PRODUCT} FROM "Product" WHERE "id" = ?`),
    guarded: db.prepare(`SELECT ${PRODUCT} FROM "Guarded" WHERE "id" = ?`),
    token: db.prepare('SELECT "ttl", "created", "userId" FROM "BenchToken" WHERE "id" = ?'),
    filtered: db.prepare(`SELECT ${PRODUCT} FROM "Product" WHERE "categoryId" = ? AND "price" > ? ` +
      'ORDER BY "price" DESC LIMIT ?'),
    page: db.prepare(`SELECT ${PRODUCT} FROM "Product" ORDER BY "id" LIMIT ? OFFSET ?`),
    categories: db.prepare(`SELECT ${list(COLUMNS.Category)} FROM "Category" ` +
      'WHERE "id" IN (SELECT value FROM json_each(?))'),
    reviews: db.prepare(`SELECT ${list(COLUMNS.Review)} FROM "Review" ` +
      'WHERE "productId" IN (SELECT value FROM json_each(?)) ORDER BY "id"'),
    insert: db.prepare(`INSERT INTO "Product" (${list(WRITABLE)}) VALUES (${WRITABLE.map(() => '?').join(', ')}) ` +
      `RETURNING ${PRODUCT}`),
    count: db.prepare('SELECT count(*) AS "count" FROM "Product" WHERE "categoryId" = ?'),

    /** One statement per set of columns; the body schema bounds how many there can be. */
    update (names) {
      const key = names.join()
      let statement = updates.get(key)
      if (!statement) {
        const set = names.map(name => `"${name}" = ?`).join(', ')
        statement = db.prepare(`UPDATE "Product" SET ${set} WHERE "id" = ? RETURNING ${PRODUCT}`)
        updates.set(key, statement)
      }
      return statement
    }
  }
}

/** The values of a product in the order of the insert statement. */
export function insertValues (body) {
  return WRITABLE.map(name => toColumn(body[name]))
}

export function toColumn (value) {
  return typeof value === 'boolean' ? Number(value) : value
}
