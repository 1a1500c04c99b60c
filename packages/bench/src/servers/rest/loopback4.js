import { join } from 'node:path'
import { loopbackDialect } from '../../dialect.js'
import { PEERS_FOLDER, notInstalled } from '../../paths.js'
import { TOKEN, seedToken } from '../../seed.js'

const include = [{ relation: 'category' }, { relation: 'reviews' }]
const json = value => encodeURIComponent(JSON.stringify(value))

/** LoopBack 4 wants an object for each relation. */
const dialect = {
  ...loopbackDialect,
  w4: ({ limit, skip }) => ({ method: 'GET', path: `/api/Products?filter=${json({ include, limit, skip })}` })
}

/** It leaves a relation without rows out. */
const withReviews = product => ({ ...product, reviews: product.reviews ?? [] })

/** @type {import('../index.js').Server} */
export default {
  name: 'loopback4',
  stores: ['sqlite'],
  layout: 'loopback',
  note: 'its patch answers 204 without a body, so it does less there',
  unanswered: ['w6'],
  missing: () => notInstalled('loopback4'),
  prepareFile: file => seedToken(file, 'loopback'),
  command: ({ port, file }) => ({
    args: ['server.js'],
    cwd: join(PEERS_FOLDER, 'loopback4'),
    env: { BENCH_PORT: String(port), BENCH_FILE: file }
  }),
  session: async () => ({ token: TOKEN.id }),
  request: (load, params, context) => dialect[load](params, context),
  normalise: (load, answer) => load === 'w4' ? answer.map(withReviews) : answer
}
