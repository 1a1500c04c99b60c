import { join } from 'node:path'
import { loopbackDialect } from '../../dialect.js'
import { APP_FOLDER, PEERS_FOLDER, notInstalled } from '../../paths.js'
import { fillByPost } from '../../rest-session.js'
import { TOKEN } from '../../seed.js'

/** @type {import('../index.js').Server} */
export default {
  name: 'loopback3',
  stores: ['sqlite', 'memory'],
  layout: 'loopback',
  note: 'its rules are asked for the guarded model only, which spares the other loads the query of the ACL table',
  missing: () => notInstalled('loopback3'),
  command: ({ port, file, store }) => ({
    args: ['server.js'],
    cwd: join(PEERS_FOLDER, 'loopback3'),
    env: {
      BENCH_PORT: String(port),
      BENCH_FILE: file,
      BENCH_STORE: store,
      BENCH_APP: APP_FOLDER,
      BENCH_TOKEN: JSON.stringify(TOKEN)
    }
  }),
  async session (url, { store }) {
    if (store === 'memory') await fillByPost(url, TOKEN.id)
    return { token: TOKEN.id }
  },
  request: (load, params, context) => loopbackDialect[load](params, context)
}
