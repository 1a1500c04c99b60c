import Fastify from 'fastify'
import mercurius from 'mercurius'
import { openDatabase } from '../../sqlite.js'
import { dates } from '../dates.js'
import { groupBy } from '../requests.js'
import { prepareStatements } from '../statements.js'
import { schema } from './schema.js'

// The hand-written server of the loads gq1 to gq3: resolvers on prepared statements, and one query for each relation.

const db = openDatabase(process.env.BENCH_FILE)
const sql = prepareStatements(db)
const { shown, allShown } = dates(false)
const app = Fastify()

const resolvers = {
  Query: {
    product: (_, { id }) => shown(sql.get.get(id)),
    products: (_, { limit, skip }) => allShown(sql.page.all(limit ?? 100, skip ?? 0))
  }
}

const loaders = {
  Product: {
    category: {
      loader: async queries => {
        const ids = [...new Set(queries.map(({ obj }) => obj.categoryId))]
        const byId = new Map(sql.categories.all(JSON.stringify(ids)).map(row => [row.id, row]))
        return queries.map(({ obj }) => byId.get(obj.categoryId))
      },
      opts: { cache: false }
    },
    reviews: {
      loader: async queries => {
        const found = allShown(sql.reviews.all(JSON.stringify(queries.map(({ obj }) => obj.id))))
        const byProduct = groupBy(found, 'productId')
        return queries.map(({ obj }) => byProduct.get(obj.id) ?? [])
      },
      opts: { cache: false }
    }
  }
}

await app.register(mercurius, { schema, resolvers, loaders, graphiql: false })
app.get('/api/Products/:id', async request => shown(sql.get.get(request.params.id)))

process.once('SIGTERM', () => app.close().then(() => db.close()))
await app.listen({ port: Number(process.env.BENCH_PORT), host: '127.0.0.1' })
