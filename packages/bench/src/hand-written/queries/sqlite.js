import { ARTICLE_COLUMNS } from '../../articles.js'
import { openDatabase } from '../../sqlite.js'

const columnsOf = table => ARTICLE_COLUMNS.map(name => `${table}"${name}"`).join(', ')
const ARTICLE = columnsOf('')

/** What the hand-written server asks of SQLite, prepared once. */
export function openStatements () {
  const db = openDatabase(process.env.BENCH_FILE)
  const get = db.prepare(`SELECT ${ARTICLE} FROM "Article" WHERE "id" = ?`)
  const ofCategory = db.prepare(`SELECT ${ARTICLE} FROM "Article" WHERE EXISTS ` +
    '(SELECT 1 FROM "Category" WHERE "Category"."id" = "Article"."categoryId" AND "Category"."name" = ?) ' +
    'ORDER BY "id" LIMIT ?')
  const months = db.prepare('SELECT substr("createdAt", 1, 7) AS "month", count(*) AS "n", sum("views") AS "total" ' +
    'FROM "Article" WHERE "categoryId" = ? AND "createdAt" >= ? AND "createdAt" < ? GROUP BY 1 ORDER BY 1')
  const search = db.prepare(`SELECT ${columnsOf('"Article".')} FROM "Article_search" ` +
    'JOIN "Article" ON "Article"."id" = "Article_search".rowid ' +
    'WHERE "Article_search" MATCH ? ORDER BY "Article_search".rank, "Article"."id" LIMIT ?')
  const first = db.prepare(`SELECT ${ARTICLE} FROM "Article" ORDER BY "createdAt" DESC, "id" LIMIT ?`)
  const after = db.prepare(`SELECT ${ARTICLE} FROM "Article" WHERE "createdAt" <= ? AND ("createdAt" < ? OR "id" > ?) ` +
    'ORDER BY "createdAt" DESC, "id" LIMIT ?')

  return {
    get: id => get.get(id),
    ofCategory: (name, limit) => ofCategory.all(name, limit),
    months: (categoryId, from, to) => months.all(categoryId, from.toISOString(), to.toISOString())
      .map(({ month, n, total }) => ({ createdAt: `${month}-01T00:00:00.000Z`, n, total })),
    search: (words, limit) => search.all(words.map(each => `"${each}"`).join(' AND '), limit),
    first: limit => first.all(limit),
    after ({ at, id }, limit) {
      const createdAt = at.toISOString()
      return after.all(createdAt, createdAt, id, limit)
    },
    close: () => db.close()
  }
}
