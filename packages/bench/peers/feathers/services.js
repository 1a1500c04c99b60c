import { AuthenticationBaseStrategy, AuthenticationService, authenticate } from '@feathersjs/authentication'
import { NotAuthenticated } from '@feathersjs/errors'
import { KnexService } from '@feathersjs/knex'
import { resolveData, resolveResult, validateData, validatePatch, validateQuery } from './schemas.js'

function groupBy (rows, key) {
  const groups = new Map()
  for (const row of rows) {
    const group = groups.get(row[key])
    if (group) group.push(row)
    else groups.set(row[key], [row])
  }
  return groups
}

/** `$include=relations` loads both relations, each with one query. */
function pickInclude (context) {
  const { $include, ...query } = context.params.query
  if ($include) context.params = { ...context.params, query, include: true }
}

async function addRelations (context) {
  if (!context.params.include) return
  const products = context.result
  const [categories, reviews] = await Promise.all([
    context.app.service('categories').find({ query: { id: { $in: [...new Set(products.map(one => one.categoryId))] } } }),
    context.app.service('reviews').find({ query: { productId: { $in: products.map(one => one.id) }, $sort: { id: 1 } } })
  ])
  const byId = new Map(categories.map(category => [category.id, category]))
  const byProduct = groupBy(reviews, 'productId')
  for (const product of products) {
    product.category = byId.get(product.categoryId)
    product.reviews = byProduct.get(product.id) ?? []
  }
}

/** A count is `$limit=0`, the only list that is paged; the others need no second query for their total. */
function pageCounts (context) {
  if (context.params.query.$limit === 0) context.params.paginate = { default: 10, max: 100 }
}

class TokenStrategy extends AuthenticationBaseStrategy {
  async authenticate ({ token }) {
    const [found] = await this.app.service('tokens').find({ query: { id: token, $limit: 1 } })
    if (!found || found.created + found.ttl * 1000 < Date.now()) throw new NotAuthenticated()
    return { authentication: { strategy: 'token' }, user: { id: found.userId } }
  }

  async parse (request) {
    const token = request.headers.authorization
    return token ? { strategy: 'token', token } : null
  }
}

export function addServices (app, knex) {
  const table = (name, options) => new KnexService({ Model: knex, name, id: 'id', ...options })
  const readOnly = { methods: ['get', 'find'] }
  app.use('categories', table('Category'), { methods: [] })
  app.use('reviews', table('Review'), { methods: [] })
  app.use('tokens', table('BenchToken'), { methods: [] })
  app.use('api/Products', table('Product'), { methods: ['get', 'find', 'create', 'patch'] })
  app.use('api/Guarded', table('Guarded'), readOnly)

  app.set('authentication', { secret: 'not used', entity: null, authStrategies: ['token'], parseStrategies: ['token'] })
  const authentication = new AuthenticationService(app)
  authentication.register('token', new TokenStrategy())
  app.use('authentication', authentication, { methods: [] })

  app.service('api/Products').hooks({
    around: { all: [resolveResult] },
    before: {
      all: [validateQuery],
      find: [pageCounts, pickInclude],
      create: [validateData, resolveData],
      patch: [validatePatch, resolveData]
    },
    after: { find: [addRelations] }
  })
  app.service('api/Guarded').hooks({ around: { all: [authenticate('token'), resolveResult] }, before: { all: [validateQuery] } })
}
