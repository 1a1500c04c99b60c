import Fastify from 'fastify'
import { openDatabase } from '../sqlite.js'
import { schemas } from './schemas.js'
import { dates } from './dates.js'
import { addPlugins } from './plugins.js'
import { filterOf, groupBy, httpError, number, parse } from './requests.js'
import { insertValues, prepareStatements, toColumn } from './statements.js'

const db = openDatabase(process.env.BENCH_FILE)
const sql = prepareStatements(db)
const app = Fastify()
const { shown, allShown, stored } = dates(process.env.BENCH_DATES === 'integer')
if (process.env.BENCH_PLUGINS === 'true') await addPlugins(app)

function addRelations (products) {
  const categoryIds = [...new Set(products.map(product => product.categoryId))]
  const categories = new Map()
  for (const category of sql.categories.all(JSON.stringify(categoryIds))) categories.set(category.id, category)
  const found = sql.reviews.all(JSON.stringify(products.map(product => product.id)))
  const reviews = groupBy(allShown(found), 'productId')
  for (const product of products) {
    product.category = categories.get(product.categoryId)
    product.reviews = reviews.get(product.id) ?? []
  }
  return products
}

app.get('/api/Products/:id', { schema: schemas.get }, (request, reply) => {
  reply.send(shown(sql.get.get(request.params.id)) ?? httpError(404, 'no such product'))
})

app.get('/api/Products', { schema: schemas.list }, (request, reply) => {
  const { where, include, limit, skip } = filterOf(request.query.filter)
  if (where) return reply.send(allShown(sql.filtered.all(where.categoryId, where.above, limit)))
  const products = allShown(sql.page.all(limit, skip))
  reply.send(include ? addRelations(products) : products)
})

app.get('/api/Products/count', { schema: schemas.count }, (request, reply) => {
  reply.send(sql.count.get(number(parse(request.query.where).categoryId)))
})

// `all` and not `get`: after the first row alone SQLite never folds its log into the file (184 MB after 20,000
// inserts).
app.post('/api/Products', { schema: schemas.create }, (request, reply) => {
  reply.send(shown(sql.insert.all(...insertValues(stored(request.body)))[0]))
})

app.patch('/api/Products/:id', { schema: schemas.patch }, (request, reply) => {
  const body = stored(request.body)
  const names = Object.keys(body)
  const values = names.map(name => toColumn(body[name]))
  reply.send(shown(sql.update(names).all(...values, request.params.id)[0]) ?? httpError(404, 'no such product'))
})

app.get('/api/Guarded/:id', { schema: schemas.get }, (request, reply) => {
  const token = sql.token.get(request.headers.authorization ?? '')
  if (!token || token.created + token.ttl * 1000 < Date.now()) throw httpError(401, 'authorization required')
  reply.send(shown(sql.guarded.get(request.params.id)) ?? httpError(404, 'no such product'))
})

process.once('SIGTERM', () => app.close().then(() => db.close()))
await app.listen({ port: Number(process.env.BENCH_PORT), host: '127.0.0.1' })
