import Fastify from 'fastify'
import { httpError } from '../requests.js'
import { fromCursor, listOf, monthsOf, toCursor } from './requests.js'
import { schemas } from './schemas.js'

// The hand-written server of the loads q1 to q5.

const { openStatements } = await import(process.env.BENCH_URL === undefined ? './sqlite.js' : './postgres.js')
const sql = openStatements()
const app = Fastify()

/** One row more than the page has says whether there is another one. */
async function page ({ after, limit }, reply) {
  const found = await (after === '' ? sql.first(limit + 1) : sql.after(fromCursor(after), limit + 1))
  const rows = found.slice(0, limit)
  if (found.length > limit) reply.header('x-next-cursor', toCursor(rows.at(-1)))
  if (after !== '' && rows.length > 0) reply.header('x-prev-cursor', toCursor(rows[0]))
  return rows
}

app.get('/api/Articles/:id', { schema: schemas.get }, async request =>
  await sql.get(request.params.id) ?? (() => { throw httpError(404, 'no such article') })())

app.get('/api/Articles', { schema: schemas.list }, async (request, reply) => {
  const list = listOf(request.query.filter)
  if (list.kind === 'page') return await page(list, reply)
  if (list.kind === 'search') return await sql.search(list.words, list.limit)
  return await sql.ofCategory(list.name, list.limit)
})

app.get('/api/Articles/aggregate', { schema: schemas.months }, async request => {
  const { categoryId, from, to } = monthsOf(request.query.filter)
  return await sql.months(categoryId, from, to)
})

process.once('SIGTERM', () => app.close().then(() => sql.close()))
await app.listen({ port: Number(process.env.BENCH_PORT), host: '127.0.0.1' })
