import { rowsDialect } from '../../dialect.js'
import { inBench } from '../../paths.js'
import { TOKEN, seedToken } from '../../seed.js'
import { openDatabase } from '../../sqlite.js'

const BY_OWNER = 'CREATE INDEX "Task_byOwner" ON "Task" ("ownerId", "id")'

/** @type {import('../index.js').Server} */
export default {
  name: 'hand-written',
  stores: ['sqlite', 'postgres'],
  drivers: true,
  layout: 'fastback',
  dataSet: 'tasks',
  probe: '/api/Tasks/count',
  missing: () => undefined,
  prepareFile (file) {
    seedToken(file)
    const db = openDatabase(file)
    db.exec(BY_OWNER)
    db.close()
  },
  prepareDatabase: [BY_OWNER],
  command: ({ port, file, url, driver }) => ({
    args: [inBench('src/hand-written/rows/server.js')],
    env: { BENCH_PORT: String(port), ...(url === undefined ? { BENCH_FILE: file, BENCH_DRIVER: driver ?? '' } : { BENCH_URL: url }) }
  }),
  session: async () => ({ token: TOKEN.id }),
  request: (load, params, context) => rowsDialect[load](params, context)
}
