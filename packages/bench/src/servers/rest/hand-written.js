import { loopbackDialect } from '../../dialect.js'
import { inBench } from '../../paths.js'
import { TOKEN, seedToken } from '../../seed.js'

/** @type {import('../index.js').Server} */
export default {
  name: 'hand-written',
  stores: ['sqlite', 'memory', 'postgres', 'mariadb'],
  alwaysFile: true,
  drivers: true,
  layout: 'fastback',
  missing: () => undefined,
  prepareFile: file => seedToken(file),
  command ({ port, file, url, store, driver }) {
    const env = { BENCH_PORT: String(port) }
    return url === undefined
      ? { args: [inBench('src/hand-written/server.js')], env: { ...env, BENCH_FILE: file, BENCH_DRIVER: driver ?? '' } }
      : { args: [inBench('src/hand-written/pool-server.js')], env: { ...env, BENCH_STORE: store, BENCH_URL: url } }
  },
  session: async () => ({ token: TOKEN.id }),
  request: (load, params, context) => loopbackDialect[load](params, context)
}
