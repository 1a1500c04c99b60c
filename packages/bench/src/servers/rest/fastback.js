import { existsSync } from 'node:fs'
import { loopbackDialect } from '../../dialect.js'
import { APP_FOLDER, inBench } from '../../paths.js'
import { fillByPost, logIn } from '../../rest-session.js'

export const CLI = inBench('../cli/bin/fastback.js')
const BUILT = inBench('../cli/dist/bin.js')

/** The data source `db` of the application folder, for each store. */
const DATA_SOURCES = {
  sqlite: file => ({ connector: 'sql', url: `sqlite:${file}`, migrate: 'update' }),
  memory: () => ({ connector: 'memory' })
}

/** @type {import('../index.js').Server} */
export default {
  name: 'fastback',
  stores: ['sqlite', 'memory'],
  layout: 'fastback',
  missing: () => existsSync(BUILT) ? undefined : 'not built (npm run setup && npm run build)',
  command: ({ port, file, store }) => ({
    args: [CLI, 'serve', APP_FOLDER, '--port', String(port)],
    env: { BENCH_AUTH: 'true', FASTBACK_DATASOURCES: JSON.stringify({ db: DATA_SOURCES[store](file) }) }
  }),
  async session (url, { store, needsToken }) {
    const token = needsToken || store === 'memory' ? await logIn(url) : undefined
    if (store === 'memory') await fillByPost(url, token)
    return { token }
  },
  request: (load, params, context) => loopbackDialect[load](params, context)
}
