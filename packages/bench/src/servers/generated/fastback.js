import { generatedRequest } from '../../dialect.js'
import { GENERATED_APP_FOLDER } from '../../paths.js'
import { logIn } from '../../rest-session.js'
import fastback, { CLI, dataSourcesOf } from '../rest/fastback.js'

/**
 * The folder that LoopBack's generator makes: its middleware, access control, the explorer. The tables were there
 * before; only those of users and tokens are made.
 * @type {import('../index.js').Server}
 */
export default {
  ...fastback,
  stores: ['sqlite', 'postgres', 'mariadb'],
  layout: 'existing',
  probe: '/api/Products/1',
  command: launch => ({
    args: [CLI, 'serve', GENERATED_APP_FOLDER, '--port', String(launch.port)],
    env: dataSourcesOf(launch, 'none', { users: { connector: 'sql', url: 'sqlite::memory:', migrate: 'update' } })
  }),
  session: async (url, { needsToken }) => ({ token: needsToken ? await logIn(url) : undefined }),
  request: generatedRequest
}
