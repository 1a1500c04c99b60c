import { join } from 'node:path'
import { PEERS_FOLDER, notInstalled } from '../../paths.js'
import { TOKEN, seedToken } from '../../seed.js'

const get = (path, headers) => ({ method: 'GET', path, headers })

/** The same requests in Feathers' query language. */
const dialect = {
  w1: ({ id }) => get(`/api/Products/${id}`),
  w2: ({ categoryId, above, limit }) => get('/api/Products?' +
    `categoryId=${categoryId}&price[$gt]=${above}&$sort[price]=-1&$limit=${limit}`),
  w3: ({ limit, skip }) => get(`/api/Products?$limit=${limit}&$skip=${skip}&$sort[id]=1`),
  w4: ({ limit, skip }) => get(`/api/Products?$limit=${limit}&$skip=${skip}&$include=relations`),
  w5: ({ body }) => ({ method: 'POST', path: '/api/Products', body }),
  w6: ({ id, body }) => ({ method: 'PATCH', path: `/api/Products/${id}`, body }),
  w7: ({ id }, { token }) => get(`/api/Guarded/${id}`, { authorization: token }),
  w8: ({ categoryId }) => get(`/api/Products?categoryId=${categoryId}&$limit=0`)
}

/** @type {import('../index.js').Server} */
export default {
  name: 'feathers',
  stores: ['sqlite'],
  layout: 'fastback',
  note: 'with Koa, Knex and better-sqlite3, in its own query language',
  missing: () => notInstalled('feathers'),
  prepareFile: file => seedToken(file),
  command: ({ port, file }) => ({
    args: ['server.js'],
    cwd: join(PEERS_FOLDER, 'feathers'),
    env: { BENCH_PORT: String(port), BENCH_FILE: file }
  }),
  session: async () => ({ token: TOKEN.id }),
  request: (load, params, context) => dialect[load](params, context),
  normalise: (load, answer) => load === 'w8' ? { count: answer.total } : answer
}
