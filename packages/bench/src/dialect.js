import { COLUMNS } from './data.js'
import { trustedPath } from './trusted.js'

/**
 * @typedef {object} WireRequest
 * @property {string} method
 * @property {string} path
 * @property {Record<string, string>} [headers]
 * @property {unknown} [body]
 */

const json = value => encodeURIComponent(JSON.stringify(value))
const filter = value => `/api/Products?filter=${json(value)}`

/** @type {(load: string, params: any, context: { token?: string }) => WireRequest} */
export const generatedRequest = (load, params, context) => loopbackDialect[load.replace('g', 'w')](params, context)

/**
 * The requests in LoopBack's query language, which the hand-written server, Fastback and both LoopBacks speak.
 * @type {Record<string, (params: any, context: { token?: string }) => WireRequest>}
 */
export const loopbackDialect = {
  w1: ({ id }) => ({ method: 'GET', path: `/api/Products/${id}` }),
  w2: ({ categoryId, above, limit }) => ({
    method: 'GET', path: filter({ where: { categoryId, price: { gt: above } }, order: 'price DESC', limit })
  }),
  w3: ({ limit, skip }) => ({ method: 'GET', path: filter({ limit, skip, order: 'id' }) }),
  w4: ({ limit, skip }) => ({ method: 'GET', path: filter({ include: ['category', 'reviews'], limit, skip }) }),
  w5: ({ body }) => ({ method: 'POST', path: '/api/Products', body }),
  w6: ({ id, body }) => ({ method: 'PATCH', path: `/api/Products/${id}`, body }),
  w7: ({ id }, { token }) => ({ method: 'GET', path: `/api/Guarded/${id}`, headers: { authorization: token ?? '' } }),
  w8: ({ categoryId }) => ({ method: 'GET', path: `/api/Products/count?where=${json({ categoryId })}` })
}

const articles = value => ({ method: 'GET', path: `/api/Articles?filter=${json(value)}` })
const byDate = (limit, after) => articles({ order: 'createdAt DESC', limit, after })

/**
 * What LoopBack's query language does not have, as Fastback writes it.
 * @type {Record<string, (params: any, context: { cursors?: string[] }) => WireRequest>}
 */
export const queriesDialect = {
  q1: ({ name, limit }) => articles({ where: { 'category.name': name }, limit }),
  q2: ({ categoryId, from, to }) => ({
    method: 'GET',
    path: `/api/Articles/aggregate?filter=${json({
      where: { categoryId, createdAt: { gte: from, lt: to } },
      groupBy: [{ createdAt: 'month' }],
      aggregate: { n: { count: '*' }, total: { sum: 'views' } }
    })}`
  }),
  q3: ({ search, limit }) => articles({ where: { $search: search }, order: '$rank', limit }),
  q4: ({ limit }) => byDate(limit, ''),
  q5: ({ page, limit }, { cursors }) => byDate(limit, cursors?.[page] ?? '')
}

/**
 * Rows of the caller alone.
 * @type {Record<string, (params: any, context: { token?: string }) => WireRequest>}
 */
export const rowsDialect = {
  r1: ({ limit, skip }, { token }) => ({
    method: 'GET',
    path: `/api/Tasks?filter=${json({ limit, skip, order: 'id' })}`,
    headers: { authorization: token ?? '' }
  }),
  r2: ({ id }, { token }) => ({ method: 'GET', path: `/api/Tasks/${id}`, headers: { authorization: token ?? '' } })
}

const ask = (query, variables) => ({ method: 'POST', path: '/graphql', body: { query, variables } })
const fieldsOf = model => COLUMNS[model].join(' ')
const listOf = fields => `query ($limit: Int, $skip: Int) { products(limit: $limit, skip: $skip) { ${fields} } }`
const withRelations = `${fieldsOf('Product')} category { ${fieldsOf('Category')} } reviews { ${fieldsOf('Review')} }`

/**
 * Documents that the schema by hand and that of Fastback both take.
 * @type {Record<string, (params: any) => WireRequest>}
 */
export const graphqlDialect = {
  gq1: variables => ask(`query ($id: SafeInt!) { product(id: $id) { ${fieldsOf('Product')} } }`, variables),
  gq2: variables => ask(listOf(fieldsOf('Product')), variables),
  gq3: variables => ask(listOf(withRelations), variables)
}

const create = table => ({ body }) => ({ method: 'POST', path: trustedPath(table), body })
const patch = table => ({ id, body }) => ({ method: 'PATCH', path: `${trustedPath(table)}/${id}`, body })

/**
 * Writes with versions, history or a key, and a read by a client that has the row.
 * @type {Record<string, (params: any, context: { tag?: string }) => WireRequest>}
 */
export const trustedDialect = {
  t1: create('Versioned'),
  t2: patch('Versioned'),
  t3: create('Historied'),
  t4: patch('Historied'),
  t5: ({ key, body }) => ({ ...create('Keyed')({ body }), headers: { 'idempotency-key': `"${key}"` } }),
  t6: ({ id }, { tag }) => ({ method: 'GET', path: `${trustedPath('Tagged')}/${id}`, headers: { 'if-none-match': tag ?? '' } })
}
