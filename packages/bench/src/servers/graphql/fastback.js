import { graphqlDialect } from '../../dialect.js'
import { GRAPHQL_APP_FOLDER } from '../../paths.js'
import rest, { CLI, dataSourcesOf } from '../rest/fastback.js'

/** The models of the folder `app`, asked for in GraphQL. @type {import('../index.js').Server} */
export default {
  ...rest,
  stores: ['sqlite'],
  command: launch => ({
    args: [CLI, 'serve', GRAPHQL_APP_FOLDER, '--port', String(launch.port)],
    env: { BENCH_AUTH: 'true', ...dataSourcesOf(launch, 'update') }
  }),
  probe: '/api/Products/1',
  session: async () => ({}),
  request: (load, params) => graphqlDialect[load](params)
}
