import mysql from 'mysql2/promise'
import { COLUMNS } from '../data.js'

const list = names => names.map(name => `\`${name}\``).join(', ')
const marks = values => values.map(() => '?').join(', ')
const PRODUCT = list(COLUMNS.Product)
const WRITABLE = COLUMNS.Product.slice(1)

/** Connections, as many as Fastback's pool has unless told otherwise. */
const POOL = 10

const toColumn = (name, value) => name === 'releasedAt' ? new Date(value) : value

/** Every statement the hand-written server needs; `execute` prepares each text once on each connection. */
export function openStatements (url) {
  const pool = mysql.createPool({ uri: url, connectionLimit: POOL, timezone: 'Z' })
  const all = async (text, values) => (await pool.execute(text, values))[0]
  const one = async (text, values) => (await pool.execute(text, values))[0][0]
  // LIMIT and OFFSET of a prepared statement must be whole numbers, which the driver would send as doubles.
  const whole = String

  return {
    get: id => one(`SELECT ${PRODUCT} FROM \`Product\` WHERE \`id\` = ?`, [id]),
    guarded: id => one(`SELECT ${PRODUCT} FROM \`Guarded\` WHERE \`id\` = ?`, [id]),
    token: id => one('SELECT `ttl`, `created`, `userId` FROM `BenchToken` WHERE `id` = ?', [id]),
    filtered: (categoryId, above, limit) => all(
      `SELECT ${PRODUCT} FROM \`Product\` WHERE \`categoryId\` = ? AND \`price\` > ? ORDER BY \`price\` DESC LIMIT ?`,
      [categoryId, above, whole(limit)]
    ),
    page: (limit, skip) => all(
      `SELECT ${PRODUCT} FROM \`Product\` ORDER BY \`id\` LIMIT ? OFFSET ?`, [whole(limit), whole(skip)]
    ),
    // One statement per number of ids, of which there are at most as many as a page is long.
    categories: ids => all(`SELECT ${list(COLUMNS.Category)} FROM \`Category\` WHERE \`id\` IN (${marks(ids)})`, ids),
    reviews: ids => all(
      `SELECT ${list(COLUMNS.Review)} FROM \`Review\` WHERE \`productId\` IN (${marks(ids)}) ORDER BY \`id\``, ids
    ),
    insert: body => one(
      `INSERT INTO \`Product\` (${list(WRITABLE)}) VALUES (${marks(WRITABLE)}) RETURNING ${PRODUCT}`,
      WRITABLE.map(name => toColumn(name, body[name]))
    ),
    count: categoryId => one('SELECT count(*) AS `count` FROM `Product` WHERE `categoryId` = ?', [categoryId]),
    async update (id, body) {
      const names = Object.keys(body)
      const set = names.map(name => `\`${name}\` = ?`).join(', ')
      await pool.execute(
        `UPDATE \`Product\` SET ${set} WHERE \`id\` = ?`, [...names.map(name => toColumn(name, body[name])), id]
      )
      return await this.get(id)
    },
    close: () => pool.end()
  }
}
