import { rowsDialect } from '../../dialect.js'
import { ROWS_APP_FOLDER } from '../../paths.js'
import { logIn } from '../../rest-session.js'
import rest, { CLI, dataSourcesOf } from '../rest/fastback.js'

/** A folder whose rule leaves callers the rows that are theirs. @type {import('../index.js').Server} */
export default {
  ...rest,
  stores: ['sqlite', 'postgres'],
  dataSet: 'tasks',
  probe: '/api/Tasks/count',
  command: launch => ({
    args: [CLI, 'serve', ROWS_APP_FOLDER, '--port', String(launch.port)],
    env: { BENCH_AUTH: 'true', ...dataSourcesOf(launch, 'update') }
  }),
  session: async url => ({ token: await logIn(url) }),
  request: (load, params, context) => rowsDialect[load](params, context)
}
