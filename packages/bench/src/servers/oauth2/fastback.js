import { OAUTH2_APP_FOLDER } from '../../paths.js'
import rest, { CLI } from '../rest/fastback.js'
import { CLIENT, oauthDialect, oauthSession } from './client.js'

const dialect = oauthDialect('/oauth/token')

/** @type {import('../index.js').Server} */
export default {
  name: 'fastback',
  stores: ['memory'],
  layout: 'fastback',
  probe: '/.well-known/oauth-authorization-server',
  missing: rest.missing,
  command: ({ port }) => ({
    args: [CLI, 'serve', OAUTH2_APP_FOLDER, '--port', String(port)],
    env: { ...CLIENT, BENCH_ISSUER: `http://127.0.0.1:${port}` }
  }),
  session: url => oauthSession(`${url}/oauth/token`),
  request: (load, params, context) => dialect[load](params, context)
}
