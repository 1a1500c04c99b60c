import { loopbackDialect } from '../../dialect.js'
import { inBench } from '../../paths.js'
import { TOKEN, seedToken } from '../../seed.js'

/** @type {import('../index.js').Server} */
export default {
  name: 'hand-written',
  stores: ['sqlite', 'memory'],
  alwaysFile: true,
  layout: 'fastback',
  missing: () => undefined,
  prepareFile: file => seedToken(file),
  command: ({ port, file }) => ({
    args: [inBench('src/hand-written/server.js')],
    env: { BENCH_PORT: String(port), BENCH_FILE: file }
  }),
  session: async () => ({ token: TOKEN.id }),
  request: (load, params, context) => loopbackDialect[load](params, context)
}
