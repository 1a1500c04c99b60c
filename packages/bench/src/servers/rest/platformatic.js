import { createHmac } from 'node:crypto'
import { join } from 'node:path'
import { COLUMNS } from '../../data.js'
import { PEERS_FOLDER, notInstalled } from '../../paths.js'
import { isAtLeast } from '../../sqlite.js'

const SECRET = 'benchmark'

const get = (path, headers) => ({ method: 'GET', path, headers })
const ask = query => ({ method: 'POST', path: '/graphql', body: { query } })

/** The properties of a model, but for a foreign key, which is the object that it points at. */
const own = (model, key) => COLUMNS[model].filter(name => name !== key).join(' ')
const inOrder = 'orderBy:[{field:id,direction:ASC}]'

/** Its REST has no relations within rows, and counts in a header: its GraphQL has both. */
const dialect = {
  w1: ({ id }) => get(`/product/${id}`),
  w2: ({ categoryId, above, limit }) =>
    get(`/product/?where.categoryId.eq=${categoryId}&where.price.gt=${above}&orderby.price=desc&limit=${limit}`),
  w3: ({ limit, skip }) => get(`/product/?limit=${limit}&offset=${skip}&orderby.id=asc`),
  w4: ({ limit, skip }) => ask(`{product(limit:${limit},offset:${skip},${inOrder}){${own('Product', 'categoryId')} ` +
    `categoryId{${own('Category')}} review(limit:100,${inOrder}){${own('Review', 'productId')}}}}`),
  w5: ({ body }) => ({ method: 'POST', path: '/product/', body }),
  w6: ({ id, body }) => ({ method: 'PUT', path: `/product/${id}`, body }),
  w7: ({ id }, { token }) => get(`/guarded/${id}`, { authorization: `Bearer ${token}` }),
  w8: ({ categoryId }) => ask(`{countProduct(where:{categoryId:{eq:"${categoryId}"}}){total}}`)
}

/** Ids and foreign keys are texts there. */
export const numbered = row => Object.fromEntries(
  Object.entries(row).map(([name, value]) => [name, name === 'id' || name.endsWith('Id') ? Number(value) : value])
)

export const withRelations = ({ categoryId: category, review, ...product }) => ({
  ...numbered(product),
  categoryId: Number(category.id),
  category: numbered(category),
  reviews: review.map(one => ({ ...numbered(one), productId: Number(product.id) }))
})

function normalise (load, answer) {
  if (load === 'w4') return answer.data.product.map(withRelations)
  if (load === 'w8') return { count: answer.data.countProduct.total }
  return Array.isArray(answer) ? answer.map(numbered) : numbered(answer)
}

/** A token that says what its bearer is: nothing is looked up. */
function makeToken () {
  const encode = object => Buffer.from(JSON.stringify(object)).toString('base64url')
  const head = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode({ role: 'user', exp: Math.floor(Date.now() / 1000) + 86_400 })}`
  return `${head}.${createHmac('sha256', SECRET).update(head).digest('base64url')}`
}

/** @type {import('../index.js').Server} */
export default {
  name: 'platformatic',
  stores: ['sqlite'],
  layout: 'declared',
  note: 'Platformatic DB 3 with better-sqlite3, its own REST, GraphQL for relations and counts',
  missing: ({ nodeVersion }) =>
    isAtLeast(nodeVersion, 22, 19) ? notInstalled('platformatic') : `needs Node 22.19, and this is ${nodeVersion}`,
  command: ({ port, file }) => ({
    args: ['server.js'],
    cwd: join(PEERS_FOLDER, 'platformatic'),
    env: { BENCH_PORT: String(port), BENCH_FILE: file, BENCH_SECRET: SECRET }
  }),
  session: async () => ({ token: makeToken() }),
  request: (load, params, context) => dialect[load](params, context),
  normalise
}
