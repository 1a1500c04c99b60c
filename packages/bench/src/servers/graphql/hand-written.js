import { graphqlDialect } from '../../dialect.js'
import { inBench } from '../../paths.js'
import { seedToken } from '../../seed.js'

/** Mercurius with resolvers and loaders by hand. @type {import('../index.js').Server} */
export default {
  name: 'hand-written',
  stores: ['sqlite'],
  drivers: true,
  layout: 'fastback',
  // The statements by hand have one for tokens.
  prepareFile: file => seedToken(file),
  missing: () => undefined,
  probe: '/api/Products/1',
  command: ({ port, file, driver }) => ({
    args: [inBench('src/hand-written/graphql/server.js')],
    env: { BENCH_PORT: String(port), BENCH_FILE: file, BENCH_DRIVER: driver ?? '' }
  }),
  request: (load, params) => graphqlDialect[load](params)
}
