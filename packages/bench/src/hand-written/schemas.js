const columns = {
  name: { type: 'string' },
  sku: { type: 'string' },
  price: { type: 'number' },
  stock: { type: 'integer' },
  available: { type: 'boolean' },
  releasedAt: { type: 'string' },
  categoryId: { type: 'integer' },
  description: { type: 'string' }
}
const product = { type: 'object', properties: { id: { type: 'integer' }, ...columns } }
const category = {
  type: 'object',
  properties: { id: { type: 'integer' }, name: { type: 'string' }, position: { type: 'integer' } }
}
const review = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    productId: { type: 'integer' },
    rating: { type: 'integer' },
    text: { type: 'string' },
    author: { type: 'string' },
    createdAt: { type: 'string' }
  }
}
const withRelations = {
  type: 'object',
  properties: { ...product.properties, category, reviews: { type: 'array', items: review } }
}

const params = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } }
const changes = { type: 'object', additionalProperties: false, minProperties: 1, properties: columns }

/** One schema per route, as the manual of Fastify recommends it. */
export const schemas = {
  get: { params, response: { 200: product } },
  list: {
    querystring: { type: 'object', properties: { filter: { type: 'string' } } },
    response: { 200: { type: 'array', items: withRelations } }
  },
  create: { body: { ...changes, required: Object.keys(columns) }, response: { 200: product } },
  patch: { params, body: changes, response: { 200: product } },
  count: {
    querystring: { type: 'object', properties: { where: { type: 'string' } } },
    response: { 200: { type: 'object', properties: { count: { type: 'integer' } } } }
  }
}
