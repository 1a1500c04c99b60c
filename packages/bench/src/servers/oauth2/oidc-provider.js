import { join } from 'node:path'
import { PEERS_FOLDER, notInstalled } from '../../paths.js'
import { CLIENT, oauthDialect, oauthSession } from './client.js'

const dialect = oauthDialect('/token')

/** @type {import('../index.js').Server} */
export default {
  name: 'oidc-provider',
  stores: ['memory'],
  layout: 'fastback',
  note: 'its tokens in its own memory adapter, which keeps the last thousand or two',
  probe: '/.well-known/oauth-authorization-server',
  missing: () => notInstalled('oidc-provider'),
  command: ({ port }) => ({
    args: ['server.js'],
    cwd: join(PEERS_FOLDER, 'oidc-provider'),
    env: { ...CLIENT, BENCH_PORT: String(port) }
  }),
  session: url => oauthSession(`${url}/token`),
  request: (load, params, context) => dialect[load](params, context)
}
