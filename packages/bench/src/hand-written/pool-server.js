import Fastify from 'fastify'
import { schemas } from './schemas.js'
import { filterOf, groupBy, httpError, number, parse } from './requests.js'
import { addPlugins } from './plugins.js'

// The hand-written server on a database server: the same routes over a pool and prepared statements.

const { BENCH_STORE: store, BENCH_URL: url, BENCH_PORT: port } = process.env
const { openStatements } = await import(store === 'postgres' ? './postgres.js' : './mariadb.js')
const sql = openStatements(url)
const app = Fastify()
if (process.env.BENCH_PLUGINS === 'true') await addPlugins(app)

const found = row => row ?? (() => { throw httpError(404, 'no such product') })()

async function addRelations (products) {
  const categoryIds = [...new Set(products.map(product => product.categoryId))]
  // One after the other on one connection would take twice as long; a person asks for both at once.
  const [categories, reviews] = await Promise.all([
    sql.categories(categoryIds), sql.reviews(products.map(product => product.id))
  ])
  const categoryOf = new Map(categories.map(category => [category.id, category]))
  const reviewsOf = groupBy(reviews, 'productId')
  for (const product of products) {
    product.category = categoryOf.get(product.categoryId)
    product.reviews = reviewsOf.get(product.id) ?? []
  }
  return products
}

app.get('/api/Products/:id', { schema: schemas.get }, async request => found(await sql.get(request.params.id)))

app.get('/api/Products', { schema: schemas.list }, async request => {
  const { where, include, limit, skip } = filterOf(request.query.filter)
  if (where) return await sql.filtered(where.categoryId, where.above, limit)
  const products = await sql.page(limit, skip)
  return include ? await addRelations(products) : products
})

app.get('/api/Products/count', { schema: schemas.count }, async request => {
  return await sql.count(number(parse(request.query.where).categoryId))
})

app.post('/api/Products', { schema: schemas.create }, async request => await sql.insert(request.body))

app.patch('/api/Products/:id', { schema: schemas.patch }, async request => {
  return found(await sql.update(request.params.id, request.body))
})

app.get('/api/Guarded/:id', { schema: schemas.get }, async request => {
  const token = await sql.token(request.headers.authorization ?? '')
  if (!token || Number(token.created) + token.ttl * 1000 < Date.now()) throw httpError(401, 'authorization required')
  return found(await sql.guarded(request.params.id))
})

process.once('SIGTERM', () => app.close().then(() => sql.close()))
await app.listen({ port: Number(port), host: '127.0.0.1' })
