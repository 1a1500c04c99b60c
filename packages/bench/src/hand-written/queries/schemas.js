const article = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    title: { type: 'string' },
    body: { type: 'string' },
    views: { type: 'integer' },
    categoryId: { type: 'integer' },
    createdAt: { type: 'string' }
  }
}
const month = {
  type: 'object', properties: { createdAt: { type: 'string' }, n: { type: 'integer' }, total: { type: 'number' } }
}
const querystring = { type: 'object', properties: { filter: { type: 'string' } } }

export const schemas = {
  get: {
    params: { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } }, response: { 200: article }
  },
  list: { querystring, response: { 200: { type: 'array', items: article } } },
  months: { querystring, response: { 200: { type: 'array', items: month } } }
}
