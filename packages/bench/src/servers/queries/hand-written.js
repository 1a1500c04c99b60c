import { queriesDialect } from '../../dialect.js'
import { POSTGRES_INDEXES, SQLITE_INDEXES } from '../../hand-written/queries/indexes.js'
import { inBench } from '../../paths.js'
import { openDatabase } from '../../sqlite.js'
import { farCursors } from './cursors.js'

/** @type {import('../index.js').Server} */
export default {
  name: 'hand-written',
  stores: ['sqlite', 'postgres'],
  drivers: true,
  layout: 'fastback',
  dataSet: 'articles',
  probe: '/api/Articles/1',
  missing: () => undefined,
  prepareFile (file) {
    const db = openDatabase(file)
    for (const statement of SQLITE_INDEXES) db.exec(statement)
    db.close()
  },
  prepareDatabase: POSTGRES_INDEXES,
  command: ({ port, file, url, driver }) => ({
    args: [inBench('src/hand-written/queries/server.js')],
    env: { BENCH_PORT: String(port), ...(url === undefined ? { BENCH_FILE: file, BENCH_DRIVER: driver ?? '' } : { BENCH_URL: url }) }
  }),
  session: async url => ({ cursors: await farCursors(url) }),
  request: (load, params, context) => queriesDialect[load](params, context)
}
