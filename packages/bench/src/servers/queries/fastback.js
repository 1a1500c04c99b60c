import { queriesDialect } from '../../dialect.js'
import { QUERIES_APP_FOLDER } from '../../paths.js'
import rest, { CLI, dataSourcesOf } from '../rest/fastback.js'
import { farCursors } from './cursors.js'

/** A folder with what new applications have on; the text index is one that it makes at its first start.
 * @type {import('../index.js').Server} */
export default {
  ...rest,
  stores: ['sqlite', 'postgres'],
  dataSet: 'articles',
  probe: '/api/Articles/1',
  command: launch => ({
    args: [CLI, 'serve', QUERIES_APP_FOLDER, '--port', String(launch.port)],
    env: {
      BENCH_AUTH: 'true', BENCH_CURSOR_SECRET: 'of the benchmark alone: '.repeat(2), ...dataSourcesOf(launch, 'update')
    }
  }),
  session: async url => ({ cursors: await farCursors(url) }),
  request: (load, params, context) => queriesDialect[load](params, context)
}
